package terminal49

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	freightHold   = Hold{Name: HoldFreight, Status: HoldActive}
	customsHold   = Hold{Name: HoldCustoms, Status: HoldActive, Description: "CBP EXAM"}
	pendingUSDA   = Hold{Name: HoldUSDA, Status: HoldPending}
	strangeStatus = Hold{Name: HoldTMF, Status: "released"}
)

func TestPickupReadiness_TruthTable(t *testing.T) {
	yes, no := Some(true), Some(false)
	for _, row := range []struct {
		name      string
		available Opt[bool]
		holds     []Hold
		state     ReadinessState
		recheck   bool
		warnings  []ReadinessWarning
		reason    string
	}{
		{"released, no holds", yes, []Hold{}, ReadinessReady, false, nil, "Ready for pickup."},
		{"released, only pending", yes, []Hold{pendingUSDA}, ReadinessReady, true, []ReadinessWarning{WarnPendingHolds},
			"Ready for pickup, but expected: a USDA hold (customs broker or USDA)."},
		{"released, held", yes, []Hold{freightHold}, ReadinessOutOfSync, true, nil,
			"Released, yet held by a freight hold (shipping line or forwarder), so part of the data is old."},
		{"released, held and pending", yes, []Hold{pendingUSDA, freightHold}, ReadinessOutOfSync, true, nil, ""},
		{"not released, no holds", no, []Hold{}, ReadinessNotReleased, true, nil, "Not released by the terminal yet."},
		{"not released, only pending", no, []Hold{pendingUSDA}, ReadinessNotReleased, true, nil,
			"Not released by the terminal yet, and expected: a USDA hold (customs broker or USDA)."},
		{"not released, held", no, []Hold{freightHold, customsHold}, ReadinessBlocked, false, nil,
			"Blocked by a freight hold (shipping line or forwarder) and a customs hold (customs broker)."},
		{"not released, held and pending", no, []Hold{freightHold, pendingUSDA}, ReadinessBlocked, false, nil, ""},
		{"null, no holds", Null[bool](), []Hold{}, ReadinessUnknown, true, nil, "Not known whether it is released."},
		{"missing, no holds", Opt[bool]{}, []Hold{}, ReadinessUnknown, true, nil, "Not known whether it is released."},
		{"null, only pending", Null[bool](), []Hold{pendingUSDA}, ReadinessUnknown, true, nil, ""},
		{"null, held", Null[bool](), []Hold{customsHold}, ReadinessUnknown, true, nil,
			"Not known whether it is released, and blocked by a customs hold (customs broker)."},
		{"released, unknown status", yes, []Hold{strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus},
			"Not known whether it is released, because the status of a TMF hold (terminal) is new to this program."},
		{"not released, unknown status", no, []Hold{strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}, ""},
		{"null, unknown status", Null[bool](), []Hold{strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}, ""},
		{"released, pending and unknown status", yes, []Hold{pendingUSDA, strangeStatus}, ReadinessUnknown, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}, ""},
		{"released, held and unknown status", yes, []Hold{strangeStatus, freightHold}, ReadinessOutOfSync, true,
			[]ReadinessWarning{WarnUnknownHoldStatus}, ""},
		{"not released, held and unknown status", no, []Hold{freightHold, strangeStatus}, ReadinessBlocked, false,
			[]ReadinessWarning{WarnUnknownHoldStatus}, ""},
		{"released, holds not reported", yes, nil, ReadinessReady, true, []ReadinessWarning{WarnHoldsNotReported},
			"Ready for pickup."},
		{"not released, holds not reported", no, nil, ReadinessNotReleased, true,
			[]ReadinessWarning{WarnHoldsNotReported}, ""},
		{"null, holds not reported", Null[bool](), nil, ReadinessUnknown, true,
			[]ReadinessWarning{WarnHoldsNotReported}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := PickupReadiness(&Container{AvailableForPickup: row.available, Holds: row.holds})
			assert.Equal(t, row.state, r.State)
			assert.Equal(t, row.state == ReadinessReady, r.Ready())
			assert.Equal(t, row.recheck, r.Recheck())
			assert.Equal(t, row.warnings, r.Warnings)
			assert.False(t, r.Left)
			if row.reason != "" {
				assert.Equal(t, row.reason, r.Reason())
			}
			assert.ElementsMatch(t, row.holds, append(append(r.ActiveHolds, r.PendingHolds...), r.UnknownHolds...),
				"every hold is named once")
			for _, h := range r.ActiveHolds {
				assert.Equal(t, HoldActive, h.Status)
			}
			for _, h := range r.PendingHolds {
				assert.Equal(t, HoldPending, h.Status)
			}
			assert.Equal(t, r, PickupSnapshot{AvailableForPickup: row.available, Holds: row.holds}.Readiness(),
				"the snapshot agrees")
		})
	}
}

func TestPickupReadiness_OfANilContainerIsUnknown(t *testing.T) {
	r := PickupReadiness(nil)
	assert.Equal(t, ReadinessUnknown, r.State)
	assert.True(t, r.Recheck())
}

