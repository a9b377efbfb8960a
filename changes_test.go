package terminal49

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDiffContainers_Holds(t *testing.T) {
	hold := func(name HoldName, status HoldStatus, description string) Hold {
		return Hold{Name: name, Status: status, Description: description}
	}
	customs, pending := hold(HoldCustoms, HoldStatusActive, ""), hold(HoldCustoms, HoldStatusPending, "")
	for _, row := range []struct {
		name          string
		before, after []Hold
		want          []HoldChange
	}{
		{"nothing", []Hold{customs}, []Hold{customs}, nil},
		{"placed", []Hold{}, []Hold{customs}, []HoldChange{{HoldChangePlaced, Hold{}, customs}}},
		{"placed, old value null", nil, []Hold{customs}, []HoldChange{{HoldChangePlaced, Hold{}, customs}}},
		{"expected", []Hold{}, []Hold{pending}, []HoldChange{{HoldChangePlaced, Hold{}, pending}}},
		{"cleared", []Hold{customs}, []Hold{}, []HoldChange{{HoldChangeCleared, customs, Hold{}}}},
		{"expected, never came", []Hold{pending}, []Hold{}, []HoldChange{{HoldChangeCleared, pending, Hold{}}}},
		{"not reported any more", []Hold{customs}, nil, nil},
		{"activated", []Hold{pending}, []Hold{customs}, []HoldChange{{HoldChangeActivated, pending, customs}}},
		{"activated with another text", []Hold{pending}, []Hold{hold(HoldCustoms, HoldStatusActive, "EXAM")},
			[]HoldChange{{HoldChangeActivated, pending, hold(HoldCustoms, HoldStatusActive, "EXAM")}}},
		{"back to pending", []Hold{customs}, []Hold{pending}, []HoldChange{{HoldChangeOther, customs, pending}}},
		{"another text", []Hold{customs}, []Hold{hold(HoldCustoms, HoldStatusActive, "EXAM")},
			[]HoldChange{{HoldChangeOther, customs, hold(HoldCustoms, HoldStatusActive, "EXAM")}}},
		{"order does not matter", []Hold{customs, freightHold}, []Hold{freightHold, customs}, nil},
		{"one of two of a name cleared", []Hold{hold(HoldOther, HoldStatusActive, "A"), hold(HoldOther, HoldStatusActive, "B")},
			[]Hold{hold(HoldOther, HoldStatusActive, "B")},
			[]HoldChange{{HoldChangeCleared, hold(HoldOther, HoldStatusActive, "A"), Hold{}}}},
		{"second of the same placed", []Hold{customs}, []Hold{customs, customs},
			[]HoldChange{{HoldChangePlaced, Hold{}, customs}}},
		{"right one activated", []Hold{hold(HoldOther, HoldStatusPending, "A"), hold(HoldOther, HoldStatusPending, "B")},
			[]Hold{hold(HoldOther, HoldStatusActive, "B"), hold(HoldOther, HoldStatusPending, "A")},
			[]HoldChange{{HoldChangeActivated, hold(HoldOther, HoldStatusPending, "B"), hold(HoldOther, HoldStatusActive, "B")}}},
		{"two activated", []Hold{hold(HoldOther, HoldStatusPending, "A"), hold(HoldOther, HoldStatusPending, "B")},
			[]Hold{hold(HoldOther, HoldStatusActive, "B"), hold(HoldOther, HoldStatusActive, "A")},
			[]HoldChange{{HoldChangeActivated, hold(HoldOther, HoldStatusPending, "A"), hold(HoldOther, HoldStatusActive, "A")},
				{HoldChangeActivated, hold(HoldOther, HoldStatusPending, "B"), hold(HoldOther, HoldStatusActive, "B")}}},
		{"two texts", []Hold{hold(HoldOther, HoldStatusActive, "A"), hold(HoldOther, HoldStatusPending, "B")},
			[]Hold{hold(HoldOther, HoldStatusPending, "b"), hold(HoldOther, HoldStatusActive, "a")},
			[]HoldChange{{HoldChangeOther, hold(HoldOther, HoldStatusActive, "A"), hold(HoldOther, HoldStatusActive, "a")},
				{HoldChangeOther, hold(HoldOther, HoldStatusPending, "B"), hold(HoldOther, HoldStatusPending, "b")}}},
		{"case matters", []Hold{customs}, []Hold{hold("Customs", HoldStatusActive, "")},
			[]HoldChange{{HoldChangeCleared, customs, Hold{}}, {HoldChangePlaced, Hold{}, hold("Customs", HoldStatusActive, "")}}},
	} {
		assert.Equal(t, row.want, DiffHolds(row.before, row.after), row.name)
	}
}

