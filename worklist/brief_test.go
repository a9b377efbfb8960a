package worklist_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
	"github.com/go-freight/terminal49/worklist"
)

// kindsOfWork are all values of Filter.Work.
var kindsOfWork = []worklist.Work{
	worklist.WorkWaiting, worklist.WorkOverdue, worklist.WorkImminent, worklist.WorkAtRisk, worklist.WorkOwing, worklist.WorkHolds,
	worklist.WorkArriving, worklist.WorkETASlipped, worklist.WorkDwelling, worklist.WorkEmptyDue,
	"pay_first", "ready", "stale", "held", "unknown", "not_released", "not_released_inland", "awaiting_transfer", "on_rail", "at_sea",
	"before_voyage", "out", "returned",
}

// Each kind of work, in the order of urgency, is the same of records as of what was read from their
// briefs.
func TestBrief_IsEnoughForAWorklist(t *testing.T) {
	t.Parallel()
	set, briefs := &worklist.Set{}, []*worklist.Record{}
	for _, c := range questions.NewAccount(5, 800).Containers() {
		v := terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})
		r := worklist.NewRecord(c, &v)
		set.Put(r)
		read, err := worklist.ReadBrief(r.ID, r.Brief())
		require.NoError(t, err)
		briefs = append(briefs, read)
	}
	found := 0
	for _, now := range []time.Time{questions.Now, questions.Now.AddDate(0, 0, -9), questions.Now.AddDate(0, 0, 9)} {
		for _, work := range kindsOfWork {
			q, err := set.Ask(now, worklist.Filter{Work: []worklist.Work{work}}, terminal49.VerdictOptions{})
			require.NoError(t, err)
			want, err := q.List(worklist.ListOptions{Limit: 40, Offset: 3})
			require.NoError(t, err)
			got, err := q.ListOf(slices.Values(briefs), worklist.ListOptions{Limit: 40, Offset: 3})
			require.NoError(t, err)
			require.Equal(t, want.IDs(), got.IDs(), work)
			require.Equal(t, want.Total, got.Total, work)
			require.Equal(t, want.Aside, got.Aside, work)
			found += want.Total
		}
	}
	require.Greater(t, found, 2_000)
}

// A record whose times have no text that can be read back has no brief, and one of another version
// cannot be read.
func TestBrief_OfOtherForms(t *testing.T) {
	t.Parallel()
	at := func(zone string) terminal49.Time { return terminal49.NewTime(questions.Now, zone) }
	for zone, has := range map[string]bool{
		"America/Los_Angeles": true, "": true, "No/Such_Zone": true, "unknown": false, "a[b]": false, "a|b": false, strings.Repeat("z", 500): false,
	} {
		r := &worklist.Record{ID: "1", Standing: terminal49.Standing{ContainerID: "1", Situation: "held", OldSituation: "held", Since: at(zone)}}
		require.Equal(t, has, r.Brief() != "", zone)
		if has {
			read, err := worklist.ReadBrief("1", r.Brief())
			require.NoError(t, err)
			require.Equal(t, r.Standing, read.Standing)
		}
	}
	for _, brief := range []string{"", "1.3|||||", "0.4||held|held||at_port|||||", briefOfDay(t) + "x"} {
		_, err := worklist.ReadBrief("1", brief)
		require.Error(t, err, brief)
	}
}

// briefOfDay returns a brief that ends with a last free day.
func briefOfDay(t *testing.T) string {
	t.Helper()
	day := terminal49.LastFreeDay{At: terminal49.NewTime(questions.Now, "America/Los_Angeles")}
	brief := (&worklist.Record{ID: "1", Standing: terminal49.Standing{LastFreeDay: day}}).Brief()
	require.NotEmpty(t, brief)
	return brief
}

// A list of records that are not in the set keeps only its page.
func TestQuestion_ListOf(t *testing.T) {
	t.Parallel()
	records := map[string]*worklist.Record{}
	for _, c := range questions.NewAccount(6, 50).Containers() {
		v := terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})
		records[c.ID] = worklist.NewRecord(c, &v)
	}
	q, err := new(worklist.Set).Ask(questions.Now, worklist.Filter{}, terminal49.VerdictOptions{})
	require.NoError(t, err)
	all, err := q.ListOf(maps.Values(records), worklist.ListOptions{Order: worklist.OrderNumber})
	require.NoError(t, err)
	require.Len(t, all.Items, len(records))
	page, err := q.ListOf(maps.Values(records), worklist.ListOptions{Order: worklist.OrderNumber, Limit: 7, Offset: 5})
	require.NoError(t, err)
	require.Equal(t, all.IDs()[5:12], page.IDs())
	require.Equal(t, len(records), page.Total)
	_, err = q.ListOf(maps.Values(records), worklist.ListOptions{Limit: -1})
	require.ErrorContains(t, err, "Limit")
}