func TestPickupReadiness_UncoveredAvailabilityIsOnlyAWarning(t *testing.T) {
	c := &Container{AvailabilityKnown: Some(false), AvailableForPickup: Some(true), Holds: []Hold{}}
	r := PickupReadiness(c)
	assert.True(t, r.Ready())
	assert.Equal(t, []ReadinessWarning{WarnAvailabilityNotReported}, r.Warnings)
	for _, known := range []Opt[bool]{Some(true), Null[bool](), {}} {
		c.AvailabilityKnown = known
		assert.Empty(t, PickupReadiness(c).Warnings)
	}
}

func TestPickupReadiness_LeftIsIndependentOfTheState(t *testing.T) {
	at := NewTime(time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC), "America/Chicago")
	for name, set := range map[string]func(*Container){
		"port":      func(c *Container) { c.PODFullOutAt = at },
		"ramp":      func(c *Container) { c.FinalDestinationFullOutAt = at },
		"empty":     func(c *Container) { c.EmptyTerminatedAt = at },
		"delivered": func(c *Container) { c.DeliveredAt = at },
	} {
		c := &Container{AvailableForPickup: Some(true), Holds: []Hold{}}
		set(c)
		r := PickupReadiness(c)
		assert.True(t, r.Left, name)
		assert.Equal(t, ReadinessReady, r.State, name)
		assert.Equal(t, "The container has already left; the terminal's data said: ready for pickup.", r.Reason())
	}
	assert.False(t, PickupReadiness(&Container{CurrentStatus: StatusPickedUp}).Left, "the status may be wrong")
}

func TestPickupReadiness_Age(t *testing.T) {
	checked := time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC)
	r := PickupReadiness(&Container{
		AvailableForPickup: Some(true), Holds: []Hold{}, TerminalCheckedAt: NewTime(checked, ""),
	})
	age, ok := r.TerminalCheckedAge(checked.Add(90 * time.Minute))
	require.True(t, ok)
	assert.Equal(t, 90*time.Minute, age)
	age, ok = r.TerminalCheckedAge(checked.Add(-time.Second))
	require.True(t, ok)
	assert.Zero(t, age, "a slow clock does not cause a negative age")

	assert.Empty(t, r.WarnIfOlder(checked.Add(time.Hour), time.Hour).Warnings, "exactly the limit is not older")
	old := r.WarnIfOlder(checked.Add(time.Hour+1), time.Hour)
	assert.Equal(t, []ReadinessWarning{WarnTerminalDataOld}, old.Warnings)
	assert.True(t, old.Ready(), "old data changes no row")
	assert.True(t, old.Recheck())
	assert.False(t, r.Recheck(), "the original is not changed")

	never := PickupReadiness(&Container{AvailableForPickup: Some(true), Holds: []Hold{}})
	_, ok = never.TerminalCheckedAge(checked)
	assert.False(t, ok)
	assert.Contains(t, never.WarnIfOlder(checked, 1000*time.Hour).Warnings, WarnTerminalDataOld)
}

func TestPickupReadiness_WarnIfOlderKeepsTheOriginal(t *testing.T) {
	r := PickupReadiness(&Container{AvailableForPickup: Some(true), AvailabilityKnown: Some(false),
		Holds: []Hold{pendingUSDA, strangeStatus}})
	r.Warnings = append(make([]ReadinessWarning, 0, 8), r.Warnings...) // capacity that could be overwritten
	one := r.WarnIfOlder(time.Time{}, 0)
	two := r.WarnIfOlder(time.Time{}, 0)
	two.Warnings[len(two.Warnings)-1] = "mine"
	assert.Equal(t, WarnTerminalDataOld, one.Warnings[len(one.Warnings)-1])
}

func TestPickupReadiness_HoldNames(t *testing.T) {
	for name, want := range map[HoldName]HoldClearer{
		HoldFreight: ClearedByLineOrForwarder, HoldCustoms: ClearedByBroker, HoldVACIS: ClearedByBroker,
		HoldUSDA: ClearedByBrokerOrUSDA, HoldTMF: ClearedByTerminal, HoldOther: ClearedBySeeDescription,
		"CUSTOMS": ClearedBySeeDescription, "": ClearedBySeeDescription,
	} {
		assert.Equal(t, want, name.ClearedBy(), name)
	}
	assert.Equal(t, "an other hold (see its description)", Hold{Name: HoldOther}.String())
	assert.Equal(t, "a hold without a name (see its description)", Hold{}.String())
}

func TestPickupReadiness_AllocatesNothingWhenReady(t *testing.T) {
	c := &Container{AvailabilityKnown: Some(true), AvailableForPickup: Some(true), Holds: []Hold{}}
	ready := true
	assert.Zero(t, testing.AllocsPerRun(100, func() { ready = ready && PickupReadiness(c).Ready() }))
	assert.True(t, ready)
}

func BenchmarkPickupReadiness(b *testing.B) {
	c := &Container{AvailabilityKnown: Some(true), AvailableForPickup: Some(true), Holds: []Hold{}}
	b.ReportAllocs()
	for b.Loop() {
		if !PickupReadiness(c).Ready() {
			b.Fatal("not ready")
		}
	}
}
