package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	freightHold   = Hold{Name: HoldFreight, Status: HoldStatusActive}
	customsHold   = Hold{Name: HoldCustoms, Status: HoldStatusActive, Description: "CBP EXAM"}
	pendingUSDA   = Hold{Name: HoldUSDA, Status: HoldStatusPending}
	strangeStatus = Hold{Name: HoldTMF, Status: "released"}
)

// The words of the states are those of the table of PickupReadiness, those of holds Hold.String's.
func TestReadiness_StringIsInWords(t *testing.T) {
	checked := NewTime(time.Date(2026, 11, 23, 19, 0, 0, 0, time.UTC), "")
	for want, r := range map[string]Readiness{
		"unknown": {},
		"ready, terminal checked 2026-11-23 19:00 UTC":                         {State: ReadinessReady, TerminalCheckedAt: checked},
		"blocked, held by a customs hold (customs broker)":                     {State: ReadinessBlocked, ActiveHolds: []Hold{customsHold}},
		"ready, " + pendingUSDA.String() + " expected, warning: pending holds": {State: ReadinessReady, PendingHolds: []Hold{pendingUSDA}, Warnings: []ReadinessWarning{WarnPendingHolds}},
		"unknown, status not known of " + strangeStatus.String():               {State: ReadinessUnknown, UnknownHolds: []Hold{strangeStatus}},
		"not released": {State: ReadinessNotReleased},
	} {
		assert.Equal(t, want, fmt.Sprint(r))
		assert.Equal(t, want, fmt.Sprintf("%v", &r))
	}
}

func TestPickupReadiness_TruthTable(t *testing.T) {
	yes, no := Some(true), Some(false)
	for _, row := range []struct {
		name      string
		available Opt[bool]
		holds     []Hold
		state     ReadinessState
		recheck   bool
		warnings  []ReadinessWarning
	}{
		{"released, no holds", yes, []Hold{}, ReadinessReady, false, nil},
		{"released, only pending", yes, []Hold{pendingUSDA}, ReadinessReady, true, []ReadinessWarning{WarnPendingHolds}},
		{"released, held", yes, []Hold{freightHold}, ReadinessOutOfSync, true, nil},
		{"released, held and pending", yes, []Hold{pendingUSDA, freightHold}, ReadinessOutOfSync, true, nil},
		{"not released, no holds", no, []Hold{}, ReadinessNotReleased, true, nil},
		{"not released, only pending", no, []Hold{pendingUSDA}, ReadinessNotReleased, true, nil},
		{"not released, held", no, []Hold{freightHold, customsHold}, ReadinessBlocked, false, nil},
		{"not released, held and pending", no, []Hold{freightHold, pendingUSDA}, ReadinessBlocked, false, nil},
		{"null, no holds", Null[bool](), []Hold{}, ReadinessUnknown, true, nil},
		{"missing, no holds", Opt[bool]{}, []Hold{}, ReadinessUnknown, true, nil},
		{"null, only pending", Null[bool](), []Hold{pendingUSDA}, ReadinessUnknown, true, nil},
		{"null, held", Null[bool](), []Hold{customsHold}, ReadinessUnknown, true, nil},
		{"released, unknown status", yes, []Hold{strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}},
		{"not released, unknown status", no, []Hold{strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}},
		{"null, unknown status", Null[bool](), []Hold{strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}},
		{"released, pending and unknown status", yes, []Hold{pendingUSDA, strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}},
		{"released, held and unknown status", yes, []Hold{strangeStatus, freightHold}, ReadinessOutOfSync, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}},
		{"not released, held and unknown status", no, []Hold{freightHold, strangeStatus}, ReadinessBlocked, false,
			[]ReadinessWarning{WarnUnknownHoldStatus}},
		{"released, holds not reported", yes, nil, ReadinessReady, true, []ReadinessWarning{WarnHoldsNotReported}},
		{"not released, holds not reported", no, nil, ReadinessNotReleased, true,
			[]ReadinessWarning{WarnHoldsNotReported}},
		{"null, holds not reported", Null[bool](), nil, ReadinessUnknown, true,
			[]ReadinessWarning{WarnHoldsNotReported}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := PickupReadiness(&Container{AvailableForPickup: row.available, Holds: row.holds})
			assert.Equal(t, row.state, r.State)
			assert.Equal(t, row.state == ReadinessReady, r.Ready())
			assert.Equal(t, row.recheck, r.NeedsRecheck())
			assert.Equal(t, row.warnings, r.Warnings)
			assert.ElementsMatch(t, row.holds, append(append(r.ActiveHolds, r.PendingHolds...), r.UnknownHolds...),
				"every hold is named once")
			for _, h := range r.ActiveHolds {
				assert.Equal(t, HoldStatusActive, h.Status)
			}
			for _, h := range r.PendingHolds {
				assert.Equal(t, HoldStatusPending, h.Status)
			}
		})
	}
}

