package terminal49

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func changeset(t testing.TB, data string) Changeset {
	t.Helper()
	var c Changeset
	require.NoError(t, json.Unmarshal([]byte(data), &c))
	return c
}

func TestChangesetKeepsWhatItDoesNotKnow(t *testing.T) {
	const sent = `{"seal_number":["A1","B2"],"odd":[1,2,3],"flat":7,"none":null,"empty":[]}`
	c := changeset(t, sent)
	assert.Equal(t, []string{"empty", "flat", "none", "odd", "seal_number"}, c.Attributes())
	seal, ok := ChangeOf[string](c, "seal_number")
	require.True(t, ok)
	assert.Equal(t, Changed[string]{"A1", "B2"}, seal)
	_, ok = ChangeOf[int](c, "seal_number")
	assert.False(t, ok, "a text is no number")
	_, ok = ChangeOf[int](c, "odd")
	assert.False(t, ok, "three values are no pair")
	_, ok = ChangeOf[string](c, "missing")
	assert.False(t, ok)
	odd, ok := c.Get("odd")
	require.True(t, ok)
	assert.Nil(t, odd.Old)
	assert.JSONEq(t, `[1,2,3]`, string(odd.Raw))
	_, ok = c.Get("missing")
	assert.False(t, ok)
	assert.Equal(t, []string{
		"empty: is not an array of the old and the new value",
		"flat: is not an array of the old and the new value",
		"none: is not an array of the old and the new value",
		"odd: is not an array of the old and the new value",
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

func TestChangesetForms(t *testing.T) {
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
	untouched := &Container{Number: "X", INDFacilityLFD: at(t, "2026-03-01T06:00:00Z", "America/Chicago"), PickupLFD: parsed(t, "2026-03-01")}
	assert.Equal(t, untouched, Changeset{}.Apply(untouched))
	assert.Equal(t, untouched, changeset(t, `{"seal_number":["a","b"]}`).Apply(untouched))
	assert.Nil(t, Changeset{}.Apply(nil))
}

func TestChangesetTypedAccess(t *testing.T) {
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
	assert.Equal(t, []Hold{{Name: HoldCustoms, Status: HoldActive}}, holds.New)
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
	assert.False(t, dayKnown, "a changeset does not tell the place, and midnight in UTC may be another day there")
	line, ok := c.LastFreeDay(LFDLine)
	require.True(t, ok)
	assert.True(t, line.Old.IsZero())
	rail, ok := c.LastFreeDay(LFDRail)
	require.True(t, ok)
	assert.True(t, rail.New.IsZero())
	_, ok = c.LastFreeDay(LFDTerminal)
	assert.False(t, ok)
	appointment, ok := c.PickupAppointment()
	require.True(t, ok)
	instant, _ := appointment.New.Instant()
	assert.Equal(t, 16, instant.Hour())
	terminal, ok := c.PODTerminal()
	require.True(t, ok)
	assert.Equal(t, Changed[string]{Old: "3e550f0e-ac2a-48fb-b242-5be45ecf2c78"}, terminal)
}

func TestChangesetOldNameOfHolds(t *testing.T) {
	c := changeset(t, `{"pod_terminal_holds": [[], [{"name":"freight","status":"pending"}]]}`)
	holds, ok := c.Holds()
	require.True(t, ok)
	assert.Equal(t, HoldPending, holds.New[0].Status)
	assert.Equal(t, holds.New, c.Apply(&Container{}).Holds)
}

func TestChangesetWrongKindsAreWarnedOfAndPassedOver(t *testing.T) {
	c := changeset(t, `{
		"holds_at_pod_terminal": [[], "none"], "fees_at_pod_terminal": [[], [{"type":"exam","amount":"1e999999999"}]],
		"available_for_pickup": ["yes", "no"], "pickup_lfd": ["soon", null], "pickup_lfd_terminal": [7, 8],
		"pickup_appointment_at": [null], "pod_terminal": [{}, {}]
	}`)
	assert.Len(t, c.Warnings(), 7)
	assert.Contains(t, c.Warnings()[1], `fees_at_pod_terminal: new value: terminal49: amount of fee "exam"`)
	before := &Container{
		Holds: []Hold{freightHold}, Fees: []Fee{fee(FeeExam, "1", "USD")}, AvailableForPickup: Some(true),
		PickupLFD: at(t, "2026-03-09T07:00:00Z", "America/Los_Angeles"),
	}
	assert.Equal(t, before, c.Apply(before))
	assert.Equal(t, ContainerChanges{Before: PickupReadiness(before), After: PickupReadiness(before)}, c.Changes(before))
}

func TestFeeJSON(t *testing.T) {
	f := fee(FeeDemurrage, "1300.10", "USD")
	assert.JSONEq(t, `{"type":"demurrage","amount":1300.1,"currency_code":"USD"}`, mustJSON(t, f))
	for _, bad := range []string{`{"amount":true}`, `{"amount":"abc"}`, `{"amount":[1]}`, `{"amount":1e31}`, `{"amount":"\u0031"}`,
		`{"amount":` + "1000000000000000000000000000000000000000000000000000000000000000000" + `}`, `[]`, `{"type":7}`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &f), bad)
	}
	assert.Equal(t, "1300.1", f.Amount.String(), "a failure changes nothing")
}

func TestApplyPairsZonesAndLeavesTheOriginal(t *testing.T) {
	before := &Container{
		PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago", Holds: []Hold{freightHold},
		PODTerminal: ToOne[Terminal]{link[*Terminal]{state: RelationshipNull}}, INDFacilityLFD: at(t, "2026-03-01T06:00:00Z", "America/Chicago"),
	}
	after := changeset(t, `{
		"holds_at_pod_terminal": [[{"name":"freight","status":"hold"}], []],
		"pickup_lfd": [null, "2026-03-09T05:00:00Z"], "pickup_lfd_line": [null, "2026-03-12T05:00:00Z"],
		"pickup_lfd_terminal": [null, "2026-03-10T07:00:00Z"], "pickup_lfd_rail": [null, "2026-03-09T05:00:00Z"],
		"pickup_appointment_at": [null, "2026-03-08T17:00:00Z"], "pod_terminal": [null, "t-1"]
	}`).Apply(before)
	assert.Equal(t, "2026-03-09 00:00 CDT", after.PickupLFD.String(), "of the source that it equals")
	assert.Equal(t, "2026-03-12 00:00 CDT", after.ImportDeadlines.Line.String())
	assert.Equal(t, "2026-03-10 00:00 PDT", after.ImportDeadlines.Terminal.String())
	assert.Equal(t, "2026-03-09 00:00 CDT", after.ImportDeadlines.Rail.String())
	assert.Equal(t, after.ImportDeadlines.Rail, after.INDFacilityLFD)
	assert.Equal(t, "2026-03-08 10:00 PDT", after.PickupAppointmentAt.String())
	assert.Equal(t, "t-1", after.PODTerminal.ID())
	assert.Equal(t, "terminal", after.PODTerminal.Type())
	assert.Equal(t, RelationshipLinked, after.PODTerminal.State())
	assert.Equal(t, []Hold{}, after.Holds)

	assert.Equal(t, []Hold{freightHold}, before.Holds)
	assert.True(t, before.PickupLFD.IsZero())
	assert.Equal(t, RelationshipNull, before.PODTerminal.State())

	kept := changeset(t, `{"pod_terminal": ["x", "t-2"]}`).Apply(&Container{PODTerminal: Included("t-2", &Terminal{Name: "TraPac"})})
	terminal, ok := kept.PODTerminal.Value()
	require.True(t, ok, "an included terminal stays if it is the one")
	assert.Equal(t, "TraPac", terminal.Name)
	gone := changeset(t, `{"pod_terminal": ["t-2", null]}`).Apply(kept)
	assert.Equal(t, RelationshipNull, gone.PODTerminal.State())
}

func TestDiffContainers(t *testing.T) {
	before := &Container{Holds: nil, Fees: []Fee{fee(FeeExam, "75", "USD")}, AvailableForPickup: Null[bool](), PODTerminal: Included("t-1", &Terminal{})}
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
	after.PODTerminal = ToOne[Terminal]{}
	assert.NotContains(t, DiffContainers(before, after).Attributes(), ChangedPODTerminal, "a response that does not tell the terminal does not remove it")
	assert.Empty(t, DiffContainers(&Container{AvailableForPickup: Null[bool]()}, &Container{}).Attributes(), "null and missing are both not known")
	assert.JSONEq(t, `{"available_for_pickup": [true, null]}`, mustJSON(t, DiffContainers(&Container{AvailableForPickup: Some(true)}, nil)))
}
