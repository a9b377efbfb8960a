package terminal49_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The containers of the service's OpenAPI document, and the first two of its guide "Webhook Events
// Examples", whose availability is not known; left is whether a time or a status proves it. At the
// port, a released container with an inland move to come is rechecked: a guide of the service says
// that the pickup facility is the inland place of pickup.
func TestReadiness_SampleContainers(t *testing.T) {
	rows := []struct {
		number, attributes string
		state              terminal49.ReadinessState
		left               bool
	}{
		{"CAIU7432986", `"availability_known":true,"available_for_pickup":true,"current_status":"available"`, "ready", false},
		{"ARDU1824900", `"availability_known":true,"available_for_pickup":false,"current_status":"on_ship"`, "not_released", false},
		{"GLDU1355602", `"availability_known":true,"available_for_pickup":null,"current_status":"picked_up","final_destination_full_out_at":"2020-06-04T22:03:08Z"`, "unknown", true},
		{"TCLU6718159", `"availability_known":true,"available_for_pickup":false,"current_status":"picked_up","pod_full_out_at":"2024-06-26T16:15:00Z"`, "not_released", true},
		{"TCLU2224327", `"availability_known":true,"available_for_pickup":false,"current_status":"awaiting_inland_transfer"`, "not_released", false},
		{"CMAU0619052", `"availability_known":true,"available_for_pickup":false,"current_status":"not_available"`, "not_released", false},
		{"CSNU8439129", `"availability_known":true,"available_for_pickup":true,"current_status":"available"`, "ready", false},
		{"KOCU4959010", `"availability_known":true,"available_for_pickup":false,"current_status":"delivered","pod_full_out_at":"2022-02-11T22:18:00Z"`, "not_released", true},
		{"MRKU3700927", `"availability_known":false,"available_for_pickup":false,"pod_full_out_at":null`, "unknown", false},
		{"TGSU5023798", `"availability_known":false,"available_for_pickup":false,"pod_full_out_at":null`, "unknown", false},
	}
	var attributes []string
	for _, row := range rows {
		attributes = append(attributes, `"number":"`+row.number+`","holds_at_pod_terminal":[],`+row.attributes)
	}
	for i, container := range readContainers(t, inBraces(attributes)...) {
		readiness := terminal49.PickupReadiness(container)
		require.Equal(t, rows[i].state, readiness.State, rows[i].number)
		require.Equal(t, rows[i].left, hasLeft(terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{})), rows[i].number)
		require.Equal(t, rows[i].state != "ready", readiness.NeedsRecheck(), rows[i].number)
	}
}

func hasLeft(v terminal49.Verdict) bool {
	return v.Situation == terminal49.SituationOut || v.Situation == terminal49.SituationReturned
}

// pickupCase is what the service sends about a container: flags as JSON, or "" if they are missing.
type pickupCase struct {
	known, available, status    string
	holdsReported               bool
	active, pending, unreadable int  // holds by status
	gateOut, gone               bool // recorded times: left the port; left for good
}

type pickupRow struct {
	when  func(c pickupCase) bool
	state terminal49.ReadinessState
}

// pickupRule is the readiness rule of the service, first match first:
// docs/service-containers.md#readiness, with unknown for null, missing and "availability_known":
// false.
var pickupRule = []pickupRow{
	{func(c pickupCase) bool { return c.known == "false" }, "unknown"},
	{func(c pickupCase) bool { return c.available == "null" || c.available == "" }, "unknown"},
	{func(c pickupCase) bool { return c.available == "true" && c.active > 0 }, "out_of_sync"},
	{func(c pickupCase) bool { return c.available == "false" && c.active > 0 }, "blocked"},
	// A status is "hold" or "pending". Another one may be in force, so it is an unknown.
	{func(c pickupCase) bool { return c.unreadable > 0 }, "unknown"},
	{func(c pickupCase) bool { return c.available == "true" }, "ready"},
	{func(c pickupCase) bool { return c.available == "false" }, "not_released"},
}

func (c pickupCase) state() terminal49.ReadinessState {
	return pickupRule[slices.IndexFunc(pickupRule, func(row pickupRow) bool { return row.when(c) })].state
}

// left: picked_up is full out, delivered is marked by a user, empty_returned is empty in. No other
// status proves it, but a recorded time does. The gate-out at the port is not the end if the status
// says that a move inland follows: the four rail events of the service's webhook guide have it.
func (c pickupCase) left() bool {
	return c.gone || c.gateOut && !c.goesInland() && c.status != "off_dock" || slices.Contains([]string{"picked_up", "delivered", "empty_returned"}, c.status)
}