func TestPickupReadiness_OfANilContainerIsUnknown(t *testing.T) {
	r := PickupReadiness(nil)
	assert.Equal(t, ReadinessUnknown, r.State)
	assert.True(t, r.NeedsRecheck())
}

// The OpenAPI document gives available_for_pickup a meaning only "if availability_known is true".
func TestPickupReadiness_UnreportedAvailabilityIsUnknown(t *testing.T) {
	for _, holds := range [][]Hold{{}, {pendingUSDA}, {customsHold}, {strangeStatus}} {
		for _, available := range []Opt[bool]{Some(true), Some(false), Null[bool](), {}} {
			c := &Container{AvailabilityKnown: Some(false), AvailableForPickup: available, Holds: holds,
				CurrentStatus: StatusOnShip}
			r := PickupReadiness(c)
			assert.Equal(t, ReadinessUnknown, r.State)
			assert.True(t, r.NeedsRecheck())
			assert.Contains(t, r.Warnings, WarnAvailabilityNotReported)
			assert.NotContains(t, r.Warnings, WarnStatusDisagrees, "nothing is reported that it could contradict")
		}
	}
	for _, known := range []Opt[bool]{Some(true), Null[bool](), {}} {
		r := PickupReadiness(&Container{AvailabilityKnown: known, AvailableForPickup: Some(true), Holds: []Hold{}})
		assert.Equal(t, ReadinessReady, r.State)
		assert.Empty(t, r.Warnings)
	}
}

// Availability is known only where the document gives it a meaning (docs/service.md, Readiness): 14
// of the 42 containers in its examples are false and false, which is "not known".
func TestContainer_AvailabilityIsKnownOnlyWhereItMeansSomething(t *testing.T) {
	yes, no := Some(true), Some(false)
	for _, row := range []struct {
		reported, released Opt[bool] // availability_known, available_for_pickup
		available, known   bool
	}{
		{no, no, false, false}, {no, yes, false, false}, {no, Null[bool](), false, false},
		{yes, Null[bool](), false, false}, {yes, Opt[bool]{}, false, false},
		{yes, no, false, true}, {yes, yes, true, true},
		{Null[bool](), no, false, true}, {Opt[bool]{}, yes, true, true}, // as in older samples
	} {
		available, known := (&Container{AvailabilityKnown: row.reported, AvailableForPickup: row.released}).Availability()
		assert.Equal(t, []bool{row.available, row.known}, []bool{available, known}, row)
	}
	available, known := (*Container)(nil).Availability()
	assert.False(t, available || known)
}

// What the terminal reported stays what it reported after the container has left.
func TestPickupReadiness_TheStateIsTheTerminals(t *testing.T) {
	at := NewTime(time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC), "America/Chicago")
	for name, set := range map[string]func(*Container){
		"port":      func(c *Container) { c.PODFullOutAt = at },
		"ramp":      func(c *Container) { c.FinalDestinationFullOutAt = at },
		"empty":     func(c *Container) { c.EmptyTerminatedAt = at },
		"delivered": func(c *Container) { c.DeliveredAt = at },
	} {
		c := &Container{AvailableForPickup: Some(true), Holds: []Hold{}, TerminalCheckedAt: at}
		require.True(t, PickupReadiness(c).CanPickUp(at.utc(), time.Hour), name)
		set(c)
		r := PickupReadiness(c)
		assert.Equal(t, ReadinessReady, r.State, name)
		assert.False(t, r.CanPickUp(at.utc(), time.Hour), name)
	}
}

