package terminal49_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// containerAt returns a container as a document has it, with the provided_data of the terminals
// that the document includes. "" is a terminal that is only linked.
func containerAt(t *testing.T, attributes, port, pickup string) *terminal49.Container {
	t.Helper()
	var included []string
	for id, provided := range map[string]string{"port": port, "pickup": pickup} {
		if provided != "" {
			included = append(included, `{"id":"`+id+`","type":"terminal","attributes":{`+provided+`}}`)
		}
	}
	var c terminal49.Container
	require.NoError(t, json.Unmarshal([]byte(`{"data":{"id":"c","type":"container","attributes":{`+attributes+`},"relationships":{
		"pod_terminal":{"data":{"id":"port","type":"terminal"}},"pickup_facility":{"data":{"id":"pickup","type":"terminal"}}}},
		"included":[`+strings.Join(included, ",")+`]}`), &c))
	return &c
}

// The flags of provided_data declare what a terminal reports. Without a flag that is false, an
// empty list means no fees (the service's rule for fees_at_pod_terminal).
func TestSumContainerFees_EmptyListOfTerminal(t *testing.T) {
	const (
		none      = `"fees_at_pod_terminal":[]`
		reports   = `"provided_data":{"fees_at_pod_terminal":true}`
		withholds = `"provided_data":{"fees_at_pod_terminal":false,"fees_at_pod_terminal_notes":"on their website"}`
		byRail    = none + `,"pod_rail_departed_at":"2026-03-02T08:00:00Z"`
	)
	for _, row := range []struct {
		name, attributes, port, pickup string
		reported                       bool
	}{
		{"no terminal included", none, "", "", true},
		{"terminal reports fees", none, reports, "", true},
		{"terminal does not", none, withholds, "", false},
		{"pickup facility does not", none, "", withholds, false},
		{"neither does", none, withholds, withholds, false},
		{"flag is missing", none, `"provided_data":{"pickup_lfd":false}`, "", true},
		{"only remarks", none, `"provided_data":{"fees_at_pod_terminal_notes":"no"}`, "", true},
		{"flag is null", none, `"provided_data":{"fees_at_pod_terminal":null}`, "", true},
		{"flag is not one", none, `"provided_data":{"fees_at_pod_terminal_notes":"","pickup_lfd":null}`, "", true},
		{"provided_data is null", none, `"provided_data":null`, `"provided_data":null`, true},
		{"provided_data is empty", none, `"provided_data":{}`, `"provided_data":{}`, true},
		{"no provided_data", none, `"name":"A"`, `"name":"B"`, true},
		{"at the port, which reports, before a ramp that does not", none, reports, withholds, true},
		{"at the port, which does not, before a ramp that does", none, withholds, reports, false},
		{"at the ramp, which reports", byRail, withholds, reports, true},
		{"at the ramp, which does not", byRail, reports, withholds, false},
		{"at the ramp, of which nothing is known", byRail, withholds, "", false},
		{"not a list", `"fees_at_pod_terminal":null`, reports, "", false},
	} {
		s := terminal49.SumContainerFees(containerAt(t, row.attributes, row.port, row.pickup))
		assert.Equal(t, row.reported, s.Reported, row.name)
		assert.Equal(t, row.reported, s.Settled(), row.name)
		_, _, owed := s.Owed()
		assert.Equal(t, row.reported, owed, row.name)
		assert.Equal(t, map[bool]string{true: "no fees", false: "fees not reported"}[row.reported], s.String(), row.name)
	}
	assert.Equal(t, terminal49.SumFees(nil), terminal49.SumContainerFees(nil))
}

// A fee was reported, although the terminal declares that it reports none.
func TestSumContainerFees_Fees(t *testing.T) {
	c := containerAt(t, `"fees_at_pod_terminal":[{"type":"demurrage","amount":150,"currency_code":"USD"}]`,
		`"provided_data":{"fees_at_pod_terminal":false}`, "")
	s := terminal49.SumContainerFees(c)
	assert.Equal(t, terminal49.SumFees(c.Fees), s)
	assert.True(t, s.Reported)
	assert.Equal(t, "USD 150.00", s.String())
	empty := containerAt(t, `"fees_at_pod_terminal":[]`, `"provided_data":{"fees_at_pod_terminal":false}`, "")
	assert.Equal(t, "USD 150.00 (not all reported)", s.Add(terminal49.SumContainerFees(empty)).String())
}

// The three states of a flag remain in JSON, as on the wire.
func TestProvidedData_JSON(t *testing.T) {
	const sent = `{"a":true,"a_notes":"n","b":false,"c":null,"d_notes":"only remarks"}`
	var p terminal49.ProvidedData
	require.NoError(t, json.Unmarshal([]byte(sent), &p))
	assert.Equal(t, terminal49.ProvidedData{
		"a": {Reported: terminal49.Some(true), Notes: "n"}, "b": {Reported: terminal49.Some(false)},
		"c": {Reported: terminal49.Null[bool]()}, "d": {Notes: "only remarks"},
	}, p)
	text, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, sent, string(text))
	_, listed := p["e"]
	assert.False(t, listed)
}
