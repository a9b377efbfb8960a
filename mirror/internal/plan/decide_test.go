package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// Until grows with every reading, so that a third reading that overlaps one of the two is noticed.
func TestDecide_NotesHowFarReadingsReach(t *testing.T) {
	same := func(row plan.Row) *plan.Row {
		row.Raw = nil
		return &row
	}
	row := plan.Row{Digest: "1", Ticket: 5, Until: 20, Raw: versions[1].Raw}
	for name, c := range map[string]struct {
		row           *plan.Row
		reading       plan.Reading
		action        plan.Action
		ticket, until int64
		doubtful      bool
	}{
		"no row":                        {nil, plan.Reading{Ticket: 3, Until: 4}, plan.Store, 3, 4, false},
		"the same, later":               {same(row), plan.Reading{Ticket: 6, Until: 7}, plan.Confirm, 6, 20, false},
		"the same, reaching further":    {same(row), plan.Reading{Ticket: 6, Until: 30}, plan.Confirm, 6, 30, false},
		"the same, earlier":             {same(row), plan.Reading{Ticket: 4, Until: 30}, plan.Leave, 5, 30, false},
		"another, later":                {&row, plan.Reading{Ticket: 21, Until: 22}, plan.Store, 21, 22, false},
		"another, later, overlapping":   {&row, plan.Reading{Ticket: 6, Until: 7}, plan.Store, 6, 20, true},
		"another, earlier":              {&row, plan.Reading{Ticket: 3, Until: 4}, plan.Leave, 5, 20, false},
		"another, earlier, overlapping": {&row, plan.Reading{Ticket: 3, Until: 30}, plan.Leave, 5, 30, true},
		"a notification's copy":         {&row, plan.Reading{}, plan.Leave, 5, 20, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := plan.Decide(c.row, c.reading, versions[2], "2")
			assert.Equal(t, []any{c.action, c.ticket, c.until, c.doubtful}, []any{d.Action, d.Ticket, d.Until, d.Doubtful})
		})
	}
}

// A reading that did not find a resource removes it only if no overlapping reading found it.
func TestRemove(t *testing.T) {
	row := plan.Row{Ticket: 5, Until: 20}
	assert.Equal(t, plan.Removal{Ticket: 21, Until: 22, Delete: true}, plan.Remove(row, plan.Reading{Ticket: 21, Until: 22}))
	assert.Equal(t, plan.Removal{Ticket: 5, Until: 30, Doubtful: true}, plan.Remove(row, plan.Reading{Ticket: 6, Until: 30}))
	assert.Equal(t, plan.Removal{Ticket: 5, Until: 20}, plan.Remove(row, plan.Reading{Ticket: 3, Until: 4}), "an earlier one")
	row.Deleted = true
	assert.Equal(t, plan.Removal{Ticket: 6, Until: 20}, plan.Remove(row, plan.Reading{Ticket: 6, Until: 7}), "it is deleted already")
}

// A row whose JSON is damaged is replaced by the next reading, which announces all that it has. A
// reading with the digest of the row changes nothing, whatever the JSON is now.
func TestDecide_DamagedJSON(t *testing.T) {
	row := plan.Row{Digest: "1", Ticket: 5, Until: 5, Raw: []byte(`{"type":"shipment","id":"S","attr`)}
	res := &model.Resource{Ref: model.Ref{Type: "shipment", ID: "S"}, Attributes: map[string]json.RawMessage{"number": []byte(`"B"`)}}
	d := plan.Decide(&row, plan.Reading{Ticket: 6, Until: 6}, res, "2")
	assert.Equal(t, plan.Store, d.Action)
	assert.Same(t, res, d.Resource)
	assert.Equal(t, []model.Difference{{Name: "number", New: []byte(`"B"`), Weight: model.OfChange}}, d.Changes)
	d = plan.Decide(&row, plan.Reading{Ticket: 6, Until: 6}, res, "1")
	assert.Equal(t, plan.Store, d.Action)
	assert.Empty(t, d.Changes)
	d = plan.Decide(&row, plan.Reading{Ticket: 4, Until: 5}, res, "2")
	assert.Equal(t, plan.Leave, d.Action)
	assert.True(t, d.Doubtful, "so it is read again")
}

// A repair writes what the service sent, and no member that only the damaged row has.
func TestDecide_Repair(t *testing.T) {
	row := plan.Row{Digest: "1", Ticket: 5, Until: 5, Raw: []byte(`{"type":"shipment","id":"S","attributes":{"numbes":"A"}}`)}
	what := model.Ref{Type: "shipment", ID: "S"}
	res := &model.Resource{Ref: what, Attributes: map[string]json.RawMessage{"number": []byte(`"A"`)}}
	d := plan.Decide(&row, plan.Reading{Ticket: 6, Until: 6, Repairs: what}, res, "1")
	assert.Equal(t, plan.Store, d.Action)
	assert.Same(t, res, d.Resource)
	assert.Empty(t, d.Changes, "the service has changed nothing")
}

// An earlier reading adds what a fact lacks, and nothing else.
func TestDecide_MergesFacts(t *testing.T) {
	parsed := func(text string) *model.Resource {
		res, err := model.Parse([]byte(text))
		require.NoError(t, err)
		return res
	}
	row := plan.Row{Digest: "1", Ticket: 5, Until: 5, Raw: parsed(`{"type":"transport_event","id":"E","attributes":{"event":"x","voyage_number":null}}`).Raw}
	copied := parsed(`{"type":"transport_event","id":"E","attributes":{"event":"y","timezone":"UTC"}}`)
	d := plan.Decide(&row, plan.Reading{}, copied, "2")
	assert.Equal(t, plan.Store, d.Action)
	assert.JSONEq(t, `{"event":"x","voyage_number":null,"timezone":"UTC"}`, string(model.Encode(d.Resource.Attributes)))
	assert.Equal(t, int64(5), d.Ticket)
	require.Len(t, d.Changes, 1)
	assert.Equal(t, "timezone", d.Changes[0].Name)
}
