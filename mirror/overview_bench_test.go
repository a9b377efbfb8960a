//go:build unix

package mirror

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// livesInMemory returns rows as a database returns them.
func livesInMemory(tb testing.TB, l *lives, n int) *inventory {
	tb.Helper()
	all := newInventory(n)
	for i := range n {
		var d struct{ Data, Included []map[string]any }
		require.NoError(tb, json.Unmarshal([]byte(l.page(tb, i, 1)), &d))
		last := len(d.Data) - 1
		d.Data, d.Included = d.Data[last:], d.Data[:last]
		text, err := json.Marshal(map[string]any{"data": d.Data, "included": d.Included})
		require.NoError(tb, err)
		containers, err := terminal49.ParseResources[terminal49.Container](text)
		require.NoError(tb, err)
		for _, c := range containers {
			v := terminal49.Assess(c, l.cases[0].Now, terminal49.VerdictOptions{})
			all.put(store.StoredOf(c, &v))
		}
	}
	return all
}

// BenchmarkOverview measures what an overview does in memory for each container. Reading what has
// changed and the containers of a list are not part of it.
//
//	go test -run xxx -bench Overview ./mirror
func BenchmarkOverview(b *testing.B) {
	l := newLives(3)
	l.places = false
	all, now := livesInMemory(b, l, 20_000), l.cases[0].Now
	for _, q := range overviewQuestions {
		b.Run(q.what, func(b *testing.B) {
			used := cpuTime(b)
			for b.Loop() {
				if q.count.By != nil {
					c := newCounting("", now, q.count)
					require.NoError(b, c.resolve(all))
					for _, e := range all.use() {
						c.add(e)
					}
					c.result(0)
				} else {
					l := newListing("", now, q.list)
					require.NoError(b, l.resolve(all))
					for _, e := range all.use() {
						l.add(e)
					}
					l.cut(50)
				}
			}
			b.ReportMetric(float64(cpuTime(b)-used)/float64(b.N*all.rows()), "cpu-ns/container")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// overviewQuestion is a list or, if that has keys, a count.
type overviewQuestion struct {
	what  string
	list  ListOptions
	count CountOptions
}

func (q *overviewQuestion) ask(t *testing.T, o *Overview, now time.Time) (err error) {
	if q.count.By != nil {
		_, err = o.Count(t.Context(), now, q.count)
	} else {
		_, err = o.List(t.Context(), now, q.list)
	}
	return err
}

var overviewQuestions = []overviewQuestion{
	{what: "all"},
	{what: "at risk", list: ListOptions{Filter: Filter{Work: []Work{WorkAtRisk}}, Order: OrderLastFreeDay}},
	{what: "of a customer, owing", list: ListOptions{Filter: Filter{Customers: []string{"acme"}, Work: []Work{WorkOwing}}, Order: OrderOwed}},
	{what: "with a reference", list: ListOptions{Filter: Filter{References: []string{"PO-00100"}}}},
	{what: "counts by situation", count: CountOptions{By: []CountBy{CountBySituation}}},
	{what: "counts by terminal and last free day", count: CountOptions{By: []CountBy{CountByTerminal, CountByLastFreeDay}}},
	{what: "counts by customer and hold", count: CountOptions{By: []CountBy{CountByCustomer, CountByHold}}},
}
