package terminal49

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/testkit/naive"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func changeset(t testing.TB, data string) Changeset {
	t.Helper()
	var c Changeset
	require.NoError(t, json.Unmarshal([]byte(data), &c))
	return c
}

func TestChangeset_KeepsUnknownAttributes(t *testing.T) {
	const sent = `{"seal_number":["A1","B2"],"odd":[1,2,3],"flat":7,"none":null,"empty":[]}`
	c := changeset(t, sent)
	assert.Equal(t, []string{"empty", "flat", "none", "odd", "seal_number"}, c.Attributes())
	seal, ok := ChangeOf[string](c, "seal_number")
	require.True(t, ok)
	assert.Equal(t, Change[string]{"A1", "B2"}, seal)
	_, ok = ChangeOf[int](c, "seal_number")
	assert.False(t, ok, "a text is not a number")
	_, ok = ChangeOf[int](c, "odd")
	assert.False(t, ok, "three values are not a pair")
	_, ok = ChangeOf[string](c, "missing")
	assert.False(t, ok)
	odd, ok := c.Get("odd")
	require.True(t, ok)
	assert.JSONEq(t, `[1,2,3]`, string(odd))
	_, ok = ChangeOf[json.RawMessage](c, "odd")
	assert.False(t, ok)
	_, ok = c.Get("missing")
	assert.False(t, ok)
	assert.Equal(t, []string{
		"empty: must be an array of the old and the new value",
		"flat: must be an array of the old and the new value",
		"none: must be an array of the old and the new value",
		"odd: must be an array of the old and the new value",
	}, c.Warnings())
	written, err := json.Marshal(c)
	require.NoError(t, err)
	assert.JSONEq(t, sent, string(written))
	assert.JSONEq(t, `{"seal_number":["B2","A1"],"odd":[1,2,3],"flat":7,"none":null,"empty":[]}`, mustJSON(t, c.Reversed()))
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

func TestChangeset_Forms(t *testing.T) {
	for _, empty := range []string{`{}`, `null`} {
		c := changeset(t, empty)
		assert.Empty(t, c.Attributes())
		assert.Empty(t, c.Warnings())
	}
	for _, bad := range []string{`[]`, `"x"`, `7`, `{`, `{"a":[1,2]`} {
		var c Changeset
		assert.Error(t, json.Unmarshal([]byte(bad), &c), bad)
	}
	assert.JSONEq(t, `{}`, mustJSON(t, Changeset{}))
	untouched := &Container{Number: "X", INDFacilityLFD: at(t, "2026-03-01T06:00:00Z", "America/Chicago"),
		PickupLFD: parsedTime(t, "2026-03-01")}
	assert.Equal(t, untouched, Changeset{}.Apply(untouched))
	assert.Equal(t, untouched, changeset(t, `{"seal_number":["a","b"]}`).Apply(untouched))
	assert.Nil(t, Changeset{}.Apply(nil))
}

func TestChangeset_TypedAccess(t *testing.T) {
	c := changeset(t, `{
		"holds_at_pod_terminal": [null, [{"name":"customs","status":"hold","description":null}]],
		"fees_at_pod_terminal": [[], [{"type":"demurrage","amount":150.10,"currency_code":"USD"},{"type":"exam","amount":"75","currency_code":null},{"type":"other","amount":null}]],
		"available_for_pickup": [null, false],
		"pickup_lfd": ["2020-05-20", "2020-05-22T07:00:00Z"],
		"pickup_lfd_line": [null, "2020-05-22T07:00:00Z"],
		"pickup_lfd_rail": ["2020-05-23T05:00:00Z", null],
		"pickup_appointment_at": [null, "2020-05-21T16:30:00Z"],
		"pod_terminal": ["3e550f0e-ac2a-48fb-b242-5be45ecf2c78", null]
	}`)
	assert.Empty(t, c.Warnings())
	holds, ok := c.Holds()
	require.True(t, ok)
	assert.Nil(t, holds.Old, "null is not an empty list")
	assert.Equal(t, []Hold{{Name: HoldCustoms, Status: HoldStatusActive}}, holds.New)
	fees, ok := c.Fees()
	require.True(t, ok)
	assert.NotNil(t, fees.Old)
	assert.Empty(t, fees.Old)
	assert.Equal(t, "USD 150.10", FormatMoney(fees.New[0].Amount, fees.New[0].CurrencyCode))
	assert.Equal(t, "75", fees.New[1].Amount.String())
	assert.True(t, fees.New[2].Amount.IsZero())
	available, ok := c.AvailableForPickup()
	require.True(t, ok)
	assert.True(t, available.Old.IsNull(), "unknown is not false")
	assert.Equal(t, Some(false), available.New)
	lfd, ok := c.PickupLFD()
	require.True(t, ok)
	assert.True(t, lfd.Old.DateOnly())
	_, dayKnown := lfd.New.Date()
	assert.False(t, dayKnown, "a changeset has no zone, and midnight in UTC may be another day at the place")
	line, ok := c.LastFreeDay(LFDSourceLine)
	require.True(t, ok)
	assert.True(t, line.Old.IsZero())
	rail, ok := c.LastFreeDay(LFDSourceRail)
	require.True(t, ok)
	assert.True(t, rail.New.IsZero())
	_, ok = c.LastFreeDay(LFDSourceTerminal)
	assert.False(t, ok)
	appointment, ok := c.PickupAppointment()
	require.True(t, ok)
	instant, _ := appointment.New.Instant()
	assert.Equal(t, 16, instant.Hour())
	terminal, ok := c.PODTerminal()
	require.True(t, ok)
	assert.Equal(t, Change[string]{Old: "3e550f0e-ac2a-48fb-b242-5be45ecf2c78"}, terminal)
}

func TestChangeset_OldNameOfHolds(t *testing.T) {
	c := changeset(t, `{"pod_terminal_holds": [[], [{"name":"freight","status":"pending"}]]}`)
	holds, ok := c.Holds()
	require.True(t, ok)
	assert.Equal(t, HoldStatusPending, holds.New[0].Status)
	assert.Equal(t, holds.New, c.Apply(&Container{}).Holds)
}

func TestChangeset_WrongKindsWarnAndAreUnknown(t *testing.T) {
	c := changeset(t, `{
		"holds_at_pod_terminal": [[], "none"], "fees_at_pod_terminal": [[], [{"type":"exam","amount":"1e999999999"}]],
		"available_for_pickup": ["yes", "no"], "pickup_lfd": ["soon", null], "pickup_lfd_terminal": [7, 8],
		"pickup_appointment_at": [null], "pod_terminal": [{}, {}]
	}`)
	assert.Len(t, c.Warnings(), 7)
	assert.Contains(t, c.Warnings()[1], `fees_at_pod_terminal: new value: terminal49: fee.amount:`)
	before := &Container{
		Holds: []Hold{freightHold}, Fees: []Fee{fee(FeeExam, "1", "USD")}, AvailableForPickup: Some(true),
		PickupLFD:           at(t, "2026-03-09T07:00:00Z", "America/Los_Angeles"),
		PickupAppointmentAt: at(t, "2026-03-09T07:00:00Z", "America/Los_Angeles"),
		ImportDeadlines:     ImportDeadlines{Terminal: at(t, "2026-03-09T07:00:00Z", "America/Los_Angeles")},
		PODTerminal:         Included("t-1", &Terminal{}),
	}
	assert.Equal(t, &Container{Fees: []Fee{{Type: FeeExam}}, AvailableForPickup: Null[bool]()}, c.Apply(before), "the old value is out of date")
	changes := c.Changes(before)
	assert.Equal(t, ReadinessUnknown, changes.After.State)
	assert.Empty(t, changes.Holds)
	assert.Empty(t, changes.LastFreeDays)
}

func TestFee_JSON(t *testing.T) {
	f := fee(FeeDemurrage, "1300.10", "USD")
	assert.JSONEq(t, `{"type":"demurrage","amount":1300.1,"currency_code":"USD"}`, mustJSON(t, f))
	for _, bad := range []string{`{"amount":true}`, `{"amount":"abc"}`, `{"amount":[1]}`, `{"amount":1e31}`,
		`{"amount":` + "1000000000000000000000000000000000000000000000000000000000000000000" + `}`, `[]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &f), bad)
	}
	assert.Equal(t, "1300.1", f.Amount.String(), "a failure changes nothing")
	require.NoError(t, json.Unmarshal([]byte(`{"type":7,"amount":"\u0031"}`), &f))
	assert.Equal(t, fee("7", "1", ""), f, "read as in a document")
}

func TestChangesetApply_PairsZonesAndKeepsTheOriginal(t *testing.T) {
	before := &Container{
		PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago", Holds: []Hold{freightHold},
		PODTerminal:    ToOne[*Terminal]{state: RelationshipNull},
		INDFacilityLFD: at(t, "2026-03-01T06:00:00Z", "America/Chicago"),
	}
	after := changeset(t, `{
		"holds_at_pod_terminal": [[{"name":"freight","status":"hold"}], []],
		"pickup_lfd": [null, "2026-03-09T05:00:00Z"], "pickup_lfd_line": [null, "2026-03-12T05:00:00Z"],
		"pickup_lfd_terminal": [null, "2026-03-10T07:00:00Z"], "pickup_lfd_rail": [null, "2026-03-09T05:00:00Z"],
		"pickup_appointment_at": [null, "2026-03-08T17:00:00Z"], "pod_terminal": [null, "t-1"]
	}`).Apply(before)
	assert.Equal(t, "2026-03-09 00:00 -05:00", after.PickupLFD.String(), "of the source with the same value")
	assert.Equal(t, "2026-03-12 00:00 -05:00", after.ImportDeadlines.Line.String())
	assert.Equal(t, "2026-03-10 00:00 -07:00", after.ImportDeadlines.Terminal.String())
	assert.Equal(t, "2026-03-09 00:00 -05:00", after.ImportDeadlines.Rail.String())
	assert.Equal(t, after.ImportDeadlines.Rail, after.INDFacilityLFD)
	assert.Equal(t, "2026-03-08 10:00 -07:00", after.PickupAppointmentAt.String())
	assert.Equal(t, "t-1", after.PODTerminal.ID())
	assert.Equal(t, "terminal", after.PODTerminal.Type())
	assert.Equal(t, RelationshipLinked, after.PODTerminal.State())
	assert.Equal(t, []Hold{}, after.Holds)

	assert.Equal(t, []Hold{freightHold}, before.Holds)
	assert.True(t, before.PickupLFD.IsZero())
	assert.Equal(t, RelationshipNull, before.PODTerminal.State())

	kept := changeset(t, `{"pod_terminal": ["x", "t-2"]}`).Apply(&Container{PODTerminal: Included("t-2",
		&Terminal{Name: "TraPac"})})
	terminal, ok := kept.PODTerminal.Value()
	require.True(t, ok, "an included terminal is kept if its id is unchanged")
	assert.Equal(t, "TraPac", terminal.Name)
	gone := changeset(t, `{"pod_terminal": ["t-2", null]}`).Apply(kept)
	assert.Equal(t, RelationshipNull, gone.PODTerminal.State())
}

func TestDiffContainers_RoundTrip(t *testing.T) {
	before := &Container{Holds: nil, Fees: []Fee{fee(FeeExam, "75", "USD")}, AvailableForPickup: Null[bool](),
		PODTerminal: Included("t-1", &Terminal{})}
	after := &Container{
		Holds: []Hold{}, Fees: []Fee{fee(FeeExam, "75.00", "USD")}, AvailableForPickup: Some(true),
		PickupLFD: at(t, "2026-03-09T07:00:00Z", "America/Los_Angeles"), PODTerminal: Included("t-2", &Terminal{}),
	}
	assert.JSONEq(t, `{
		"holds_at_pod_terminal": [null, []], "available_for_pickup": [null, true],
		"pickup_lfd": [null, "2026-03-09T07:00:00Z"], "pod_terminal": ["t-1", "t-2"]
	}`, mustJSON(t, DiffContainers(before, after)), "75 and 75.00 are the same amount")
	assert.Empty(t, DiffContainers(after, after).Attributes())
	assert.Empty(t, DiffContainers(nil, nil).Attributes())
	after.PODTerminal = ToOne[*Terminal]{}
	assert.NotContains(t, DiffContainers(before, after).Attributes(), AttributePODTerminal, "a response without the terminal does not remove it")
	assert.Empty(t, DiffContainers(&Container{AvailableForPickup: Null[bool]()}, &Container{}).Attributes(), "null and missing both mean unknown")
	assert.JSONEq(t, `{"available_for_pickup": [true, null]}`, mustJSON(t, DiffContainers(&Container{AvailableForPickup: Some(true)}, nil)))
}

// After a change that cannot be read, the readiness is never certain.
func TestChangesetApply_ReadsOnlyTheNewSide(t *testing.T) {
	const place = `{"name":"customs","status":"hold"}`
	ready := &Container{AvailableForPickup: Some(true), Holds: []Hold{}, Fees: []Fee{}}
	require.False(t, PickupReadiness(ready).NeedsRecheck())
	for _, row := range []struct {
		name, changes string
		state         ReadinessState
		holds         []Hold
		warned        bool
	}{
		{"odd description", `{"holds_at_pod_terminal":[[],[{"name":"customs","status":"hold","description":7}]]}`,
			ReadinessOutOfSync, []Hold{{Name: HoldCustoms, Status: HoldStatusActive, Description: "7"}}, false},
		{"description is an object",
			`{"holds_at_pod_terminal":[[],[{"name":"customs","status":"hold","description":{"en":"x"}}]]}`,
			ReadinessOutOfSync, []Hold{{Name: HoldCustoms, Status: HoldStatusActive}}, true},
		{"unreadable old side", `{"holds_at_pod_terminal":["none",[` + place + `]]}`, ReadinessOutOfSync,
			[]Hold{{Name: HoldCustoms, Status: HoldStatusActive}}, true},
		{"odd neighbour", `{"holds_at_pod_terminal":[[],[` + place + `,{"name":[],"status":"pending"}]]}`,
			ReadinessOutOfSync, []Hold{{Name: HoldCustoms, Status: HoldStatusActive}, {Status: HoldStatusPending}}, true},
		{"odd status", `{"holds_at_pod_terminal":[[],[{"name":"customs","status":true}]]}`, ReadinessUnknown, []Hold{{Name: HoldCustoms}}, true},
		{"member that is not an object", `{"holds_at_pod_terminal":[[],["customs"]]}`, ReadinessUnknown, []Hold{{}}, true},
		{"null is not a hold", `{"holds_at_pod_terminal":[[` + place + `],[null]]}`, ReadinessReady, []Hold{}, false},
		{"new side no list", `{"holds_at_pod_terminal":[[],"customs"]}`, ReadinessReady, nil, true},
		{"holds no pair", `{"holds_at_pod_terminal":[[` + place + `]]}`, ReadinessReady, nil, true},
		{"holds under the old name, no pair", `{"pod_terminal_holds":7}`, ReadinessReady, nil, true},
		{"availability no longer readable", `{"available_for_pickup":["true",1]}`, ReadinessUnknown, []Hold{}, true},
		{"availability with an odd old side", `{"available_for_pickup":["true",false]}`, ReadinessNotReleased,
			[]Hold{}, true},
		{"availability no pair", `{"available_for_pickup":[false]}`, ReadinessUnknown, []Hold{}, true},
		{"availability flat", `{"available_for_pickup":false}`, ReadinessUnknown, []Hold{}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := changeset(t, row.changes)
			after := c.Apply(ready)
			assert.Equal(t, row.holds, after.Holds)
			r := PickupReadiness(after)
			assert.Equal(t, row.state, r.State)
			assert.Equal(t, row.name != "null is not a hold", r.NeedsRecheck())
			assert.Equal(t, r, c.Changes(ready).After)
			assert.Equal(t, row.warned, len(c.Warnings()) == 1, c.Warnings())
			if row.state == ReadinessUnknown && row.holds != nil && len(row.holds) == 0 {
				assert.True(t, after.AvailableForPickup.IsNull(), "reported, but not readable")
			}
		})
	}
}

func TestChangesetApply_KeepsTheNeighboursOfAnOddFee(t *testing.T) {
	c := changeset(t, `{"fees_at_pod_terminal":[7,[
		{"type":"demurrage","amount":"150.10","currency_code":"USD"}, {"type":"exam","amount":"N/A","currency_code":"USD"}, null,
		{"type":"other","amount":20,"currency_code":840}]]}`)
	after := c.Apply(&Container{Fees: []Fee{fee(FeeExam, "75", "USD")}})
	require.Len(t, after.Fees, 3)
	assert.Equal(t, []string{"demurrage USD 150.10", "exam (amount not known)", "other 840 20"},
		[]string{after.Fees[0].String(), after.Fees[1].String(), after.Fees[2].String()})
	assert.Len(t, c.Warnings(), 1)

	odd := changeset(t, `{"fees_at_pod_terminal":[[{"type":"exam","amount":75,"currency_code":"USD"}],[{"type":"exam","amount":"N/A","currency_code":"USD"}]]}`)
	changes := odd.Changes(nil).Fees
	require.Len(t, changes, 1)
	assert.Equal(t, FeeChangeAmount, changes[0].Kind, "a fee whose amount cannot be read is not a fee that was removed")
	assert.Nil(t, changeset(t, `{"fees_at_pod_terminal":[[],{}]}`).Apply(after).Fees)
}

func TestChangesetApply_NestedDeadlines(t *testing.T) {
	const la = "America/Los_Angeles"
	before := &Container{PODTimezone: la, ImportDeadlines: ImportDeadlines{
		Line: at(t, "2026-03-01T08:00:00Z", la), Terminal: at(t, "2026-03-02T08:00:00Z", la),
		Rail: at(t, "2026-03-03T08:00:00Z", ""),
	}}
	for _, row := range []struct{ name, nested, flat string }{
		{"one moved", `{"import_deadlines":[{"pickup_lfd_terminal":"2026-03-02T08:00:00Z"},{"pickup_lfd_terminal":"2026-03-10T07:00:00Z"}]}`,
			`{"pickup_lfd_terminal":["2026-03-02T08:00:00Z","2026-03-10T07:00:00Z"]}`},
		{"all moved", `{"import_deadlines":[{"pickup_lfd_line":"2026-03-01","pickup_lfd_terminal":null},{"pickup_lfd_line":null,"pickup_lfd_terminal":"2026-03-10","pickup_lfd_rail":"2026-03-11"}]}`,
			`{"pickup_lfd_line":["2026-03-01",null],"pickup_lfd_terminal":[null,"2026-03-10"],"pickup_lfd_rail":[null,"2026-03-11"]}`},
		{"gone", `{"import_deadlines":[{"pickup_lfd_line":"2026-03-01"},{}]}`, `{"pickup_lfd_line":["2026-03-01",null]}`},
		{"all gone", `{"import_deadlines":[{"pickup_lfd_line":"2026-03-01"},null]}`,
			`{"pickup_lfd_line":["2026-03-01",null]}`},
		{"none before", `{"import_deadlines":[null,{"pickup_lfd_line":"2026-03-01"}]}`,
			`{"pickup_lfd_line":[null,"2026-03-01"]}`},
		{"odd before", `{"import_deadlines":[7,{"pickup_lfd_line":"2026-03-01"}]}`, `{"pickup_lfd_line":[7,"2026-03-01"]}`},
		{"odd after", `{"import_deadlines":[{"pickup_lfd_line":null,"pickup_lfd_terminal":null,"pickup_lfd_rail":null},7]}`, `{"pickup_lfd_line":[null,7],"pickup_lfd_terminal":[null,7],"pickup_lfd_rail":[null,7]}`},
		{"no pair", `{"import_deadlines":[{}]}`, `{"pickup_lfd_line":7,"pickup_lfd_terminal":7,"pickup_lfd_rail":7}`},
		{"one as an object", `{"import_deadlines":[{},{"pickup_lfd_line":{"current":"2026-03-01","original":null}}]}`,
			`{"pickup_lfd_line":[null,"2026-03-01"]}`},
		{"one as an empty object", `{"import_deadlines":[{},{"pickup_lfd_line":{"current":null}}]}`, `{"pickup_lfd_line":[null,null]}`},
		{"one odd", `{"import_deadlines":[{},{"pickup_lfd_line":{"odd":"2026-03-01"},"pickup_lfd_rail":"2026-03-05"}]}`,
			`{"pickup_lfd_line":[null,7],"pickup_lfd_rail":[null,"2026-03-05"]}`},
		{"something else", `{"import_deadlines":[{"original":1},{"original":2}]}`, `{}`},
		{"flat goes first", `{"import_deadlines":[{},{"pickup_lfd_line":"2026-03-01"}],"pickup_lfd_line":[null,"2026-03-07"]}`, `{"pickup_lfd_line":[null,"2026-03-07"]}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			nested, flat := changeset(t, row.nested), changeset(t, row.flat)
			assert.Equal(t, flat.Apply(before), nested.Apply(before))
			assert.Equal(t, flat.Changes(before), nested.Changes(before))
			assert.Equal(t, flat.Reversed().Apply(before).ImportDeadlines.Line,
				nested.Reversed().Apply(before).ImportDeadlines.Line)
			assert.Equal(t, len(flat.Warnings()) > 0, len(nested.Warnings()) > 0, nested.Warnings())
			assert.JSONEq(t, row.nested, mustJSON(t, nested))
		})
	}
	_, ok := changeset(t, `{"import_deadlines":[{},{"pickup_lfd":"2026-03-01"}]}`).PickupLFD()
	assert.False(t, ok, "the chosen day is not one of the sources")
}

