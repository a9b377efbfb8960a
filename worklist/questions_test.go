package worklist_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
	"github.com/go-freight/terminal49/worklist"
)

// A set answers what the documentation of the filter says, of every container.
func TestQuestions_AreAnsweredAsDocumented(t *testing.T) {
	t.Parallel()
	containers, set := questions.NewAccount(2, 600).Containers(), &worklist.Set{}
	byID := map[string]*terminal49.Container{}
	for _, c := range containers {
		v := terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})
		set.Put(worklist.NewRecord(c, &v))
		byID[c.ID] = c
	}
	questions.Judge(t, questions.Engine{Name: "Set", Ask: func(q questions.Question) (questions.Answer, bool) {
		answer, err := answerOf(set, byID, q)
		if unknown := (*worklist.UnknownNameError)(nil); errors.As(err, &unknown) {
			return questions.Answer{Unknown: questions.UnknownText(unknown.Field, unknown.Text)}, true
		}
		require.NoError(t, err)
		return answer, true
	}}, containers, questions.Draw(2, containers, 500))
}

// answerOf returns what a set answers.
func answerOf(set *worklist.Set, byID map[string]*terminal49.Container, q questions.Question) (a questions.Answer, err error) {
	var f worklist.Filter
	if err := q.FilterInto(&f); err != nil {
		return a, err
	}
	asked, err := set.Ask(q.Clock.Time(), f, q.Clock.Options())
	if err != nil {
		return a, err
	}
	if len(q.By) > 0 {
		return countsOf(asked, q)
	}
	list, err := asked.List(worklist.ListOptions{Order: worklist.Order(q.Order), Offset: q.Offset, Limit: cmp.Or(q.Limit, 50)})
	if err != nil {
		return a, err
	}
	a = questions.Answer{Total: list.Total, Stopped: list.Stopped, Undated: list.Undated, Days: daysOf(list.Days)}
	var containers []*terminal49.Container
	for _, id := range list.IDs() {
		containers = append(containers, byID[id])
	}
	for _, one := range list.Assess(containers) {
		a.IDs, a.Rows = append(a.IDs, one.Container.ID), append(a.Rows, questions.RowOf(one.Container, &one.Verdict))
	}
	return a, nil
}

func countsOf(asked *worklist.Question, q questions.Question) (a questions.Answer, err error) {
	var by []worklist.Key
	for _, key := range q.By {
		by = append(by, worklist.Key(key))
	}
	counts, err := asked.Count(by...)
	if err != nil {
		return a, err
	}
	a = questions.Answer{Total: counts.Total, Stopped: counts.Stopped, Undated: counts.Undated, Days: daysOf(counts.Days), Owed: owedOf(counts.Owed)}
	for _, g := range counts.Groups {
		a.Groups = append(a.Groups, questions.Group{
			Key: g.Key, SecondKey: g.SecondKey, Containers: g.Containers, Situations: g.Situations, Urgencies: g.Urgencies, DaysPast: g.DaysPast, Owed: owedOf(g.Owed),
		})
	}
	return a, nil
}

func owedOf(o worklist.Owed) questions.Owed {
	return questions.Owed{Amounts: questions.AmountsOf(o.Fees), Containers: o.Containers, Unknown: o.Unknown}
}

func daysOf(days map[worklist.Work]int) (all map[string]int) {
	for w, n := range days {
		if all == nil {
			all = map[string]int{}
		}
		all[string(w)] = n
	}
	return all
}

// A record that was stored is the record.
func TestRecord_StoredAndRead(t *testing.T) {
	t.Parallel()
	set, read := &worklist.Set{}, &worklist.Set{}
	containers := questions.NewAccount(3, 200).Containers()
	for _, c := range containers {
		v := terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})
		r := worklist.NewRecord(c, &v)
		standing, facts := asJSON(t, r.Standing), asJSON(t, r.Facts)
		again, err := worklist.ReadRecord(c.ID, standing, facts)
		require.NoError(t, err)
		require.Equal(t, r.Standing, again.Standing)
		require.JSONEq(t, string(asJSON(t, r.Facts.Owed())), string(asJSON(t, again.Facts.Owed())))
		of := r.Facts
		of.Fees = nil
		require.JSONEq(t, string(asJSON(t, of)), string(asJSON(t, again.Facts)))
		set.Put(r)
		read.Put(again)
	}
	for _, by := range []worklist.Key{worklist.KeyHold, worklist.KeyFee, worklist.KeyCustomer, worklist.KeyETA, worklist.KeyEquipment} {
		require.JSONEq(t, string(asJSON(t, countBy(t, set, by))), string(asJSON(t, countBy(t, read, by))))
	}
	_, err := worklist.ReadRecord("1", []byte(`{"rules":0}`), []byte(`{}`))
	require.ErrorIs(t, err, terminal49.ErrRulesVersion)
	standing := asJSON(t, terminal49.Standing{})
	for _, facts := range []string{``, `[]`, `{"holds":7}`, `{"original_eta":"tomorrow"}`, `{"fees":[7]}`, `{"line":"x"}`, `{"line":{}`, `{} {}`} {
		_, err := worklist.ReadRecord("1", standing, []byte(facts))
		require.Error(t, err, facts)
	}
	_, err = worklist.ReadRecord("1", standing, []byte(`{"a later member":[{}],"line":{"code":"MAEU","a later member":1}}`))
	require.NoError(t, err)
}

func asJSON(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	return data
}

func countBy(t *testing.T, set *worklist.Set, by worklist.Key) *worklist.Counts {
	t.Helper()
	q, err := set.Ask(questions.Now, worklist.Filter{}, terminal49.VerdictOptions{})
	require.NoError(t, err)
	counts, err := q.Count(by)
	require.NoError(t, err)
	require.Greater(t, len(counts.Groups), 2, by)
	return counts
}
