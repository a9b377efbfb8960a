package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49/mirror/internal/plan"
)

// Only a row that was known before and that the list shows is a sign that the list works.
func TestListing_Finding(t *testing.T) {
	for name, c := range map[string]struct {
		listing plan.Listing
		want    plan.Finding
	}{
		"all are shown":                          {plan.Listing{Known: 28, Listed: 28}, plan.Complete},
		"nothing is stored":                      {plan.Listing{}, plan.Complete},
		"one of many is missing":                 {plan.Listing{Unseen: 1, Known: 286, Listed: 285}, plan.Provable},
		"28 of 286 are missing":                  {plan.Listing{Unseen: 28, Known: 286, Listed: 258}, plan.Provable},
		"all but one are missing":                {plan.Listing{Unseen: 285, Known: 286, Listed: 1}, plan.Provable},
		"an empty list":                          {plan.Listing{Unseen: 286, Known: 286}, plan.NoneListed},
		"an empty list that had one row":         {plan.Listing{Unseen: 1, Known: 1}, plan.NoneListed},
		"another account's list":                 {plan.Listing{Unseen: 286, Known: 286, Fresh: 40}, plan.NoneListed},
		"a first walk, and a notification":       {plan.Listing{Unseen: 1, Fresh: 286}, plan.TooEarly},
		"an empty first walk, a notification":    {plan.Listing{Unseen: 1}, plan.NoneListed},
		"known rows were polled, none is listed": {plan.Listing{Unseen: 2, Known: 5}, plan.NoneListed},
	} {
		assert.Equal(t, c.want, c.listing.Finding(), name)
	}
}

// The service answered 404 for the row in two whole walks. Tickets order them, whatever clocks do.
func TestAbsent(t *testing.T) {
	for name, c := range map[string]struct {
		shown, first, walk int64
		deleted            bool
		want               plan.Absence
	}{
		"the first 404":                             {10, 0, 20, false, plan.FirstAbsent},
		"another in the same walk":                  {10, 25, 20, false, plan.KnownAbsent},
		"one in the next walk":                      {10, 25, 30, false, plan.SecondAbsent},
		"the row was shown after the first":         {26, 25, 30, false, plan.FirstAbsent},
		"the row was shown by the same reading":     {25, 25, 30, false, plan.FirstAbsent},
		"it is deleted":                             {10, 25, 30, true, plan.KnownAbsent},
		"a walk that was resumed has an old ticket": {10, 25, 25, false, plan.KnownAbsent},
	} {
		assert.Equal(t, c.want, plan.Absent(c.shown, c.first, c.walk, c.deleted), name)
	}
}

// A 404 needs no confirmation if the list and the control work; an answer that is final and not a
// 404 does, and one that may pass does not.
func TestReasonFor(t *testing.T) {
	for _, a := range []plan.ByID{plan.Unread, plan.NotFound, plan.Failed} {
		assert.Equal(t, plan.NoReason, plan.ReasonFor(plan.NoReason, a), a)
		assert.Equal(t, plan.ReasonList, plan.ReasonFor(plan.ReasonList, a), a)
		assert.Equal(t, plan.ReasonByID, plan.ReasonFor(plan.ReasonByID, a), a)
	}
	for _, a := range []plan.ByID{plan.Nothing, plan.Another, plan.Refused, plan.Fails} {
		assert.Equal(t, plan.ReasonAnswer, plan.ReasonFor(plan.NoReason, a), a)
		assert.Equal(t, plan.ReasonList, plan.ReasonFor(plan.ReasonList, a), a)
	}
}

// Only the row itself is a control that works.
func TestControl(t *testing.T) {
	assert.True(t, plan.Control(plan.StillThere))
	for _, a := range plan.ByIDs {
		assert.False(t, plan.Control(a), a)
	}
}

// The text says how many rows wait, what for, and the command that ends it.
func TestWaiting_String(t *testing.T) {
	assert.Empty(t, plan.Waiting{List: "containers"}.String())
	for _, reason := range []plan.Reason{plan.ReasonList, plan.ReasonByID, plan.ReasonAnswer} {
		text := plan.Waiting{List: "containers", Reason: reason, Rows: 28}.String()
		assert.True(t, strings.HasPrefix(text, "28 rows not deleted: "), text)
		assert.True(t, strings.HasSuffix(text, "terminal49-mirror confirm-deletions containers --expect 28"), text)
	}
	assert.Contains(t, plan.Waiting{List: "parties", Reason: plan.ReasonList, Rows: 1}.String(), "1 row not deleted")
}

func TestListing_Problem(t *testing.T) {
	assert.Empty(t, plan.Listing{Unseen: 20, Known: 100, Listed: 80}.Problem(20))
	assert.Contains(t, plan.Listing{Unseen: 21, Known: 100, Listed: 79}.Problem(21), "21 rows")
	assert.Empty(t, plan.Listing{Unseen: 21, Known: 10_000, Listed: 9979}.Problem(21), "few of many move between pages")
	assert.Contains(t, plan.Listing{Unseen: 5, Known: 5}.Problem(5), "none of the rows")
}
