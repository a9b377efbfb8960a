package terminal49_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// rulesDigests are the digests of the verdicts below by the version of the rules that made them.
// Before the first release nobody stores a standing of version 1, so its digest may change.
var rulesDigests = map[int]string{1: "70dd8cde3ddf7963"}

func TestRulesVersion_IsRaisedWithEveryChangeOfAVerdict(t *testing.T) {
	digest := sha256.New()
	write := json.NewEncoder(digest)
	for _, c := range verdicttest.Cases() {
		requireEncoded(t, write, c.Container(), c.Now)
	}
	r := rand.New(rand.NewPCG(30, 1))
	for range 3_000 {
		c, now := randomContainer(r)
		requireEncoded(t, write, c, now)
	}
	require.Equal(t, rulesDigests[terminal49.RulesVersion], hex.EncodeToString(digest.Sum(nil))[:16],
		"verdicts changed, and stored standings are wrong: raise terminal49.RulesVersion, and add the new digest here")
}

// requireEncoded writes the standing of a container, and its verdict at two times without the words
// of its sentence.
func requireEncoded(t *testing.T, to *json.Encoder, c *terminal49.Container, now time.Time) {
	t.Helper()
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	later := v.Stored().Verdict(now.Add(40*time.Hour), terminal49.VerdictOptions{})
	require.NoError(t, to.Encode([]any{v.Stored(), v.Situation, v.Urgency, v.UrgencyReason, v.DaysLeft, v.AskAgain, later}))
}

// randomContainer returns a container in the middle of a life, with what a terminal, a line and a
// railroad report of it, and a time.
func randomContainer(r *rand.Rand) (*terminal49.Container, time.Time) {
	l := newLife(r)
	last := r.IntN(len(l.steps))
	for i := range last + 1 {
		l.record(r, i)
	}
	now := l.report(r, last)
	c := l.container
	c.TransportEvents = terminal49.IncludedAll(l.events...)
	reportDeadlines(r, &c, now)
	return &c, now
}

// reportDeadlines sets holds, fees, estimates and last free days near a time.
func reportDeadlines(r *rand.Rand, c *terminal49.Container, now time.Time) {
	statuses := []terminal49.HoldStatus{terminal49.HoldStatusActive, terminal49.HoldStatusPending, "other"}
	if r.IntN(4) == 0 {
		c.Holds = append(c.Holds, terminal49.Hold{Name: terminal49.HoldCustoms, Status: statuses[r.IntN(len(statuses))]})
	}
	if r.IntN(3) == 0 {
		c.Fees = []terminal49.Fee{{Type: terminal49.FeeDemurrage, Amount: decimal.NewFromInt(185), CurrencyCode: "USD"}}
	}
	for _, at := range []*terminal49.Time{
		&c.ImportDeadlines.Line, &c.ImportDeadlines.Terminal, &c.ImportDeadlines.Rail, &c.PickupLFD, &c.INDETA,
	} {
		if r.IntN(2) == 0 {
			*at = randomReportedTime(r, now)
		}
	}
	if r.IntN(10) == 0 {
		c.TerminalCheckedAt = randomReportedTime(r, now)
	}
	if r.IntN(10) == 0 {
		c.ImportDeadlines.POD = &terminal49.PODLastFreeDays{}
	}
}

// randomTime returns a time in any of the forms that the service sends, within days of another.
func randomReportedTime(r *rand.Rand, near time.Time) terminal49.Time {
	at := near.Add(time.Duration(r.IntN(20*24)-10*24) * time.Hour).Truncate(24 * time.Hour)
	zones := []string{losAngeles, chicago, zoneAt[origin], "Pacific/Auckland", "No/Such_Zone", "unknown", "a] or b"}
	var t terminal49.Time
	switch r.IntN(6) {
	case 0:
		return terminal49.NewWallTime(at)
	case 1:
		_ = t.UnmarshalText([]byte(at.Format(time.DateOnly) + "[" + losAngeles + "]"))
	case 2:
		_ = t.UnmarshalText([]byte(at.Format(time.RFC3339) + "[" + losAngeles + " or " + chicago + "]"))
	case 3:
		_ = t.UnmarshalText([]byte(at.Format("2006-01-02T15:04:05.25") + "-05:00[unknown]"))
	case 4:
		_ = t.UnmarshalText([]byte(at.Format(time.RFC3339) + "[unreported]"))
	default:
		return terminal49.NewTime(at.Add(8*time.Hour), zones[r.IntN(len(zones))])
	}
	return t
}