// Every amount that can be read is written in a form that can be read again.
func TestFee_AmountsRoundTripAtTheBounds(t *testing.T) {
	nines := strings.Repeat("9", 64)
	for _, mantissa := range []string{"1", "-1", nines[:29], nines[:30], nines[:31], "-" + nines[:31], nines[:58],
		nines[:59], "-" + nines[:59], nines[:60], nines[:61], nines,
		"0." + nines[:30], "-" + nines[:30] + "." + nines[:30], "0." + nines[:31], nines[:59] + ".5"} {
		for _, exponent := range []string{"", "e1", "e29", "e30", "e31", "e-1", "e-29", "e-30", "e-31"} {
			for _, quote := range []string{"", `"`} {
				sent := `{"type":"exam","amount":` + quote + mantissa + exponent + quote + `}`
				var read, again Fee
				if json.Unmarshal([]byte(sent), &read) != nil {
					continue
				}
				written := mustJSON(t, read)
				require.NoError(t, json.Unmarshal([]byte(written), &again), sent)
				require.True(t, again.Amount.Equal(read.Amount), sent)
			}
		}
	}
	var f Fee
	assert.Error(t, json.Unmarshal([]byte(`{"amount":`+nines[:59]+`e30}`), &f))
	assert.NoError(t, json.Unmarshal([]byte(`{"amount":`+nines[:30]+`e30}`), &f))
	assert.NoError(t, json.Unmarshal([]byte(`{"amount":1e30}`), &f))
	assert.NoError(t, json.Unmarshal([]byte(`{"amount":-0.`+nines[:30]+`}`), &f))
}