// The meanings of the statuses: picked_up is full out, delivered is marked by a user, and
// empty_returned is empty in.
func TestAssess_AStatusProvesThatItLeft(t *testing.T) {
	proof := map[ContainerStatus]Situation{
		StatusPickedUp: SituationOut, StatusDelivered: SituationOut, StatusEmptyReturned: SituationReturned,
	}
	for _, status := range append(ValuesOf[ContainerStatus]("container.current_status"), "", "PICKED_UP", "gated_out") {
		day := NewTime(time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), "America/Los_Angeles")
		now := day.utc().Add(72 * time.Hour)
		c := &Container{AvailableForPickup: Some(true), Holds: []Hold{}, CurrentStatus: status,
			ImportDeadlines: ImportDeadlines{Terminal: day}, TerminalCheckedAt: day}
		v := Assess(c, now, VerdictOptions{})
		gone := proof[status] != ""
		assert.Equal(t, ReadinessReady, v.Readiness.State, status)
		assert.Equal(t, gone, v.Urgency == UrgencyNone, status)
		if gone {
			assert.Equal(t, proof[status], v.Situation)
			assert.Equal(t, "current_status is "+string(status), v.Proof[0].String())
		}
		c.DeliveredAt = day
		v = Assess(c, now, VerdictOptions{})
		assert.True(t, v.Situation == SituationOut || v.Situation == SituationReturned, "a time proves it whatever the status")
	}
}

// The meanings of the statuses: before landing (new, on_ship), on a train, and landed but "held or
// unreleased".
func TestPickupReadiness_AStatusCanDisagree(t *testing.T) {
	disagrees := map[ContainerStatus]bool{StatusNew: true, StatusOnShip: true, StatusOnRail: true, StatusNotAvailable: true}
	for _, status := range append(ValuesOf[ContainerStatus]("container.current_status"), "", "ON_SHIP") {
		r := PickupReadiness(&Container{AvailableForPickup: Some(true), Holds: []Hold{}, CurrentStatus: status})
		assert.Equal(t, ReadinessReady, r.State, "the state is by the rule of the service")
		assert.Equal(t, disagrees[status], slices.Contains(r.Warnings, WarnStatusDisagrees), status)
		assert.Equal(t, disagrees[status] || status == StatusAwaitingInlandTransfer || status == StatusOffDock, r.NeedsRecheck(), status)
		r = PickupReadiness(&Container{AvailableForPickup: Some(true), Holds: []Hold{freightHold}, CurrentStatus: status})
		assert.Equal(t, ReadinessOutOfSync, r.State)
		assert.Equal(t, disagrees[status], slices.Contains(r.Warnings, WarnStatusDisagrees), status)
		for _, available := range []Opt[bool]{Some(false), Null[bool](), {}} {
			r = PickupReadiness(&Container{AvailableForPickup: available, Holds: []Hold{}, CurrentStatus: status})
			assert.Empty(t, r.Warnings, status)
		}
	}
}