// Who clears a hold follows from its name, as the service documents the names of holds.
func TestHoldChange_String(t *testing.T) {
	for _, row := range []struct {
		before, after []Hold
		want          string
	}{
		{[]Hold{}, []Hold{{Name: HoldCustoms, Status: HoldStatusActive}}, "placed a customs hold (customs broker)"},
		{[]Hold{}, []Hold{{Name: HoldCustoms, Status: HoldStatusPending}}, "placed a customs hold (customs broker), pending"},
		{[]Hold{}, []Hold{{Status: HoldStatusActive}}, "placed a hold without a name (see its description)"},
		{[]Hold{{Status: HoldStatusActive}}, []Hold{}, "cleared a hold without a name (see its description)"},
		{[]Hold{{Name: HoldFreight, Status: HoldStatusActive}}, []Hold{}, "cleared a freight hold (shipping line or forwarder)"},
		{[]Hold{{Name: HoldTMF, Status: HoldStatusPending}}, []Hold{{Name: HoldTMF, Status: HoldStatusActive}}, "activated a TMF hold (terminal)"},
		{[]Hold{{Name: HoldTMF, Status: HoldStatusActive}}, []Hold{{Name: HoldTMF, Status: "paused"}}, "changed a TMF hold (terminal), paused"},
	} {
		changes := DiffHolds(row.before, row.after)
		require.Len(t, changes, 1)
		for _, verb := range []string{"%v", "%+v", "%s"} {
			assert.Equal(t, "["+row.want+"]", fmt.Sprintf(verb, changes))
		}
	}
	assert.Equal(t, "changed a hold without a name (see its description)", HoldChange{}.String())
}

// The order of holds and fees means nothing, and an empty list is not missing data
// (docs/service-containers.md#holds).
func TestDiffContainers_OrderDoesNotCount(t *testing.T) {
	customs, usda := Hold{Name: HoldCustoms, Status: HoldStatusActive}, Hold{Name: HoldUSDA, Status: HoldStatusPending}
	demurrage := Fee{Type: FeeDemurrage, CurrencyCode: "USD", Amount: decimal.NewFromInt(185)}
	exam := Fee{Type: FeeExam, CurrencyCode: "USD"}
	before := &Container{Holds: []Hold{customs, usda, customs}, Fees: []Fee{demurrage, exam}}
	after := &Container{Holds: []Hold{usda, customs, customs}, Fees: []Fee{exam, demurrage}}
	require.Empty(t, DiffContainers(before, after).Attributes())
	require.Nil(t, changeBetween(before, after))

	for _, c := range []Container{
		{Holds: []Hold{usda, usda, customs}, Fees: before.Fees}, {Holds: []Hold{usda, customs}, Fees: before.Fees},
		{Holds: before.Holds, Fees: []Fee{demurrage, exam, exam}}, {Holds: before.Holds, Fees: nil},
	} {
		require.Len(t, DiffContainers(before, &c).Attributes(), 1)
	}
	unreported, empty := &Container{}, &Container{Holds: []Hold{}}
	require.Equal(t, []string{AttributeHolds}, DiffContainers(unreported, empty).Attributes())
	require.Equal(t, []string{AttributeHolds}, DiffContainers(empty, unreported).Attributes())
}

func TestDiffContainers_Fees(t *testing.T) {
	for _, row := range []struct {
		name          string
		before, after []Fee
		want          string
	}{
		{"nothing", []Fee{fee(FeeExam, "75", "USD")}, []Fee{fee(FeeExam, "75.00", "USD")}, ""},
		{"added", []Fee{}, []Fee{fee(FeeExam, "75", "USD")}, "added exam USD 0>75;"},
		{"removed", []Fee{fee(FeeExam, "75", "USD")}, []Fee{}, "removed exam USD 75>0;"},
		{"not reported any more", []Fee{fee(FeeExam, "75", "USD")}, nil, ""},
		{"posted", []Fee{fee(FeeDemurrage, "0", "USD")}, []Fee{fee(FeeDemurrage, "150", "USD")},
			"amount demurrage USD 0>150;"},
		{"grew", []Fee{fee(FeeDemurrage, "150", "USD"), fee(FeeTotal, "150", "USD")},
			[]Fee{fee(FeeTotal, "300", "USD"), fee(FeeDemurrage, "300", "USD")},
			"amount demurrage USD 150>300;amount total USD 150>300;"},
		{"another currency", []Fee{fee(FeeExam, "75", "USD")}, []Fee{fee(FeeExam, "100", "CAD")},
			"removed exam USD 75>0;added exam CAD 0>100;"},
		{"one of two of a type", []Fee{fee(FeeOther, "10", "USD"), fee(FeeOther, "20", "USD")},
			[]Fee{fee(FeeOther, "20", "USD")}, "removed other USD 10>0;"},
	} {
		got := ""
		for _, c := range DiffFees(row.before, row.after) {
			got += string(c.Kind) + " " + string(c.Type) + " " + c.CurrencyCode + " " + c.Old.String() + ">" +
				c.New.String() + ";"
		}
		assert.Equal(t, row.want, got, row.name)
	}
}

