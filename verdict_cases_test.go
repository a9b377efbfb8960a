package terminal49_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
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

func TestAssess_WantedVerdicts(t *testing.T) {
	cases := verdicttest.Cases()
	require.Greater(t, len(cases), 60)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			client := testkit.NewClient(t, testkit.Answer(http.StatusOK, string(c.Document)))
			container, err := client.Containers.Get(t.Context(), verdicttest.ContainerID, nil)
			require.NoError(t, err)
			require.Equal(t, terminal49.Assess(container, c.Now, terminal49.VerdictOptions{}).String(),
				terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{}).String(), "read from JSON")
			v := terminal49.Assess(container, c.Now, terminal49.VerdictOptions{})
			want := c.Want
			assert.Equal(t, want.Situation, v.Situation)
			assert.Equal(t, want.Place, v.Place.String(), "place")
			assert.Equal(t, want.BoundFor, v.BoundFor.String(), "bound for")
			assert.Equal(t, want.CanPickUp, v.Readiness.CanPickUp(c.Now, 24*time.Hour), "can pick up")
			assert.Equal(t, v.Readiness, terminal49.PickupReadiness(container), "the readiness is that of PickupReadiness")
			if want.Urgency != "" {
				assert.Equal(t, want.Urgency, v.Urgency, "urgency: %s", v.UrgencyReason)
			}
			if want.DaysLeft != nil {
				assert.Equal(t, terminal49.Some(*want.DaysLeft), v.DaysLeft)
			}
			if want.Contradicts != nil {
				var names []string
				for _, f := range v.Against {
					names = append(names, f.Name)
				}
				assert.Equal(t, want.Contradicts, names)
			}
			if want.Sentence != "" {
				assert.Equal(t, want.Sentence, v.String())
			}
			assert.Equal(t, want.Action, actionOf(v.String()), "what to do: %s", v)
			requireConsistent(t, v, c.Now)
		})
	}
}

// actionOf returns what a sentence asks its reader to do first.
func actionOf(sentence string) string {
	for _, action := range []struct{ words, name string }{
		{"Nothing left", "none"}, {"Pay, then", "pay"}, {", pay, then", "pay"}, {"Pay, ask", "pay"}, {"end a truck to ", "send"}, {"then send a truck", "send"},
		{"send a truck today", "send"}, {" cleared", "clear"}, {"Ask ", "check"}, {"Wait", "wait"},
	} {
		if strings.Contains(sentence, action.words) {
			return action.name
		}
	}
	return ""
}

// A response that only links the ports, as every include of a command does, names the same places
// by their ids. So the answer is the same, except that a UN/LOCODE may be unknown.
func TestAssess_AnswersTheSameIfPortsAreOnlyLinked(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		var document map[string]any
		require.NoError(t, json.Unmarshal(c.Document, &document))
		included, _ := document["included"].([]any)
		document["included"] = slices.DeleteFunc(included, func(resource any) bool {
			return slices.Contains([]any{"port", "metro_area"}, resource.(map[string]any)["type"])
		})
		data, err := json.Marshal(document)
		require.NoError(t, err)
		var linked terminal49.Container
		require.NoError(t, json.Unmarshal(data, &linked))
		requireSameAnswer(t, c.Container(), &linked, c.Now, c.Name)
	}
	r := rand.New(rand.NewPCG(47, 3))
	for range testkit.Scale(2_000, 10_000) {
		c, now := randomContainer(r)
		for _, terminal := range []*terminal49.ToOne[*terminal49.Terminal]{&c.PODTerminal, &c.PickupFacility} {
			move(r, terminal)
		}
		s, _ := c.Shipment.Value()
		s.PortOfDischarge = terminal49.Linked[*terminal49.Port]("port", portLA)
		s.Destination = terminal49.Linked[terminal49.Place]("port", s.DestinationLOCODE)
		if r.IntN(2) == 0 {
			s.PODTerminal = c.PODTerminal
		}
		s.PODATA = randomReportedTime(r, now)
		linked := *c
		linked.PODTerminal, linked.PickupFacility = onlyLinked(c.PODTerminal), onlyLinked(c.PickupFacility)
		requireSameAnswer(t, c, &linked, now, "random")
	}
}

// move moves a terminal to another port now and then.
func move(r *rand.Rand, terminal *terminal49.ToOne[*terminal49.Terminal]) {
	if r.IntN(3) == 0 {
		*terminal = terminalIn("t"+strconv.Itoa(r.IntN(3)), []string{portLA, "USNYC", ramp, "USLGB"}[r.IntN(4)])
	}
}