func TestReadiness_JSONShowsWhatItsMethodsReturn(t *testing.T) {
	checked := NewTime(time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC), "")
	r := PickupReadiness(&Container{AvailableForPickup: Some(true), Holds: []Hold{pendingUSDA}, TerminalCheckedAt: checked,
		DeliveredAt: checked, CurrentStatus: StatusOnShip})
	data, err := json.Marshal(r)
	require.NoError(t, err)
	assert.JSONEq(t, `{"state":"ready","ready":true,"recheck":true,"warnings":["pending_holds","status_disagrees"],"active_holds":[],
		"pending_holds":[{"name":"USDA","status":"pending"}],"unknown_holds":[],"terminal_checked_at":"2026-03-08T09:00:00Z"}`,
		string(data))
	data, err = json.Marshal(PickupReadiness(nil))
	require.NoError(t, err)
	assert.JSONEq(t, `{"state":"unknown","ready":false,"recheck":true,"warnings":["holds_not_reported"],"active_holds":[],"pending_holds":[],"unknown_holds":[],"terminal_checked_at":null}`,
		string(data))
	requireLoggedAsJSON(t, r)
	assert.Contains(t, loggedText(r), `value.state=ready value.ready=true value.recheck=true`)
	for _, text := range []string{string(data), `{}`} {
		requireNotReadBack(t, json.Unmarshal([]byte(text), &r), "Readiness", "store the container")
	}
}

// requireLoggedAsJSON requires that a structured log shows the JSON form of a value.
func requireLoggedAsJSON(t *testing.T, value any) {
	t.Helper()
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("", "value", value)
	var record struct{ Value json.RawMessage }
	require.NoError(t, json.Unmarshal(log.Bytes(), &record))
	want, err := json.Marshal(value)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(record.Value))
}

func loggedText(value any) string {
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("", "value", value)
	return log.String()
}

// requireNotReadBack requires the error for a result that is computed.
func requireNotReadBack(t *testing.T, err error, words ...string) {
	t.Helper()
	var argument *ArgumentError
	require.ErrorAs(t, err, &argument)
	for _, word := range append(words, "is computed") {
		require.ErrorContains(t, err, word)
	}
}

func TestPickupReadiness_Age(t *testing.T) {
	checked := time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC)
	r := PickupReadiness(&Container{
		AvailableForPickup: Some(true), Holds: []Hold{}, TerminalCheckedAt: NewTime(checked, ""),
	})
	age, ok := checkedAge(r.TerminalCheckedAt, checked.Add(90*time.Minute))
	require.True(t, ok)
	assert.Equal(t, 90*time.Minute, age)
	age, ok = checkedAge(r.TerminalCheckedAt, checked.Add(-time.Second))
	require.True(t, ok)
	assert.Zero(t, age, "a slow clock does not cause a negative age")

	assert.True(t, r.CanPickUp(checked.Add(time.Hour), time.Hour), "exactly the limit is not older")
	assert.False(t, r.CanPickUp(checked.Add(time.Hour+1), time.Hour))

	never := PickupReadiness(&Container{AvailableForPickup: Some(true), Holds: []Hold{}})
	_, ok = checkedAge(never.TerminalCheckedAt, checked)
	assert.False(t, ok)
	assert.False(t, never.CanPickUp(checked, 1000*time.Hour))
}

func TestPickupReadiness_HoldNames(t *testing.T) {
	for name, want := range map[HoldName]HoldClearer{
		HoldFreight: ClearedByLineOrForwarder, HoldCustoms: ClearedByBroker, HoldVACIS: ClearedByBroker,
		HoldUSDA: ClearedByBrokerOrUSDA, HoldTMF: ClearedByTerminal, HoldOther: ClearedBySeeDescription,
		"line":    ClearedByLine, // "carrier release pending, not a freight hold"
		"CUSTOMS": ClearedBySeeDescription, "": ClearedBySeeDescription,
	} {
		assert.Equal(t, want, name.ClearedBy(), name)
	}
	assert.Equal(t, "an other hold (see its description)", Hold{Name: HoldOther}.String())
	assert.Equal(t, "a line hold (shipping line)", Hold{Name: HoldLine}.String())
	assert.True(t, HoldLine.Known())
	assert.Equal(t, "a hold without a name (see its description)", Hold{}.String())
}

func TestPickupReadiness_AllocatesNothingWhenReady(t *testing.T) {
	c := &Container{AvailabilityKnown: Some(true), AvailableForPickup: Some(true), Holds: []Hold{}}
	ready := true
	assert.Zero(t, testing.AllocsPerRun(100, func() { ready = ready && PickupReadiness(c).Ready() }))
	assert.True(t, ready)
}