func TestChanges_Deadlines(t *testing.T) {
	la := &Container{PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Los_Angeles"}
	for _, row := range []struct {
		name, before, after string
		withZone, without   TimeMove
	}{
		{"set", `null`, `"2026-03-09T07:00:00Z"`, TimeSet, TimeSet},
		{"removed", `"2026-03-09T07:00:00Z"`, `null`, TimeRemoved, TimeRemoved},
		{"later", `"2026-03-09T07:00:00Z"`, `"2026-03-10T07:00:00Z"`, TimeLater, TimeLater},
		{"earlier", `"2026-03-09T07:00:00Z"`, `"2026-03-08T08:00:00Z"`, TimeEarlier, TimeEarlier},
		{"over the day on which clocks go forward", `"2026-03-08T08:00:00Z"`, `"2026-03-09T07:00:00Z"`, TimeLater, TimeLater},
		{"later on the day", `"2026-03-09T07:00:00Z"`, `"2026-03-09T23:00:00Z"`, TimeSameDay, TimeSameDay},
		{"earlier on the day", `"2026-03-10T06:59:59Z"`, `"2026-03-09T19:00:00Z"`, TimeSameDay, TimeSameDay},
		{"perhaps within a day", `"2026-03-09T07:00:00Z"`, `"2026-03-10T06:59:59Z"`, TimeSameDay, TimeSameDay},
		{"a minute into the next day", `"2026-03-10T06:59:59Z"`, `"2026-03-10T07:00:00Z"`, TimeLater, TimeSameDay},
		{"days", `"2026-03-09"`, `"2026-03-10"`, TimeLater, TimeLater},
		{"day restated as a moment", `"2026-03-09"`, `"2026-03-09T07:00:00Z"`, TimeSameDay, TimeSameDay},
		{"moment on the day before there", `"2026-03-09"`, `"2026-03-09T06:00:00Z"`, TimeEarlier, TimeSameDay},
		{"perhaps the same day, far east", `"2026-03-09"`, `"2026-03-08T11:00:00Z"`, TimeEarlier, TimeSameDay},
		{"perhaps the same day, far west", `"2026-03-09"`, `"2026-03-10T11:00:00Z"`, TimeLater, TimeSameDay},
		{"nowhere the same day, east", `"2026-03-09"`, `"2026-03-08T09:59:59Z"`, TimeEarlier, TimeEarlier},
		{"nowhere the same day, west", `"2026-03-09"`, `"2026-03-10T12:00:00Z"`, TimeLater, TimeLater},
		{"day long after a moment", `"2026-03-09T07:00:00Z"`, `"2026-03-12"`, TimeLater, TimeLater},
		{"moment long before a day", `"2026-03-12"`, `"2026-03-09T07:00:00Z"`, TimeEarlier, TimeEarlier},
	} {
		c := changeset(t, `{"pickup_lfd_terminal": [`+row.before+`,`+row.after+`]}`)
		changes := c.Changes(la).LastFreeDays
		require.Len(t, changes, 1, row.name)
		assert.Equal(t, LFDSourceTerminal, changes[0].Source)
		assert.Equal(t, row.withZone, changes[0].Move, row.name)
		for _, side := range []Time{changes[0].Old, changes[0].New} {
			assert.True(t, side.IsZero() || side.Zone() == "America/Los_Angeles", row.name)
		}
		changes = c.Changes(nil).LastFreeDays
		require.Len(t, changes, 1, row.name)
		assert.Equal(t, row.without, changes[0].Move, row.name)
	}
	same := changeset(t, `{"pickup_lfd": ["2026-03-09T07:00:00Z","2026-03-09T00:00:00-07:00"]}`)
	assert.Empty(t, same.Changes(la).LastFreeDays, "the same moment written otherwise")
}

func TestChanges_Readiness(t *testing.T) {
	const (
		cleared  = `{"holds_at_pod_terminal": [[{"name":"customs","status":"hold"}], []]}`
		placed   = `{"holds_at_pod_terminal": [[], [{"name":"customs","status":"hold"}]]}`
		released = `{"available_for_pickup": [null, true], "holds_at_pod_terminal": [[{"name":"customs","status":"hold"}], []]}`
	)
	for _, row := range []struct {
		name, changes   string
		available       Opt[bool]
		holds           []Hold
		became, stopped bool
		before, after   ReadinessState
	}{
		{"hold cleared, container as after", cleared, Some(true), []Hold{}, true, false, ReadinessOutOfSync, ReadinessReady},
		{"hold cleared, container as before", cleared, Some(true), []Hold{customsHold}, true, false,
			ReadinessOutOfSync, ReadinessReady},
		{"hold cleared, not released", cleared, Some(false), []Hold{}, false, false, ReadinessBlocked, ReadinessNotReleased},
		{"hold placed", placed, Some(true), []Hold{}, false, true, ReadinessReady, ReadinessOutOfSync},
		{"released and cleared", released, Opt[bool]{}, nil, true, false, ReadinessUnknown, ReadinessReady},
		{"something else", `{"pickup_lfd": [null, null]}`, Some(true), []Hold{}, false, false, ReadinessReady,
			ReadinessReady},
	} {
		t.Run(row.name, func(t *testing.T) {
			changes := changeset(t, row.changes).Changes(&Container{AvailableForPickup: row.available, Holds: row.holds})
			assert.Equal(t, row.before, changes.Before.State)
			assert.Equal(t, row.after, changes.After.State)
			assert.Equal(t, row.became, changes.BecameReady())
			assert.Equal(t, row.stopped, changes.StoppedBeingReady())
		})
	}
	alone := changeset(t, `{"available_for_pickup": [false, true]}`).Changes(nil)
	assert.Empty(t, alone.After.State, "availability alone does not make a container ready")
	assert.False(t, alone.BecameReady())
}

func TestChanges_OfAPolledContainerReadLikeAnEvent(t *testing.T) {
	before := &Container{AvailableForPickup: Some(false), Holds: []Hold{pendingUSDA}, Fees: []Fee{}}
	after := &Container{
		AvailableForPickup: Some(true), Holds: []Hold{}, Fees: []Fee{fee(FeeDemurrage, "0", "USD")},
		PickupLFD:   NewTime(time.Date(2026, 3, 9, 7, 0, 0, 0, time.UTC), "America/Los_Angeles"),
		PODTimezone: "America/Los_Angeles",
	}
	changes := DiffContainers(before, after).Changes(after)
	assert.True(t, changes.BecameReady())
	assert.Equal(t, []HoldChange{{Kind: HoldChangeCleared, Old: pendingUSDA}}, changes.Holds)
	require.Len(t, changes.Fees, 1)
	assert.Equal(t, FeeChangeAdded, changes.Fees[0].Kind)
	require.Len(t, changes.LastFreeDays, 1)
	assert.Equal(t, TimeSet, changes.LastFreeDays[0].Move)
	assert.Equal(t, "2026-03-09 00:00 -07:00", changes.LastFreeDays[0].New.String())
}

// Without a zone, the wall clock that was sent counts: 23:00 is on the day before.
func TestChanges_OfAWallClockAtTheSameInstant(t *testing.T) {
	before := &Container{PickupLFD: at(t, "2026-03-09T23:00:00-07:00", "")}
	after := &Container{PickupLFD: at(t, "2026-03-10T06:00:00Z", "")}
	changes := DiffContainers(before, after).Changes(after)
	require.Len(t, changes.LastFreeDays, 1)
	require.Equal(t, TimeLater, changes.LastFreeDays[0].Move)
}

// A hold's detail is JSON of any form. However it is written, it remains the same.
func TestDiffHolds_DetailOfAnyForm(t *testing.T) {
	for _, detail := range []string{`"A & B"`, `"<br>"`, `{"a": [1, 2]}`, `7`, `null`, `[]`} {
		var hold, stored Hold
		require.NoError(t, json.Unmarshal([]byte(`{"name":"customs","status":"hold","detail":`+detail+`}`), &hold))
		written, err := json.Marshal(hold)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(written, &stored))
		require.Empty(t, DiffHolds([]Hold{hold}, []Hold{stored}), detail)
	}
	changed := DiffContainers(&Container{Holds: []Hold{}}, &Container{Holds: []Hold{{Name: HoldCustoms, Detail: "free text"}}})
	require.Equal(t, []string{AttributeHolds}, changed.Attributes(), "a detail that is not JSON loses nothing")
}