// FuzzChangeset reads any JSON. The changeset must be written unchanged, reversing it twice must
// restore it, and no method may return a value that was not in the input.
func FuzzChangeset(f *testing.F) {
	for _, seed := range []string{
		`{"holds_at_pod_terminal":[[],[{"name":"customs","status":"hold","description":null}]]}`,
		`{"pod_terminal_holds":[[{"name":"freight","status":"pending"}],[{"name":"freight","status":"hold"}]]}`,
		`{"fees_at_pod_terminal":[null,[{"type":"total","amount":1e3,"currency_code":"USD"},{"type":"exam","amount":"7"}]]}`,
		`{"available_for_pickup":[null,true],"pickup_lfd":["2020-05-20","2020-05-21T07:00:00Z"]}`,
		`{"pickup_lfd_line":["2020-05-20",null],"pickup_lfd_rail":[null,""],"pickup_lfd_terminal":[1,2]}`,
		`{"pod_terminal":["a","b"],"pickup_appointment_at":[null,"2020-05-20T07:00:00-0700"]}`,
		`{"import_deadlines":[{"pickup_lfd_line":"2020-05-20"},{"pickup_lfd_rail":"2020-05-20","pickup_lfd_terminal":7}]}`, `{"import_deadlines":[7,8]}`,
		`{"holds_at_pod_terminal":[7,[null,"x",{"name":1,"status":[]}]],"fees_at_pod_terminal":[[],[null,{"type":"exam","amount":"N/A"}]],"available_for_pickup":["true",false]}`,
		`{"a":[1,2,3],"b":7,"c":null,"":[null,null],"a":[]}`, `{}`, `null`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var c Changeset
		if json.Unmarshal(data, &c) != nil {
			return
		}
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		var again Changeset
		if err := json.Unmarshal(written, &again); err != nil || !slices.Equal(again.Attributes(), c.Attributes()) {
			t.Fatalf("written as %s: %v", written, err)
		}
		twice, err := json.Marshal(c.Reversed().Reversed())
		if err != nil || !sameJSON(t, twice, written) {
			t.Fatalf("undone twice: %s, want %s", twice, written)
		}
		CheckAsSent(t, c, data)
		base := containerFrom("holds freight hold\nrail 2020-05-20\nlfd 2020-05-20")
		base.INDFacilityLFD = base.ImportDeadlines.Rail
		after := c.Apply(base)
		changes := c.Changes(base)
		if got, want := changes.After.State, PickupReadiness(after).State; got != want {
			t.Fatalf("after the change: %s, but applied: %s", got, want)
		}
		if nothing := c.Changes(nil); nothing.BecameReady() || nothing.StoppedBeingReady() {
			t.Fatal("the readiness is set without a container")
		}
		if available, ok := c.AvailableForPickup(); ok && available.New != after.AvailableForPickup {
			t.Fatalf("available %v, applied: %v", available.New, after.AvailableForPickup)
		} else if _, mentioned := c.Get(AttributeAvailableForPickup); mentioned && !ok && len(c.Warnings()) == 0 {
			t.Fatal("availability cannot be read, and no warning says so")
		}
		if second := DiffContainers(after, c.Apply(after)); len(second.Attributes()) > 0 {
			t.Fatalf("applied twice changes %v", second.Attributes())
		}
	})
}

