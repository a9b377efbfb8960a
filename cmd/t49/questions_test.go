package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
)

// The flags of containers select what the documentation of the filters says.
func TestQuestions_AreAnsweredAsDocumented(t *testing.T) {
	containers := questions.NewAccount(6, 500).Containers()
	list := func(yield func(*terminal49.Container, error) bool) {
		for _, c := range containers {
			if !yield(c, nil) {
				return
			}
		}
	}
	var asked []questions.Question
	for _, f := range []questions.Filter{
		{DaysLeftTo: terminal49.Some(3)}, {DaysLeftFrom: terminal49.Some(0), DaysLeftTo: terminal49.Some(3)}, {DaysLeftTo: terminal49.Some(-1)},
		{Terminals: []string{"USLAX"}}, {Terminals: []string{"wbct"}}, {Terminals: []string{"West Basin"}}, {Terminals: []string{"Y773"}}, {Terminals: []string{"to"}},
		{Terminals: []string{"APM"}}, {Terminals: []string{"KÖLN"}}, {Vessels: []string{"msc oscar"}}, {Vessels: []string{"9811000"}}, {Vessels: []string{"ever giv"}},
		{Terminals: []string{"USLAX"}, DaysLeftTo: terminal49.Some(7)}, {Vessels: []string{"nobody"}},
	} {
		asked = append(asked, questions.Question{Filter: f, Limit: len(containers)})
	}
	sorted := func(a questions.Answer) questions.Answer {
		slices.Sort(a.IDs)
		return questions.Answer{IDs: a.IDs, Total: len(a.IDs)} // the order is that of the service
	}
	questions.Judge(t, questions.Engine{Name: "t49", Reports: sorted, Ask: func(q questions.Question) (a questions.Answer, can bool) {
		var s selection
		require.NoError(t, q.FilterInto(&s.Filter))
		for c, err := range s.of(list, q.Clock.Time()) {
			require.NoError(t, err)
			a.IDs = append(a.IDs, c.ID)
		}
		return sorted(a), true
	}}, containers, asked)
}

// Problems are holds in force, what is owed and what is past its last free day, unless it has left.
func TestQuestions_Problems(t *testing.T) {
	containers := questions.NewAccount(7, 300).Containers()
	var s selection
	s.addProblems()
	found := 0
	for _, c := range containers {
		v := terminal49.Assess(c, questions.Now, terminal49.VerdictOptions{})
		problem := len(v.Readiness.ActiveHolds) > 0 || v.Fees.Owes() || v.Urgency == terminal49.UrgencyOverdue
		require.Equal(t, problem && !v.Situation.HasLeft(), s.includes(c, questions.Now), v)
		if problem {
			found++
		}
	}
	require.Greater(t, found, 30)
}
