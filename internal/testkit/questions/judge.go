package questions

import (
	"testing"

	"github.com/go-freight/terminal49"
)

// Engine is what is judged.
type Engine struct {
	Name string
	// Ask returns the answer to a question; false if the engine cannot be asked it.
	Ask func(Question) (Answer, bool)
	// Reports returns what of an answer the engine reports; nil for an engine that reports all.
	Reports func(Answer) Answer
}

// Judge asks an engine questions about containers. A test fails with the question and both answers
// for each that is answered in another way than documented.
func Judge(t testing.TB, e Engine, containers []*terminal49.Container, all []Question) {
	t.Helper()
	if e.Reports == nil {
		e.Reports = func(a Answer) Answer { return a }
	}
	documented, asked, found, wrong := NewOracle(containers), 0, 0, 0
	for _, q := range all {
		got, can := e.Ask(q)
		if !can {
			continue
		}
		asked, found = asked+1, found+min(1, got.Total)
		if difference := got.Against(e.Reports(documented.Ask(q))); difference != "" {
			wrong++
			t.Errorf("%s, about %s:\n%s\n%.4000s", e.Name, q.Purpose, q, difference)
		}
	}
	t.Logf("figure: %s answers %d of %d questions in another way than documented; %d find containers", e.Name, wrong, asked, found)
}
