package plan_test

import (
	"testing"
	"time"

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
			d, err := plan.Decide(c.row, c.reading, versions[2], "2")
			require.NoError(t, err)
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

// A row is removed after two 404 responses, at least a whole walk apart.
func TestAbsent(t *testing.T) {
	walk := epoch
	assert.Equal(t, plan.FirstAbsent, plan.Absent(time.Time{}, false, walk))
	assert.Equal(t, plan.SecondAbsent, plan.Absent(walk.Add(-time.Second), false, walk))
	assert.Equal(t, plan.KnownAbsent, plan.Absent(walk, false, walk), "the same walk")
	assert.Equal(t, plan.KnownAbsent, plan.Absent(walk.Add(-time.Second), false, time.Time{}), "no walk")
	assert.Equal(t, plan.KnownAbsent, plan.Absent(walk.Add(-time.Second), true, walk), "it is deleted")
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
	d, err := plan.Decide(&row, plan.Reading{}, copied, "2")
	require.NoError(t, err)
	assert.Equal(t, plan.Store, d.Action)
	assert.JSONEq(t, `{"event":"x","voyage_number":null,"timezone":"UTC"}`, string(model.Encode(d.Resource.Attributes)))
	assert.Equal(t, int64(5), d.Ticket)
	require.Len(t, d.Changes, 1)
	assert.Equal(t, "timezone", d.Changes[0].Name)
}