// onlyLinked returns a terminal with its port linked instead of included.
func onlyLinked(terminal terminal49.ToOne[*terminal49.Terminal]) terminal49.ToOne[*terminal49.Terminal] {
	included, ok := terminal.Value()
	if !ok {
		return terminal
	}
	linked := *included
	linked.Port = terminal49.Linked[*terminal49.Port]("port", included.Port.ID())
	return terminal49.Included(terminal.ID(), &linked)
}

func requireSameAnswer(t *testing.T, included, linked *terminal49.Container, now time.Time, name string) {
	t.Helper()
	want, got := terminal49.Assess(included, now, terminal49.VerdictOptions{}), terminal49.Assess(linked, now, terminal49.VerdictOptions{})
	for _, places := range [][2]*terminal49.VerdictPlace{{&want.Place, &got.Place}, {&want.BoundFor, &got.BoundFor}} {
		require.Equal(t, places[0].TerminalID, places[1].TerminalID, name)
		require.Contains(t, []string{"", places[0].LOCODE}, places[1].LOCODE, name)
	}
	answer := func(v terminal49.Verdict) []any {
		return []any{v.Situation, v.Readiness.CanPickUp(now, 24*time.Hour), v.Readiness.Warnings, v.Urgency, v.UrgencyReason, v.DaysLeft, v.Since, v.ETA}
	}
	require.Equal(t, answer(want), answer(got), "%s\n%s\n%s", name, want, got)
}

// requireConsistent requires what holds for every verdict.
func requireConsistent(t testing.TB, v terminal49.Verdict, now time.Time) {
	t.Helper()
	ready := v.Situation == terminal49.SituationReady || v.Situation == terminal49.SituationPayFirst
	require.Equal(t, ready, v.Readiness.CanPickUp(now, 24*time.Hour), "a truck is sent only to what can be picked up: %s", v)
	require.NotContains(t, v.String(), "  ")
	require.False(t, strings.Contains(v.String(), "%!"), v.String())
	data, err := json.Marshal(v)
	require.NoError(t, err)
	var shown struct{ Situation, Sentence string }
	require.NoError(t, json.Unmarshal(data, &shown))
	require.Equal(t, []string{string(v.Situation), v.String()}, []string{shown.Situation, shown.Sentence})
}

// step is something that happens in a container's life: the stage that it reaches, where, and the
// attribute that the service has for it, if any.
type step struct {
	event terminal49.EventName
	stage int // 1 origin, 2 sea, 3 port, 4 on its way inland, 5 inland destination, 6 out, 7 returned
	place string
	set   func(c *terminal49.Container, at terminal49.Time)
}

const (
	origin, busan, portLA, hub, ramp = "CNSHA", "KRPUS", "USLAX", "USKCK", "USCHI"
	portTerm, rampTerm               = "port-terminal", "ramp-terminal"
)

var zoneAt = map[string]string{origin: "Asia/Shanghai", busan: "Asia/Seoul", portLA: losAngeles, hub: chicago, ramp: chicago}

type attribute = func(*terminal49.Container, terminal49.Time)

// journeySteps returns the steps of a life in their order, by the service's documents: its list of
// transport events, and the order of a rail move.
func journeySteps(r *rand.Rand, inland bool) []step {
	at := func(event string, stage int, place string, set attribute) step {
		return step{terminal49.EventName("container.transport." + event), stage, place, set}
	}
	type C = *terminal49.Container
	type T = terminal49.Time
	steps := []step{
		at("empty_out", 1, origin, func(c C, t T) { c.EmptyOutAt = t }),
		at("full_in", 1, origin, func(c C, t T) { c.POLFullInAt = t }),
		at("vessel_loaded", 2, origin, func(c C, t T) { c.POLVesselLoadedAt = t }),
		at("vessel_departed", 2, origin, func(c C, t T) { c.POLVesselDepartedAt = t }),
	}
	if r.IntN(2) == 0 {
		for _, event := range []string{"arrived", "discharged", "loaded", "departed"} {
			steps = append(steps, at("transshipment_"+event, 2, busan, nil))
		}
	}
	steps = append(steps,
		at("vessel_arrived", 3, portLA, func(c C, t T) { c.PODArrivedAt = t }),
		at("vessel_discharged", 3, portLA, func(c C, t T) { c.PODDischargedAt = t }))
	gateOut := at("full_out", 4, portLA, func(c C, t T) { c.PODFullOutAt = t })
	final := at("full_out", 6, ramp, func(c C, t T) { c.FinalDestinationFullOutAt = t })
	if !inland {
		gateOut.stage = 6
		steps = append(steps, gateOut)
	} else {
		loaded := at("rail_loaded", 4, portLA, func(c C, t T) { c.PODRailLoadedAt = t })
		switch r.IntN(3) { // the gate-out of a move to the railroad's ramp comes before or after, or not at all
		case 0:
			steps = append(steps, gateOut, loaded)
		case 1:
			steps = append(steps, loaded, gateOut)
		default:
			steps = append(steps, loaded)
		}
		steps = append(steps, at("rail_departed", 4, portLA, func(c C, t T) { c.PODRailDepartedAt = t }))
		if r.IntN(2) == 0 {
			steps = append(steps, at("rail_arrived", 4, hub, nil), at("rail_departed", 4, hub, nil))
		}
		steps = append(steps,
			at("rail_arrived", 5, ramp, nil),
			at("arrived_at_inland_destination", 5, ramp, func(c C, t T) { c.INDATA = t }),
			at("rail_unloaded", 5, ramp, func(c C, t T) { c.INDRailUnloadedAt = t }),
			final)
	}
	if r.IntN(3) == 0 {
		steps = append(steps, at("delivered", 6, "", func(c C, t T) { c.DeliveredAt = t }))
	}
	return append(steps, at("empty_in", 7, portLA, func(c C, t T) { c.EmptyTerminatedAt = t }))
}