func (c pickupCase) goesInland() bool {
	return c.status == "awaiting_inland_transfer" || c.status == "on_rail"
}

// atPort: only the status can prove it here, and no recorded time may be later in the journey.
func (c pickupCase) atPort() bool {
	return c.status == "awaiting_inland_transfer" && !c.gateOut && !c.gone
}

// warnings follow from the rule: availability has a meaning only if it is known, a pending
// hold may mean outdated data, and these four statuses are those of a container that cannot be
// available.
func (c pickupCase) warnings() (all []terminal49.ReadinessWarning) {
	released := c.known != "false" && c.available == "true"
	for _, w := range []struct {
		on      bool
		warning terminal49.ReadinessWarning
	}{
		{c.state() == "ready" && c.pending > 0, "pending_holds"},
		{c.unreadable > 0, "unknown_hold_status"},
		{!c.holdsReported, "holds_not_reported"},
		{c.known == "false", "availability_not_reported"},
		{released && slices.Contains([]string{"on_ship", "on_rail", "new", "not_available"}, c.status), "status_disagrees"},
		{c.state() == "ready" && c.atPort(), "inland_move"},
		{c.status == "awaiting_inland_transfer" && c.gateOut && !c.gone, "place_unknown"}, // by truck or by train
		{c.status == "off_dock" && c.state() == "ready" && !c.gone, "place_unknown"},      // in a yard that is not reported
	} {
		if w.on {
			all = append(all, w.warning)
		}
	}
	return all
}

// recheck reports whether the data must be read again: if it contradicts itself, is unknown or may
// be outdated (docs/service-containers.md#readiness). Ready and blocked need it only if there is a
// doubt other than an unknown status of a hold.
func (c pickupCase) recheck() bool {
	if state := c.state(); state != "ready" && state != "blocked" {
		return true
	}
	return slices.ContainsFunc(c.warnings(), func(w terminal49.ReadinessWarning) bool { return w != "unknown_hold_status" })
}

// anyPickupCase returns a case and its attributes on the wire, in random order.
func anyPickupCase(random *rand.Rand) (c pickupCase, wire string) {
	pick := func(values ...string) string { return values[random.IntN(len(values))] }
	var members []string
	add := func(name, value string) {
		if value != "" {
			members = append(members, `"`+name+`":`+value)
		}
	}
	c.known, c.available = pick("true", "false", "null", ""), pick("true", "false", "null", "")
	c.status = pick("new", "loaded", "on_ship", "grounded", "available", "not_available", "awaiting_inland_transfer", "on_rail",
		"off_dock", "picked_up", "dropped", "delivered", "empty_returned", "Picked_up", "")
	add("availability_known", c.known)
	add("available_for_pickup", c.available)
	if c.status != "" {
		add("current_status", `"`+c.status+`"`)
	}
	holds := "null"
	if c.holdsReported = random.IntN(5) > 0; c.holdsReported {
		var list []string
		for range random.IntN(4) {
			status := pick("hold", "pending", "pending", "released", "")
			switch status {
			case "hold":
				c.active++
			case "pending":
				c.pending++
			default:
				c.unreadable++
			}
			name := pick("freight", "customs", "USDA", "VACIS", "TMF", "line", "other", "new one")
			list = append(list, `{"name":"`+name+`","status":"`+status+`","description":`+pick("null", `"RELEASED"`, `"HOLD"`)+`}`)
		}
		holds = "[" + strings.Join(list, ",") + "]"
	} else if random.IntN(2) == 0 {
		holds = ""
	}
	add("holds_at_pod_terminal", holds)
	for _, name := range []string{"pod_full_out_at", "final_destination_full_out_at", "empty_terminated_at", "delivered_at"} {
		value := pick("", "", "null", `"2026-03-02T16:00:00Z"`)
		if add(name, value); strings.HasPrefix(value, `"`) {
			c.gateOut, c.gone = c.gateOut || name == "pod_full_out_at", c.gone || name != "pod_full_out_at"
		}
	}
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return c, strings.Join(members, ",")
}

