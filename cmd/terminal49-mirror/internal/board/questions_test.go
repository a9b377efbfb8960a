package board

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
	"github.com/go-freight/terminal49/worklist"
)

// still is a source whose clock stands still.
type still struct {
	source
	at   time.Time
	byID map[string]*terminal49.Container
}

func (s *still) now() time.Time { return s.at }
func (s *still) state() state   { return state{} }

func (s *still) containers(_ context.Context, ids []string) (list []*terminal49.Container, err error) {
	for _, id := range ids {
		list = append(list, s.byID[id])
	}
	return list, nil
}

// addressOf returns the address of the first page of a question; false if the board cannot be asked
// it.
func addressOf(t *testing.T, q questions.Question) (string, bool) {
	var f worklist.Filter
	require.NoError(t, q.FilterInto(&f))
	if len(q.By) > 0 || q.Clock != (questions.Clock{Hours: q.Clock.Hours}) || len(f.Texts) > 0 {
		return "", false // it has the usual rules of the clock
	}
	values := f.Values()
	if q.Order != "" {
		values.Set("sort", q.Order)
	}
	return "/?" + values.Encode(), true
}

var rowID = regexp.MustCompile(`<tr id="c-([^"]+)"`)

// The board lists what the documentation of the filter says, in the same order.
func TestQuestions_AreAnsweredAsDocumented(t *testing.T) {
	p := newPage(t)
	s := &still{source: p.listed, at: questions.Now, byID: map[string]*terminal49.Container{}}
	p.site.model, p.site.source = newModel(), s
	containers := questions.NewAccount(5, 500).Containers()
	for _, c := range containers {
		s.byID[c.ID] = c
	}
	p.site.model.put(questions.Now, containers...)
	drawn := questions.Draw(5, containers, 400)
	for i := range drawn {
		drawn[i].Offset, drawn[i].Limit = 0, perPage
	}
	questions.Judge(t, questions.Engine{
		Name: "Board",
		Ask: func(q questions.Question) (a questions.Answer, can bool) {
			address, can := addressOf(t, q)
			if !can {
				return a, false
			}
			s.at = q.Clock.Time()
			text := p.do(http.MethodGet, address, url.Values(nil)).Body.String()
			for _, found := range rowID.FindAllStringSubmatch(text, -1) {
				a.IDs = append(a.IDs, html.UnescapeString(found[1]))
			}
			a.Total = len(a.IDs)
			if strings.Contains(text, `No container has `) {
				a.Unknown = "a text"
			}
			return a, true
		},
		Reports: func(a questions.Answer) questions.Answer {
			if a.Unknown != "" {
				a.Unknown = "a text"
			}
			return questions.Answer{IDs: a.IDs, Total: len(a.IDs), Unknown: a.Unknown}
		},
	}, containers, drawn)
}