// life is a container of which all that happened up to a step is recorded, as an event, as an
// attribute or as both.
type life struct {
	steps     []step
	times     []time.Time
	inland    bool
	events    []*terminal49.TransportEvent
	container terminal49.Container
}

func newLife(r *rand.Rand) *life {
	l := &life{inland: r.IntN(2) == 0}
	l.steps = journeySteps(r, l.inland)
	at := time.Date(2026, 1, 1+r.IntN(300), r.IntN(24), 0, 0, 0, time.UTC)
	for range l.steps {
		l.times = append(l.times, at)
		at = at.Add(time.Hour + time.Duration(r.IntN(10*24))*time.Hour)
	}
	shipment := &terminal49.Shipment{
		PortOfLadingLOCODE: origin, PortOfDischargeLOCODE: portLA, POLTimezone: zoneAt[origin], PODTimezone: zoneAt[portLA],
		DestinationLOCODE: portLA,
	}
	c := &l.container
	c.ID, c.PODTimezone, c.PODTerminal = "c", zoneAt[portLA], terminalIn(portTerm, portLA)
	if l.inland {
		shipment.DestinationLOCODE, shipment.DestinationTimezone = ramp, zoneAt[ramp]
		c.FinalDestinationTimezone = zoneAt[ramp]
		if r.IntN(2) == 0 {
			c.PickupFacility = terminalIn(rampTerm, ramp)
		}
	}
	c.Shipment = terminal49.Included("s", shipment)
	return l
}

func terminalIn(id, locode string) terminal49.ToOne[*terminal49.Terminal] {
	port := terminal49.Included(locode, &terminal49.Port{LOCODE: locode, TimeZone: zoneAt[locode]})
	return terminal49.Included(id, &terminal49.Terminal{Name: id, Port: port})
}

// record records step i.
func (l *life) record(r *rand.Rand, i int) {
	s := l.steps[i]
	at := terminal49.NewTime(l.times[i], zoneAt[s.place])
	if way := r.IntN(3); way > 0 || s.set == nil {
		e := &terminal49.TransportEvent{Event: s.event, Timestamp: at, Timezone: zoneAt[s.place], LocationLOCODE: s.place}
		e.ID = string(rune('a' + i))
		l.events = append(l.events, e)
		if way < 2 {
			return
		}
	}
	if s.set != nil {
		s.set(&l.container, at)
	}
}

// report sets what the terminal last reported, and a status of any time up to now.
func (l *life) report(r *rand.Rand, i int) (now time.Time) {
	now = l.times[i].Add(time.Duration(1+r.IntN(48)) * time.Hour)
	c := &l.container
	c.AvailableForPickup, c.Holds = terminal49.Some(r.IntN(3) > 0), []terminal49.Hold{}
	c.TerminalCheckedAt = terminal49.NewTime(now.Add(-time.Duration(r.IntN(30))*time.Hour), "")
	c.CurrentStatus = pastStatuses[r.IntN(len(pastStatuses[:l.steps[i].stage*2]))]
	return now
}

// pastStatuses are the statuses that a container may still have, two for each stage.
var pastStatuses = []terminal49.ContainerStatus{
	"", "new", "new", "on_ship", "available", "grounded", "awaiting_inland_transfer", "on_rail", "available", "not_available",
	"picked_up", "available", "empty_returned", "picked_up",
}