// A unified day that is null is withheld or unknown, so an older one must not stay.
func TestChangesetApply_DeadlinesAtThePort(t *testing.T) {
	const la = "America/Los_Angeles"
	c := &Container{PODTimezone: la, ImportDeadlines: ImportDeadlines{POD: &PODLastFreeDays{
		Line: LastFreeDayHistory{Current: at(t, "2027-03-14T08:00:00Z", la)}, Unified: ChosenLastFreeDay{Current: at(t, "2027-03-14T08:00:00Z", la)},
	}}}
	for sent, want := range map[string]string{
		`{"pod":{"unified":null}}`: "-",
		`{"pod":null}`:             "none",
		`{"pod":7}`:                "none",
		`{}`:                       "2027-03-14 00:00 -08:00",
		`{"pod":{"unified":{"current_value":"2027-03-15"}}}`: "2027-03-15",
	} {
		var set Changeset
		require.NoError(t, json.Unmarshal([]byte(`{"import_deadlines":[{},`+sent+`]}`), &set))
		after := set.Apply(c)
		got := "none"
		if after.ImportDeadlines.POD != nil {
			got = after.ImportDeadlines.POD.Unified.Current.String()
		}
		require.Equal(t, want, got, sent)
	}
	moved := *c
	moved.ImportDeadlines.POD = &PODLastFreeDays{Unified: ChosenLastFreeDay{Current: at(t, "2027-03-15", la), CurrentSelection: "facility"}}
	diff := DiffContainers(c, &moved)
	require.Equal(t, []string{"import_deadlines"}, diff.Attributes())
	require.Equal(t, moved.ImportDeadlines, diff.Apply(c).ImportDeadlines)
	require.Equal(t, c.ImportDeadlines, diff.Reversed().Apply(&moved).ImportDeadlines)
}

