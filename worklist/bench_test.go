package worklist_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
	"github.com/go-freight/terminal49/worklist"
)

// storedRecord is a record as a database keeps it.
type storedRecord struct{ standing, facts []byte }

// storedRecords returns the records of an account.
func storedRecords(b *testing.B) (all []storedRecord) {
	b.Helper()
	for _, c := range questions.NewAccount(4, 5_000).Containers() {
		v := terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})
		r := worklist.NewRecord(c, &v)
		standing, _ := json.Marshal(r.Standing)
		facts, _ := json.Marshal(r.Facts)
		all = append(all, storedRecord{standing, facts})
	}
	return all
}

// readSet returns a set of n records, read as those of a database are.
func readSet(b *testing.B, stored []storedRecord, n int) *worklist.Set {
	b.Helper()
	set := worklist.NewSet(n)
	for i := range n {
		one := stored[i%len(stored)]
		r, err := worklist.ReadRecord(fmt.Sprintf("00000000-0000-4000-8000-%012d", i), one.standing, one.facts)
		if err != nil {
			b.Fatal(err)
		}
		set.Put(r)
	}
	return set
}

func BenchmarkReadRecord(b *testing.B) {
	stored := storedRecords(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		one := stored[i%len(stored)]
		if _, err := worklist.ReadRecord("00000000-0000-4000-8000-000000000000", one.standing, one.facts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQuestions asks sets that have as many records as large accounts have.
func BenchmarkQuestions(b *testing.B) {
	stored := storedRecords(b)
	for _, n := range []int{100_000, 250_000} {
		set := readSet(b, stored, n)
		for _, by := range [][]worklist.Key{
			{worklist.KeySituation}, {worklist.KeyTerminal, worklist.KeyLastFreeDay}, {worklist.KeyCustomer, worklist.KeyHold}, {worklist.KeyFee},
		} {
			percentiles(b, fmt.Sprint(n, "/count", by), set, func(q *worklist.Question) error {
				_, err := q.Count(by...)
				return err
			})
		}
		percentiles(b, fmt.Sprint(n, "/list"), set, func(q *worklist.Question) error {
			_, err := q.List(worklist.ListOptions{Limit: 50})
			return err
		})
	}
}

// percentiles reports the median and the 95th percentile of 30 answers to a question about all.
func percentiles(b *testing.B, name string, set *worklist.Set, answer func(*worklist.Question) error) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		var took []time.Duration
		for b.Loop() {
			for range 30 {
				began := b.Elapsed()
				q, err := set.Ask(questions.Now, worklist.Filter{}, terminal49.VerdictOptions{})
				if err := cmp.Or(err, answer(q)); err != nil {
					b.Fatal(err)
				}
				took = append(took, b.Elapsed()-began)
			}
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[0].Microseconds())/1e3, "ms-least")
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "ms-p50")
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1e3, "ms-p95")
	})
}