func (l *life) assess(now time.Time, without ...string) terminal49.Verdict {
	c := l.container
	c.TransportEvents = terminal49.IncludedAll(slices.DeleteFunc(slices.Clone(l.events), func(e *terminal49.TransportEvent) bool {
		return slices.Contains(without, e.ID)
	})...)
	return terminal49.Assess(&c, now, terminal49.VerdictOptions{})
}

// stageIn returns the stage that a verdict claims, or 0 if it claims none.
func stageIn(v terminal49.Verdict) int {
	switch v.Situation {
	case terminal49.SituationBeforeVoyage:
		return 1
	case terminal49.SituationAtSea:
		return 2
	case terminal49.SituationOnRail:
		return 4
	case terminal49.SituationOut:
		return 6
	case terminal49.SituationReturned:
		return 7
	}
	return map[string]int{portLA: 3, ramp: 5}[v.Place.LOCODE]
}

// The properties follow from the sense of a recorded fact. Each life is checked before and after
// a random step of it. LIVES sets how many lives there are.
func TestVerdict_OfRandomLives(t *testing.T) {
	lives, pickups := testkit.Scale(2_000, 40_000), 0
	if asked, err := strconv.Atoi(os.Getenv("LIVES")); err == nil {
		lives = asked
	}
	r := rand.New(rand.NewPCG(26, uint64(lives)))
	for range lives {
		l := newLife(r)
		last := r.IntN(len(l.steps))
		for i := range last {
			l.record(r, i)
		}
		before := 0
		if last > 0 {
			before = stageIn(l.assess(l.report(r, last-1)))
		}
		l.record(r, last)
		now := l.report(r, last)
		v := l.assess(now)
		requireTrue(t, l, v, before, last)
		requireWithdrawn(t, l, now)
		if v.Readiness.CanPickUp(now, 24*time.Hour) {
			pickups++
			at := map[int]string{3: portLA, 5: ramp}[l.steps[last].stage]
			require.Equal(t, at, v.Place.LOCODE, "a truck is sent to where it is not: %s", v)
			require.False(t, l.inland && at == portLA, "it is not picked up at the port: %s", v)
		}
	}
	require.Greater(t, pickups, lives/50)
	t.Logf("figure: %d random lives, %d pickups: never back, no invented place, no trace of a withdrawn fact, no wasted truck", lives, pickups)
}

// requireTrue requires that a verdict goes neither behind the one before nor beyond what happened,
// and that it names only places of the life.
func requireTrue(t *testing.T, l *life, v terminal49.Verdict, before, last int) {
	t.Helper()
	at := moment{l, v, last}
	if stage := stageIn(v); stage != 0 {
		require.GreaterOrEqual(t, stage, before, "a later fact moved it back: %s", at)
		require.LessOrEqual(t, stage, max(l.steps[last].stage, statusStage(l.container.CurrentStatus)), "it is not that far: %s", at)
	}
	require.Subset(t, []string{"", portLA, ramp}, []string{v.Place.LOCODE, v.BoundFor.LOCODE}, "%s", at)
	if l.container.PickupFacility.ID() == "" {
		require.NotEqual(t, rampTerm, v.Place.TerminalID+v.BoundFor.TerminalID, "no fact names it: %s", at)
	}
}

// moment describes a life at a step, for a test that fails.
type moment struct {
	life    *life
	verdict terminal49.Verdict
	last    int
}

func (m moment) String() string {
	data, _ := json.Marshal(m.verdict)
	return string(m.life.steps[m.last].event) + " " + string(m.life.container.CurrentStatus) + " " + string(data)
}

func statusStage(s terminal49.ContainerStatus) int {
	return map[terminal49.ContainerStatus]int{"picked_up": 6, "empty_returned": 7, "on_rail": 4, "on_ship": 2, "available": 3,
		"grounded": 3, "not_available": 3, "awaiting_inland_transfer": 3}[s]
}

// requireWithdrawn requires that the last event, withdrawn, leaves the verdict as if it had never
// been there.
func requireWithdrawn(t *testing.T, l *life, now time.Time) {
	t.Helper()
	if len(l.events) == 0 {
		return
	}
	last := l.events[len(l.events)-1]
	want := l.assess(now, last.ID)
	withdrawn := *last
	withdrawn.InvalidatedAt = terminal49.NewTime(now, "")
	l.events[len(l.events)-1] = &withdrawn
	got := l.assess(now)
	l.events[len(l.events)-1] = last
	require.Equal(t, want, got)
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