// Each attribute of the OpenAPI document that describes the state of the container counts; those of
// the equipment, the references and the checks do not.
func TestDiffContainers_Attributes(t *testing.T) {
	reading := func(attributes, relationships string) *Container {
		c, warnings := decodeAs[Container](t, "container", attributes, relationships)
		require.Empty(t, warnings)
		return c
	}
	empty := reading(`{}`, `{}`)
	for name, values := range sentAttributes {
		value := values[len(values)-1]
		attributes := `{"` + name + `":` + value + `}`
		if name == AttributePickupLFDLine || name == AttributePickupLFDTerminal || name == AttributePickupLFDRail {
			attributes = `{"import_deadlines":` + attributes + `}`
		}
		diff := DiffContainers(empty, reading(attributes, `{}`))
		require.Equal(t, []string{name}, diff.Attributes())
		change, _ := ChangeOf[json.RawMessage](diff, name)
		require.Equal(t, "null", string(change.Old), name)
	}
	require.Empty(t, DiffContainers(empty, reading(`{"number":"MSCU1234566","seal_number":"1","ref_numbers":["a"],
		"weight_in_lbs":7,"equipment_type":"dry","terminal_checked_at":"2026-03-09T07:00:00Z",
		"pod_last_tracking_request_at":"2026-03-09T07:00:00Z","release_statuses":{"a":1}}`, `{}`)).Attributes())
	facility := func(data string) *Container { return reading(`{}`, `{"pickup_facility":{"data":`+data+`}}`) }
	ramp := facility(`{"type":"rail_terminal","id":"t-2"}`)
	require.JSONEq(t, `{"pickup_facility":[null,"t-2"]}`, mustJSON(t, DiffContainers(facility(`null`), ramp)))
	require.Empty(t, DiffContainers(empty, ramp).Attributes(), "a terminal that a reading does not report is unknown")
}

