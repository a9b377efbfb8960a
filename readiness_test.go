package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
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
	for _, status := range append(slices.Clone(containerStatuses), "", "PICKED_UP", "gated_out") {
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
	for _, status := range append(slices.Clone(containerStatuses), "", "ON_SHIP") {
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
