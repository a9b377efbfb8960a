package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/questions"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// questioned is an agent that is asked what package questions draws.
type questioned struct {
	*world
	at time.Time
}

// argumentsOf returns a question as arguments; false if the tools cannot be asked it.
func argumentsOf(q questions.Question) (args, bool) {
	isSituation := func(work string) bool { return terminal49.Situation(work).Known() }
	if q.Clock != (questions.Clock{Hours: q.Clock.Hours}) || slices.ContainsFunc(q.Filter.Work, isSituation) {
		return nil, false // they have the usual rules of the clock, and another argument for situations
	}
	var fields map[string]any
	text, err := json.Marshal(q.Filter)
	if err != nil || json.Unmarshal(text, &fields) != nil {
		return nil, false
	}
	with := args{}
	for name, value := range fields {
		with[argumentName(name)] = value
	}
	return with, true
}

// ask asks the tool worklist or summarize.
func (a *questioned) ask(q questions.Question) (answer questions.Answer, can bool) {
	with, can := argumentsOf(q)
	if !can {
		return answer, false
	}
	a.at = q.Clock.Time()
	if len(q.By) > 0 {
		return a.summarize(q, with), true
	}
	for name, value := range (args{"order": q.Order, "limit": q.Limit, "offset": q.Offset}) {
		if value != "" && value != 0 {
			with[name] = value
		}
	}
	with["fields"] = []string{"id", "situation", "urgency", "days_left", "last_free_day", "place", "bound_for", "owed", "holds"}
	return a.worklist(with), true
}

// failed returns the answer of a question that a tool refuses.
func (a *questioned) failed(tool string, with args) (answer questions.Answer, is bool) {
	r := a.result(tool, with)
	if !r.IsError {
		return answer, false
	}
	text := textOf(a.t, r)
	if !strings.Contains(text, "no container of the account has") {
		return questions.Answer{Unknown: text}, true
	}
	return questions.Answer{Unknown: "a text"}, true
}

func (a *questioned) worklist(with args) questions.Answer {
	if refused, is := a.failed("worklist", with); is {
		return refused
	}
	got, _ := call[worklistAnswer](a.world, "worklist", with)
	answer := questions.Answer{Total: got.Total, Stopped: got.Stopped, Undated: got.Undated, Days: daysIn(got.Days)}
	for _, r := range got.Rows {
		answer.IDs, answer.Rows = append(answer.IDs, r.ID), append(answer.Rows, rowIn(r))
	}
	return answer
}

func daysIn(days workDays) (all map[string]int) {
	for w, n := range days {
		if all == nil {
			all = map[string]int{}
		}
		all[string(w)] = n
	}
	return all
}

func rowIn(r containerRow) questions.Row {
	days, _ := json.Marshal(r.DaysLeft)
	return questions.Row{
		Number: r.Number, Situation: r.Situation, Urgency: r.Urgency, DaysLeft: strings.TrimSuffix(string(days), "null"), LastFreeDay: r.LastFreeDay,
		Place: r.Place, BoundFor: r.BoundFor, Owed: amountsIn(string(r.Owed)), Holds: holdsIn(string(r.Holds)),
	}
}

func (a *questioned) summarize(q questions.Question, with args) questions.Answer {
	with["by"], with["limit"] = q.By, mostGroups
	if refused, is := a.failed("summarize", with); is {
		return refused
	}
	got, _ := call[summarizeAnswer](a.world, "summarize", with)
	answer := questions.Answer{Total: got.Containers, Stopped: got.Stopped, Undated: got.Undated, Days: daysIn(got.Days)}
	answer.Owed = questions.Owed{Containers: got.Owing, Unknown: got.FeesUnknown}
	for _, g := range got.Groups {
		answer.Groups = append(answer.Groups, questions.Group{Containers: g.Containers, DaysPast: g.DaysPast, Owed: questions.Owed{Containers: g.Owing, Unknown: g.FeesUnknown},
			Urgencies: map[terminal49.Urgency]int{"overdue": g.Overdue, "imminent": g.Imminent}})
	}
	return answer
}

// shownToAgents returns what of an answer the tools show: nothing of the pickup of what has left,
// and words for what is unknown.
func shownToAgents(a questions.Answer) questions.Answer {
	if a.Unknown != "" {
		return questions.Answer{Unknown: "a text"}
	}
	rows, groups := a.Rows, a.Groups
	a.Rows, a.Groups, a.Owed.Amounts = nil, nil, ""
	for _, r := range rows {
		a.Rows = append(a.Rows, shownRow(r))
	}
	for _, g := range groups {
		a.Groups = append(a.Groups, questions.Group{Containers: g.Containers, DaysPast: g.DaysPast, Owed: questions.Owed{Containers: g.Owed.Containers, Unknown: g.Owed.Unknown},
			Urgencies: map[terminal49.Urgency]int{"overdue": g.Urgencies["overdue"], "imminent": g.Urgencies["imminent"]}})
	}
	return a
}

// amountsIn returns what is owed in the words of both: amounts that are not zero, and "?" for what
// is unknown.
func amountsIn(text string) string {
	var all []string
	unknownToo := strings.Contains(text, "(not all")
	text = strings.NewReplacer(" (not all amounts known)", "", " (not all reported)", "", "no fees", "none", "fees not reported", "unknown").Replace(text)
	for _, one := range strings.Split(text, " + ") {
		switch {
		case strings.HasPrefix(one, "unknown"), strings.HasSuffix(one, "(totals differ)"):
			unknownToo = true
		case one != "none" && !strings.HasSuffix(one, " 0.00"):
			all = append(all, one)
		}
	}
	if unknownToo {
		all = append(all, "?")
	}
	return strings.Join(all, " + ")
}

// holdsIn returns holds, each once.
func holdsIn(text string) string {
	var all []string
	for _, one := range strings.Split(text, ", ") {
		if one = strings.TrimSpace(one); one != "" && !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return strings.Join(all, ", ")
}

func shownRow(r questions.Row) questions.Row {
	if r.LastFreeDay == "" {
		r.LastFreeDay = unknown
	}
	r.Holds, r.Owed = cmp.Or(holdsIn(r.Holds), "none"), amountsIn(r.Owed)
	if r.Situation == "out" || r.Situation == "returned" {
		r.LastFreeDay, r.DaysLeft, r.Urgency, r.Holds = "", "", "", ""
	}
	return r
}

// oneList answers the list of containers with an account, and everything else as the simulator.
type oneList struct {
	http.RoundTripper
	page []byte
}

// RoundTrip implements http.RoundTripper.
func (l oneList) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err == nil && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/containers") {
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(l.page)), int64(len(l.page))
		resp.Header.Del("Content-Length")
	}
	return resp, err
}

// Agents are answered as the documentation of the filters says, of every container, as far as the
// tools can be asked. With PROOF=whole, 2,000 questions are about 5,000 containers.
func TestQuestions_AreAnsweredAsDocumented(t *testing.T) {
	t.Parallel()
	account := questions.NewAccount(4, mirrortest.Scale(400, 5_000))
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithStart(questions.Now))
	t.Cleanup(srv.Close)
	a := &questioned{at: questions.Now}
	a.world = mirrored(t, Config{Now: func() time.Time { return a.at }}, srv, oneList{srv.Transport(), account.Page()})
	containers := account.Containers()
	questions.Judge(t, questions.Engine{Name: "Agents", Ask: a.ask, Reports: shownToAgents}, containers, questions.Draw(4, containers, mirrortest.Scale(250, 2_000)))
}