// Events count by id if the later reading includes them; what a reading does not report is unknown.
func TestDiffContainers_TransportEvents(t *testing.T) {
	of := func(ids ...string) *Container {
		var events []*TransportEvent
		for _, id := range ids {
			events = append(events, eventWithID(id))
		}
		return &Container{TransportEvents: IncludedAll(events...)}
	}
	linked := &Container{TransportEvents: LinkedAll[*TransportEvent]("transport_event", "1", "2")}
	for name, row := range map[string]struct {
		before, after *Container
		want          string
		newEvents     []string
	}{
		"same":              {of("1", "2"), of("2", "1"), `{}`, nil},
		"new":               {of("1"), of("1", "2"), `{"transport_events":[["1"],["1","2"]]}`, []string{"2"}},
		"first":             {of(), of("1"), `{"transport_events":[[],["1"]]}`, []string{"1"}},
		"gone":              {of("1", "2"), of("2"), `{"transport_events":[["1","2"],["2"]]}`, nil},
		"since a stored":    {linked, of("2", "3", "1"), `{"transport_events":[["1","2"],["2","3","1"]]}`, []string{"3"}},
		"before unknown":    {&Container{}, of("1"), `{}`, nil},
		"after unknown":     {of("1"), &Container{}, `{}`, nil},
		"after linked only": {of("1"), linked, `{}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			change := &WatchedChange{row.before, row.after, DiffContainers(row.before, row.after)}
			require.JSONEq(t, row.want, mustJSON(t, change.Changeset))
			var ids []string
			for _, event := range change.NewEvents() {
				ids = append(ids, event.ID)
			}
			require.Equal(t, row.newEvents, ids)
		})
	}
	withdrawn := changeset(t, `{"transport_events":[["1","2"],["2"]]}`).Apply(of("1", "2"))
	events, complete := withdrawn.TransportEvents.Values()
	require.True(t, complete)
	require.Len(t, events, 1)
	require.Equal(t, RelationshipAbsent, changeset(t, `{"transport_events":[[],7]}`).Apply(of("1")).TransportEvents.State())
}

// Each time is in the zone of its place (docs/service-containers.md#time-zones). The zones at the
// origin come from included resources, so a stored reading keeps them while nothing else is known.
func TestChanges_Times(t *testing.T) {
	const la, shanghai = "America/Los_Angeles", "Asia/Shanghai"
	before := &Container{PODTimezone: la, POLFullInAt: at(t, "2026-02-01T16:00:00Z", shanghai),
		PODArrivedAt: at(t, "2026-03-08T16:00:00Z", la)}
	change := changeset(t, `{"pod_full_out_at":[null,"2026-03-12T16:00:00Z"],"pod_discharged_at":[null,"2026-03-09T16:00:00Z"],
		"pod_arrived_at":["2026-03-08T16:00:00Z",null],"pol_vessel_loaded_at":[null,"2026-02-02T16:00:00Z"],
		"current_status":["on_ship","picked_up"],"pod_timezone":["America/Los_Angeles","America/Chicago"]}`)
	after := change.Apply(before)
	require.Equal(t, "2026-03-12 11:00 -05:00", after.PODFullOutAt.String())
	require.Equal(t, before.POLFullInAt, after.POLFullInAt, "another place")
	_, err := after.POLVesselLoadedAt.Local()
	require.ErrorIs(t, err, ErrNoZone)
	var names []string
	for _, moved := range change.Changes(before).Times {
		names = append(names, moved.Attribute)
	}
	require.Equal(t, []string{AttributePOLVesselLoaded, AttributePODArrived, AttributePODDischarged, AttributePODFullOut}, names)
	times := change.Changes(before).Times
	require.Equal(t, "2026-03-08 09:00 -07:00", times[1].Old.String(), "in the zone before the change")
	require.True(t, times[1].New.IsZero())
	require.Len(t, change.Changes(nil).Times, 4)
	status, ok := change.Status()
	require.True(t, ok)
	require.Equal(t, Change[ContainerStatus]{StatusOnShip, StatusPickedUp}, status)

	loaded := *before
	loaded.Shipment = Included("s-1", &Shipment{Resource: Resource{Type: "shipment", ID: "s-1"}, POLTimezone: shanghai})
	require.Equal(t, "2026-02-03 00:00 +08:00", change.Apply(&loaded).POLVesselLoadedAt.String())
}

// FuzzDiffContainers checks that applying DiffContainers(a, b) to a yields b, and that its reverse
// yields a.
func FuzzDiffContainers(f *testing.F) {
	f.Add("", "")
	f.Add("holds customs hold EXAM\nholds freight pending\navailable true\nterminal t-1",
		"holds\nfees\navailable null\nterminal")
	f.Add("fees demurrage 100.10 USD\nlfd 2026-03-09T07:00:00Z\nline 2026-03-12T05:00:00Z",
		"fees demurrage 200 USD\nfees total 200 USD\nlfd 2026-03-10\nline 2026-03-12T05:00:00Z\nterminalLFD 2026-03-10")
	f.Add("rail 2026-03-12T05:00:00.5Z\nappointment 2026-03-09T16:00:00Z",
		"available false\nfees other 0\nrail 2026-03-12\nlfd 2026-03-12")
	f.Fuzz(func(t *testing.T, one, other string) {
		a, b := containerFrom(one), containerFrom(other)
		diff := DiffContainers(a, b)
		checkSame(t, diff.Apply(a), b)
		checkSame(t, diff.Reversed().Apply(b), a)
		if warnings := diff.Warnings(); len(warnings) > 0 {
			t.Fatalf("own changeset: %v", warnings)
		}
		data, err := json.Marshal(diff)
		var sent Changeset
		if err != nil || json.Unmarshal(data, &sent) != nil {
			t.Fatalf("%s: %v", data, err)
		}
		checkSame(t, sent.Apply(a), b)
		if len(diff.Attributes()) == 0 {
			checkSame(t, a, b)
		}
	})
}

// containerFrom makes a container of lines such as "holds customs hold" and "lfd
// 2026-03-09T07:00:00Z".
func containerFrom(script string) *Container {
	c := &Container{PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago"}
	c.PODTerminal.state = RelationshipNull
	times := deadlinesOf(c)
	for line := range strings.Lines(strings.ToValidUTF8(script, "?")) {
		words := append(strings.Fields(line), "", "", "", "")
		switch words[0] {
		case "holds":
			c.Holds = append(c.Holds, Hold{Name: HoldName(words[1]), Status: HoldStatus(words[2]), Description: words[3]})
		case "noholds":
			c.Holds = []Hold{}
		case "fees":
			amount, _ := decimals.Parse(words[2])
			c.Fees = append(c.Fees, Fee{FeeType(words[1]), amount, words[3]})
		case "available":
			c.AvailableForPickup = map[string]Opt[bool]{"true": Some(true), "false": Some(false),
				"null": Null[bool]()}[words[1]]
		case "terminal":
			if words[1] != "" {
				c.PODTerminal = Included(words[1], &Terminal{})
			}
		case "appointment":
			c.PickupAppointmentAt, _ = parseTime([]byte(words[1]))
		case "lfd":
			*times[""], _ = parseTime([]byte(words[1]))
		case "line", "rail":
			*times[LFDSource(words[0])], _ = parseTime([]byte(words[1]))
		case "terminalLFD":
			*times[LFDSourceTerminal], _ = parseTime([]byte(words[1]))
		}
	}
	c.pairZones()
	return c
}

// checkSame compares what DiffContainers covers, zones included.
func checkSame(t *testing.T, got, want *Container) {
	t.Helper()
	if !sameItems(DiffHolds)(got.Holds, want.Holds) {
		t.Fatalf("holds %v, want %v", got.Holds, want.Holds)
	}
	if !sameItems(DiffFees)(got.Fees, want.Fees) {
		t.Fatalf("fees %v, want %v", got.Fees, want.Fees)
	}
	for name, value := range availabilityOf(want) {
		if !sameAvailability(*availabilityOf(got)[name], *value) {
			t.Fatalf("%s %v, want %v", name, *availabilityOf(got)[name], *value)
		}
	}
	for i, time := range timesOf(want) {
		if !identicalTime(*timesOf(got)[i].at, *time.at) {
			t.Fatalf("%s %#v, want %#v", time.name, *timesOf(got)[i].at, *time.at)
		}
	}
	for name, text := range textsOf(want) {
		if *textsOf(got)[name] != *text {
			t.Fatalf("%s %q, want %q", name, *textsOf(got)[name], *text)
		}
	}
	if !sameSet(got.TransportEvents.IDs(), want.TransportEvents.IDs()) {
		t.Fatalf("events %q, want %q", got.TransportEvents.IDs(), want.TransportEvents.IDs())
	}
	for source, at := range deadlinesOf(want) {
		if !identicalTime(*deadlinesOf(got)[source], *at) {
			t.Fatalf("%q %#v, want %#v", source, *deadlinesOf(got)[source], *at)
		}
	}
	if !identicalTime(got.INDFacilityLFD, want.INDFacilityLFD) {
		t.Fatalf("deprecated copy %v, want %v", got.INDFacilityLFD, want.INDFacilityLFD)
	}
	for name, terminal := range terminalsOf(want) {
		if terminalsOf(got)[name].ID() != terminal.ID() {
			t.Fatalf("%s %q, want %q", name, terminalsOf(got)[name].ID(), terminal.ID())
		}
	}
	if !reflect.DeepEqual(PickupReadiness(got), PickupReadiness(want)) {
		t.Fatalf("readiness %v, want %v", PickupReadiness(got), PickupReadiness(want))
	}
	now := instant("2026-03-09T12:00:00Z")
	x, y := Assess(got, now, VerdictOptions{}), Assess(want, now, VerdictOptions{})
	x.NotIncluded, y.NotIncluded = nil, nil // a changeset has ids
	if got, want := x, y; got.String() != want.String() || got.Situation != want.Situation || got.Urgency != want.Urgency || got.UrgencyReason != want.UrgencyReason {
		t.Fatalf("verdict %v, want %v", got, want)
	}
}

// identicalTime reports whether two times are the same for every method: the offset of a time that
// is not a wall clock shows only in how it was sent.
func identicalTime(a, b Time) bool { return sameOnWire(a, b) && a.kind == b.kind && a.zone == b.zone }

// sentAttributes are forms in which the service sends the attributes that DiffContainers covers.
var sentAttributes = func() map[string][]string {
	times := []string{"null", `"2026-03-09T07:00:00Z"`, `"2026-03-09T05:00:00Z"`, `"2026-03-08T16:00:00Z"`, `"2026-03-09T17:00:00Z"`,
		`"2026-03-09T07:00:00.5Z"`, `"2026-03-09T00:00:00-07:00"`, `"2026-03-09T15:00:00+08:00"`, `"2026-03-09"`, `"2026-03-10"`}
	zones := []string{"null", `"America/Los_Angeles"`, `"America/Chicago"`, `"Asia/Shanghai"`}
	sent := map[string][]string{
		"holds_at_pod_terminal": {"null", "[]", `[{"name":"customs","status":"hold"}]`, `[{"name":"customs","status":"pending"},{"name":"line","status":"hold","detail":{"a": "A & B"}}]`},
		"fees_at_pod_terminal":  {"null", "[]", `[{"type":"demurrage","amount":0}]`, `[{"type":"demurrage","amount":120.50,"currency_code":"USD"},{"type":"total","amount":120.5}]`},
		"available_for_pickup":  {"null", "true", "false"}, "availability_known": {"null", "true", "false"},
		"current_status": {"null", `"new"`, `"available"`, `"picked_up"`, `"on_rail"`},
	}
	for _, name := range []string{"location_at_pod_terminal", "pod_full_out_chassis_number", "pod_rail_carrier_scac", "ind_rail_carrier_scac"} {
		sent[name] = []string{"null", `"A<br>B"`, `"BNSF"`}
	}
	for _, name := range []string{"pod_timezone", "final_destination_timezone", "empty_terminated_timezone"} {
		sent[name] = zones
	}
	for _, name := range []string{"pickup_lfd", "pickup_lfd_line", "pickup_lfd_terminal", "pickup_lfd_rail", "ind_facility_lfd_on",
		"pickup_appointment_at", "pod_full_out_at", "final_destination_full_out_at", "empty_terminated_at", "delivered_at",
		"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at", "pod_arrived_at", "pod_discharged_at",
		"pod_rail_loaded_at", "pod_rail_departed_at", "ind_eta_at", "ind_ata_at", "ind_rail_unloaded_at"} {
		sent[name] = times
	}
	return sent
}()

func randomReading(t *testing.T, r *rand.Rand) *Container {
	var attributes, deadlines []string
	for _, name := range slices.Sorted(maps.Keys(sentAttributes)) {
		values := sentAttributes[name]
		member := fmt.Sprintf("%q:%s", name, values[r.IntN(len(values))])
		switch {
		case r.IntN(3) == 0: // not sent
		case strings.HasPrefix(name, "pickup_lfd_"):
			deadlines = append(deadlines, member)
		default:
			attributes = append(attributes, member)
		}
	}
	attributes = append(attributes, `"import_deadlines":{`+strings.Join(deadlines, ",")+`}`)
	c, warnings := decodeAs[Container](t, "container", `{`+strings.Join(attributes, ",")+`}`,
		fmt.Sprintf(`{"pod_terminal":{"data":{"type":"terminal","id":"%d"}},"pickup_facility":{"data":{"type":"terminal","id":"%d"}}}`, r.IntN(2), r.IntN(2)))
	require.Empty(t, warnings)
	events := slices.DeleteFunc([]*TransportEvent{eventWithID("1"), eventWithID("2"), eventWithID("3")},
		func(*TransportEvent) bool { return r.IntN(2) == 0 })
	c.TransportEvents = IncludedAll(events...)
	return c
}

func eventWithID(id string) *TransportEvent {
	return &TransportEvent{Resource: Resource{Type: "transport_event", ID: id}}
}

// The doc comments of DiffContainers, Apply and ContainerWatchParams.LastReading promise it: the
// changes make one reading of another, and a reading that was stored has the same changes.
func TestDiffContainers_AppliesToAnyPairOfReadings(t *testing.T) {
	r := rand.New(rand.NewPCG(20261010, 12))
	pairs := scale(600, 12_000)
	for range pairs {
		a, b := randomReading(t, r), randomReading(t, r)
		diff := DiffContainers(a, b)
		require.Empty(t, diff.Warnings())
		checkSame(t, diff.Apply(a), b)
		checkSame(t, diff.Reversed().Apply(b), a)
		var stored Container
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, a)), &stored))
		require.JSONEq(t, mustJSON(t, diff), mustJSON(t, DiffContainers(&stored, b)))
	}
	t.Logf("figure: Apply(DiffContainers(a, b)) equals b for %d pairs of readings over %d attributes", pairs, len(sentAttributes))
}