// CheckAsSent compares a changeset with the members that encoding/json reads: a pair is the old and
// the new value; any other value is kept and has neither.
func CheckAsSent(t *testing.T, c Changeset, data []byte) {
	t.Helper()
	sent := naive.ReadObject(bytes.TrimSpace(data))
	if len(c.Attributes()) != len(sent) {
		t.Fatalf("%s was read as changes of %q", data, c.Attributes())
	}
	for name := range sent {
		change, ok := c.changes[name]
		raw, once := sent.Once(name)
		if !ok || !once {
			if !ok {
				t.Fatalf("%s: %q is missing", data, name)
			}
			continue
		}
		pair, _ := naive.ReadList(raw)
		if len(pair) != 2 {
			pair = []json.RawMessage{nil, nil}
		}
		if !bytes.Equal(change.Raw, raw) || !bytes.Equal(change.Old, pair[0]) || !bytes.Equal(change.New, pair[1]) {
			t.Fatalf("%q: %s became %s, from %s to %s", name, raw, change.Raw, change.Old, change.New)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	x, errX := json.Marshal(left)
	y, errY := json.Marshal(right)
	return errX == nil && errY == nil && string(x) == string(y)
}

// scale is testkit.Scale, which imports this package.
func scale(sample, all int) int {
	if os.Getenv("PROOF") == "whole" {
		return all
	}
	return sample
}