// The containers of the service's OpenAPI document, and the first two of its guide "Webhook Events
// Examples", whose availability is not known; left is whether a time or a status proves it. At the
// port, a released container with an inland move to come is rechecked: a guide of the service says
// that the pickup facility is the inland place of pickup.
func TestReadiness_SampleContainers(t *testing.T) {
	rows := []struct {
		number, attributes string
		state              ReadinessState
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
	for i, container := range ReadContainers(t, inBraces(attributes)...) {
		readiness := PickupReadiness(container)
		require.Equal(t, rows[i].state, readiness.State, rows[i].number)
		require.Equal(t, rows[i].left, Assess(container, time.Now(), VerdictOptions{}).Situation.HasLeft(), rows[i].number)
		require.Equal(t, rows[i].state != "ready", readiness.NeedsRecheck(), rows[i].number)
	}
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
	state ReadinessState
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

func (c pickupCase) state() ReadinessState {
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
func (c pickupCase) warnings() (all []ReadinessWarning) {
	released := c.known != "false" && c.available == "true"
	for _, w := range []struct {
		on      bool
		warning ReadinessWarning
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
	return slices.ContainsFunc(c.warnings(), func(w ReadinessWarning) bool { return w != "unknown_hold_status" })
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
	cases := make([]pickupCase, scale(2_000, 50_000))
	wire := make([]string, len(cases))
	for i := range cases {
		cases[i], wire[i] = anyPickupCase(random)
	}
	seen := map[ReadinessState]int{}
	for from := 0; from < len(cases); from += 1000 {
		for i, container := range ReadContainers(t, inBraces(wire[from:from+1000])...) {
			c, sent := cases[from+i], wire[from+i]
			r := PickupReadiness(container)
			seen[r.State]++
			require.Equal(t, c.state(), r.State, sent)
			require.Equal(t, c.state() == "ready", r.Ready(), sent)
			require.ElementsMatch(t, c.warnings(), r.Warnings, sent)
			require.Equal(t, c.recheck(), r.NeedsRecheck(), sent)
			require.Equal(t, []int{c.active, c.pending, c.unreadable},
				[]int{len(r.ActiveHolds), len(r.PendingHolds), len(r.UnknownHolds)}, sent)
			verdict := Assess(container, time.Now(), VerdictOptions{})
			require.Equal(t, c.left(), verdict.Situation.HasLeft(), sent)
			require.Equal(t, c.left(), verdict.Urgency == UrgencyNone, sent)
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
		c := ReadContainers(t, "{"+row.attributes+"}")[0]
		c.AsOf = now // it was read just now, which makes no check of the terminal newer
		r := PickupReadiness(c)
		assert.Equal(t, row.want, r.CanPickUp(now, 6*time.Hour), row.name)
		assert.False(t, r.CanPickUp(now, -time.Hour), row.name)
	}
	assert.False(t, Readiness{TerminalCheckedAt: NewWallTime(clock(t, "2026-03-09T11:00:00Z"))}.CanPickUp(now, time.Hour))
	assert.False(t, PickupReadiness(nil).CanPickUp(now, time.Hour))
}

// requireShown requires that JSON and logs show what the methods of a readiness return.
func requireShown(t *testing.T, r Readiness) {
	t.Helper()
	var shown struct {
		State          ReadinessState
		Ready, Recheck bool
		Warnings       []ReadinessWarning
		ActiveHolds    []Hold `json:"active_holds"`
	}
	data, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &shown))
	require.Equal(t, []any{r.State, r.Ready(), r.NeedsRecheck()}, []any{shown.State, shown.Ready, shown.Recheck})
	require.ElementsMatch(t, r.Warnings, shown.Warnings)
	require.ElementsMatch(t, r.ActiveHolds, shown.ActiveHolds)
	requireLoggedAsJSON(t, r)
}

func inBraces(lists []string) []string {
	objects := make([]string, len(lists))
	for i, list := range lists {
		objects[i] = "{" + list + "}"
	}
	return objects
}