func TestReadiness_IsTheRuleOfTheService(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 1))
	cases := make([]pickupCase, testkit.Scale(2_000, 50_000))
	wire := make([]string, len(cases))
	for i := range cases {
		cases[i], wire[i] = anyPickupCase(random)
	}
	seen := map[terminal49.ReadinessState]int{}
	for from := 0; from < len(cases); from += 1000 {
		for i, container := range readContainers(t, inBraces(wire[from:from+1000])...) {
			c, sent := cases[from+i], wire[from+i]
			r := terminal49.PickupReadiness(container)
			seen[r.State]++
			require.Equal(t, c.state(), r.State, sent)
			require.Equal(t, c.state() == "ready", r.Ready(), sent)
			require.ElementsMatch(t, c.warnings(), r.Warnings, sent)
			require.Equal(t, c.recheck(), r.NeedsRecheck(), sent)
			require.Equal(t, []int{c.active, c.pending, c.unreadable},
				[]int{len(r.ActiveHolds), len(r.PendingHolds), len(r.UnknownHolds)}, sent)
			verdict := terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{})
			require.Equal(t, c.left(), hasLeft(verdict), sent)
			require.Equal(t, c.left(), verdict.Urgency == terminal49.UrgencyNone, sent)
			requireShown(t, r)
		}
	}
	for _, row := range pickupRule {
		require.Greater(t, seen[row.state], len(cases)/50, row.state)
	}
}

// A container is ready if it is available without a hold in force. A pending hold, null, and
// availability_known false are doubts (docs/service-containers.md#readiness). terminal_checked_at
// is the last check of the terminal.
func TestReadiness_CanPickUp(t *testing.T) {
	const ready = `"availability_known":true,"available_for_pickup":true,"holds_at_pod_terminal":[]`
	const checked = `,"terminal_checked_at":"2026-03-09T06:00:00Z"`
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name, attributes string
		want             bool
	}{
		{"ready, at the limit", ready + checked, true},
		{"older than the limit", ready + `,"terminal_checked_at":"2026-03-09T05:59:59Z"`, false},
		{"checked 20 days ago", ready + `,"terminal_checked_at":"2026-02-17T12:00:00Z"`, false},
		{"a clock that is fast", ready + `,"terminal_checked_at":"2026-03-09T12:01:00Z"`, true},
		{"far in the future", ready + `,"terminal_checked_at":"2026-03-29T12:00:00Z"`, false},
		{"never checked", ready + `,"terminal_checked_at":null`, false},
		{"age not reported", ready, false},
		{"left by time", ready + checked + `,"pod_full_out_at":"2026-03-09T07:00:00Z"`, false},
		{"left by status", ready + checked + `,"current_status":"picked_up"`, false},
		{"a status that disagrees", ready + checked + `,"current_status":"on_rail"`, false},
		{"a pending hold", `"available_for_pickup":true,"holds_at_pod_terminal":[{"name":"USDA","status":"pending"}]` + checked, false},
		{"a hold", `"available_for_pickup":true,"holds_at_pod_terminal":[{"name":"customs","status":"hold"}]` + checked, false},
		{"a hold of another status", `"available_for_pickup":true,"holds_at_pod_terminal":[{"name":"customs","status":"new"}]` + checked, false},
		{"holds not reported", `"available_for_pickup":true` + checked, false},
		{"not released", `"available_for_pickup":false,"holds_at_pod_terminal":[]` + checked, false},
		{"availability not known", `"availability_known":false,"available_for_pickup":true,"holds_at_pod_terminal":[]` + checked, false},
	} {
		c := readContainers(t, "{"+row.attributes+"}")[0]
		c.AsOf = now // it was read just now, which makes no check of the terminal newer
		r := terminal49.PickupReadiness(c)
		assert.Equal(t, row.want, r.CanPickUp(now, 6*time.Hour), row.name)
		assert.False(t, r.CanPickUp(now, -time.Hour), row.name)
	}
	assert.False(t, terminal49.Readiness{TerminalCheckedAt: placed(t, "2026-03-09T11:00:00Z", "")}.CanPickUp(now, time.Hour))
	assert.False(t, terminal49.PickupReadiness(nil).CanPickUp(now, time.Hour))
}

// requireShown requires that JSON and logs show what the methods of a readiness return.
func requireShown(t *testing.T, r terminal49.Readiness) {
	t.Helper()
	var shown struct {
		State          terminal49.ReadinessState
		Ready, Recheck bool
		Warnings       []terminal49.ReadinessWarning
		ActiveHolds    []terminal49.Hold `json:"active_holds"`
	}
	data, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &shown))
	require.Equal(t, []any{r.State, r.Ready(), r.NeedsRecheck()}, []any{shown.State, shown.Ready, shown.Recheck})
	require.ElementsMatch(t, r.Warnings, shown.Warnings)
	require.ElementsMatch(t, r.ActiveHolds, shown.ActiveHolds)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("", "readiness", r)
	var record struct{ Readiness json.RawMessage }
	require.NoError(t, json.Unmarshal(log.Bytes(), &record))
	require.JSONEq(t, string(data), string(record.Readiness))
}

func inBraces(lists []string) []string {
	objects := make([]string, len(lists))
	for i, list := range lists {
		objects[i] = "{" + list + "}"
	}
	return objects
}

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
