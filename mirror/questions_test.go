package mirror

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
)

// storedAccount stores an account, and returns its containers, as the service sends them, with a
// reader of the copy.
func storedAccount(t *testing.T, db *sql.DB, n int) ([]*terminal49.Container, *Reader) {
	t.Helper()
	account := questions.NewAccount(1, n)
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	t.Cleanup(srv.Close)
	m, l := stored(t, db, srv)
	walkPage(t, m, l, string(account.Page()))
	lead(m, l).round(t)
	return account.Containers(), NewReader(db)
}

// An overview and a worklist answer what the documentation of the filter says, of every container.
// With PROOF=whole, 5,000 containers are asked 2,000 questions.
func TestQuestions_AreAnsweredAsDocumented(t *testing.T) {
	t.Parallel()
	containers, r := storedAccount(t, sqliteFile(t), mirrortest.Scale(1_000, 5_000))
	all, o := questions.Draw(1, containers, mirrortest.Scale(700, 2_000)), r.Overview()
	questions.Judge(t, questions.Engine{
		Name: "Overview",
		Ask:  func(q questions.Question) (questions.Answer, bool) { return overviewOf(t.Context(), o, q), true },
	}, containers, all)
	questions.Judge(t, questions.Engine{
		Name: "Worklist",
		Ask:  func(q questions.Question) (questions.Answer, bool) { return worklistOf(t.Context(), r, q) },
	}, containers, all)
}

// overviewOf returns what an overview answers.
func overviewOf(ctx context.Context, o *Overview, q questions.Question) questions.Answer {
	var f worklist.Filter
	if err := q.FilterInto(&f); err != nil {
		return failed(err)
	}
	if len(q.By) > 0 {
		return countsOf(o.Count(ctx, q.Clock.Time(), CountOptions{Filter: f, By: keysIn(q), Verdict: q.Clock.Options()}))
	}
	return listOf(o.List(ctx, q.Clock.Time(), ListOptions{Filter: f, Order: worklist.Order(q.Order), Limit: q.Limit, Offset: q.Offset, Verdict: q.Clock.Options()}))
}

func keysIn(q questions.Question) (by []worklist.Key) {
	for _, key := range q.By {
		by = append(by, worklist.Key(key))
	}
	return by
}

// worklistOf returns what a worklist answers, if it can be asked the question.
func worklistOf(ctx context.Context, r *Reader, q questions.Question) (a questions.Answer, can bool) {
	alone := questions.Filter{Work: q.Filter.Work, Days: q.Filter.Days}
	if len(q.Filter.Work) != 1 || len(q.By) > 0 || (questions.Question{Filter: alone}).String() != (questions.Question{Filter: q.Filter}).String() ||
		q.Offset != 0 || cmp.Or(q.Order, "urgency") != "urgency" {
		return a, false
	}
	return listOf(r.Worklist(ctx, worklist.Work(q.Filter.Work[0]), q.Clock.Time(), WorklistOptions{Limit: q.Limit, Days: q.Filter.Days, Verdict: q.Clock.Options()})), true
}

// failed returns an error as an answer.
func failed(err error) questions.Answer {
	var unknown *worklist.UnknownNameError
	if errors.As(err, &unknown) {
		return questions.Answer{Unknown: questions.UnknownText(unknown.Field, unknown.Text)}
	}
	return questions.Answer{Unknown: err.Error()}
}

func listOf(list *Worklist, err error) (a questions.Answer) {
	if err != nil {
		return failed(err)
	}
	a = questions.Answer{Total: list.Total, Stopped: list.Stopped, Undated: list.Undated, Days: daysIn(list.Days)}
	for _, item := range list.Items {
		a.IDs, a.Rows = append(a.IDs, item.Container.ID), append(a.Rows, questions.RowOf(item.Container, &item.Verdict))
	}
	return a
}

func daysIn(days map[worklist.Work]int) (all map[string]int) {
	for w, n := range days {
		if all == nil {
			all = map[string]int{}
		}
		all[string(w)] = n
	}
	return all
}

func countsOf(counts *Counts, err error) (a questions.Answer) {
	if err != nil {
		return failed(err)
	}
	a = questions.Answer{Total: counts.Total, Stopped: counts.Stopped, Undated: counts.Undated, Days: daysIn(counts.Days), Owed: owedIn(counts.Owed)}
	for _, g := range counts.Groups {
		a.Groups = append(a.Groups, questions.Group{
			Key: g.Key, SecondKey: g.SecondKey, Containers: g.Containers, Situations: g.Situations, Urgencies: g.Urgencies, DaysPast: g.DaysPast, Owed: owedIn(g.Owed),
		})
	}
	return a
}

func owedIn(o worklist.Owed) questions.Owed {
	return questions.Owed{Amounts: questions.AmountsOf(o.Fees), Containers: o.Containers, Unknown: o.Unknown}
}

// The copy reads the containers as the service sends them: their verdicts are the same.
func TestQuestions_AreAboutTheSameContainers(t *testing.T) {
	t.Parallel()
	containers, r := storedAccount(t, sqliteFile(t), 300)
	read, err := collected(r.Containers(t.Context(), ""))
	require.NoError(t, err)
	for i, c := range containers {
		require.Equal(t, asJSON(t, terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})),
			asJSON(t, terminal49.Assess(read[i], questions.Now, terminal49.VerdictOptions{})))
	}
}