// A stored standing and a time give the verdict that Assess gives: what does not depend on the
// clock is stored without loss, and nothing else of the verdict depends on it.
func TestStanding_AnswersAsAssess(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(30, 2))
	containers, verdicts := testkit.Scale(1_000, 100_000), 0
	for range containers {
		c, at := randomContainer(r)
		stored, err := json.Marshal(terminal49.Assess(c, at, terminal49.VerdictOptions{}).Stored())
		require.NoError(t, err)
		var read terminal49.Standing
		require.NoError(t, json.Unmarshal(stored, &read))
		for range testkit.Scale(4, 1) {
			now := at.Add(time.Duration(r.IntN(30*24)-12*24)*time.Hour + time.Duration(r.IntN(3600))*time.Second)
			opts := randomOptions(r)
			requireSameVerdict(t, terminal49.Assess(c, now, opts), read, now, opts)
			verdicts++
		}
	}
	t.Logf("figure: %d containers, %d verdicts of stored standings: 0 differ from Assess", containers, verdicts)
}

func randomOptions(r *rand.Rand) (opts terminal49.VerdictOptions) {
	if r.IntN(2) == 0 {
		opts.MaxAge, opts.DeadlineMaxAge = time.Duration(1+r.IntN(72))*time.Hour, time.Duration(1+r.IntN(20*24))*time.Hour
		opts.ImminentDays = terminal49.Some(r.IntN(6))
	}
	if r.IntN(3) == 0 {
		opts.FallbackZone = time.FixedZone("here", (r.IntN(24)-12)*3600)
	}
	return opts
}

// requireSameVerdict requires that a standing gives a verdict in every field that it has.
func requireSameVerdict(t *testing.T, want terminal49.Verdict, s terminal49.Standing, now time.Time, opts terminal49.VerdictOptions) {
	t.Helper()
	got := s.Verdict(now, opts)
	if want.Stored() != got.Stored() { // require.Equal takes as long as all the rest
		require.Equal(t, want.Stored(), got.Stored(), "the standing is the same whatever the time")
	}
	type clock struct {
		id, number      string
		situation       terminal49.Situation
		place, boundFor terminal49.VerdictPlace
		since, eta      terminal49.Time
		lastFreeDay     terminal49.LastFreeDay
		daysLeft        terminal49.Opt[int]
		urgency         terminal49.Urgency
		reason          terminal49.UrgencyReason
		askAgain        time.Time
	}
	of := func(v terminal49.Verdict) clock {
		return clock{
			v.ContainerID, v.Number, v.Situation, v.Place, v.BoundFor, v.Since, v.ETA, v.LastFreeDay, v.DaysLeft, v.Urgency,
			v.UrgencyReason, v.AskAgain,
		}
	}
	if of(want) != of(got) || want.Compare(got) != 0 { // it sorts where the verdict does
		require.Equal(t, of(want), of(got), "%s", want)
		require.Zero(t, want.Compare(got), "%s", want)
	}
}

func TestStanding_SaysLessThanAVerdict(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		v := terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{})
		short := v.Stored().Verdict(c.Now, terminal49.VerdictOptions{}).String()
		require.True(t, strings.HasPrefix(strings.ToLower(short), strings.ReplaceAll(string(v.Situation), "_", " ")), short)
		require.Contains(t, short, v.Place.String())
		require.Contains(t, short, v.BoundFor.String())
	}
}

func TestStanding_OfOtherRulesIsNotRead(t *testing.T) {
	stored, err := json.Marshal(terminal49.Standing{ContainerID: "c"})
	require.NoError(t, err)
	newer := strings.Replace(string(stored), `"rules":1`, `"rules":2`, 1)
	require.NotEqual(t, string(stored), newer)
	kept := terminal49.Standing{ContainerID: "kept"}
	for _, text := range []string{newer, `{}`} {
		require.ErrorIs(t, json.Unmarshal([]byte(text), &kept), terminal49.ErrRulesVersion, text)
	}
	for _, text := range []string{`[]`, `{"rules":1,"since":7}`} {
		require.ErrorContains(t, json.Unmarshal([]byte(text), &kept), "terminal49: reading a standing", text)
	}
	require.NoError(t, json.Unmarshal([]byte(`null`), &kept))
	require.Equal(t, "kept", kept.ContainerID)
	require.NoError(t, json.Unmarshal([]byte(`{"rules":1,"container_id":"c","since":{"kind":"new"},"new":1}`), &kept))
	require.Equal(t, terminal49.Standing{ContainerID: "c"}, kept, "an unknown member is ignored")
}
