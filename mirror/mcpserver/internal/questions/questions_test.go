package questions

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// probe asks a question. It returns what the tools answered, and the right answer, which does not
// depend on them.
type probe func(p *prober) (got []string, want wanted)

// probes are all of them, by the number of the question.
var probes = map[int]probe{}

// goal is how many of the 100 questions must be right in at most two calls. The others ask for what
// no tool compares or averages: an agent asks them in SQL, see docs/agents.md.
const goal = 83

// question is one of testdata/questions.json.
type question struct {
	ID       int    `json:"id"`
	Who      string `json:"who"`
	Question string `json:"question"`
	Answer   string `json:"answer"` // the definition of the right answer
}

func questions(t testing.TB) (all []question) {
	data, err := os.ReadFile("testdata/questions.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &all))
	return all
}

// scale is how many shipments the account has. QUESTIONS_DB keeps the database for another run.
//
//	QUESTIONS_SHIPMENTS=3050 go test -timeout 2h -v ./mirror/mcpserver/internal/questions
func scale() int {
	if n, err := strconv.Atoi(os.Getenv("QUESTIONS_SHIPMENTS")); err == nil {
		return n
	}
	if os.Getenv("PROOF") == "whole" {
		return 60
	}
	return 8
}

func TestQuestions(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // what the account was at each look is kept to the end
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, scale())
		session := w.connect(t)
		t.Logf("figure: %d containers, %d looks of the mirror", len(w.boxes), len(w.seen))
		outcomes := map[string][]int{}
		all := questions(t)
		follows := slices.IndexFunc(all, func(q question) bool { return q.ID == 74 })
		for _, q := range append(slices.Delete(slices.Clone(all), follows, follows+1), all[follows]) { // 74 changes the account
			outcome, why := w.probe(session, q.ID)
			outcomes[outcome] = append(outcomes[outcome], q.ID)
			t.Logf("%d %s: %s %s", q.ID, q.Question, outcome, why)
		}
		for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
			t.Logf("figure: %d %s %v", len(outcomes[outcome]), outcome, outcomes[outcome])
		}
		right := len(outcomes[rightAsWritten]) + len(outcomes[rightByRules])
		require.GreaterOrEqual(t, right, goal)
	})
}

// The outcomes of a question.
const (
	rightAsWritten = "right"
	rightByRules   = "right by docs/rules.md"
	wrong          = "wrong"
)

// probe asks a question, and compares the answer.
func (w *world) probe(session *mcp.ClientSession, id int) (outcome, why string) {
	p := &prober{world: w, session: session}
	defer func() {
		if r := recover(); r != nil {
			outcome, why = wrong, fmt.Sprintf("%v %s %q", r, p.failed, p.calls)
			if os.Getenv("QUESTIONS_STACK") != "" {
				debug.PrintStack()
			}
		}
	}()
	ask := probes[id]
	if ask == nil {
		return wrong, "not asked"
	}
	got, want := ask(p)
	switch asWritten, byRules := want(w, written), want(w, ruled); {
	case p.failed != "":
		return wrong, fmt.Sprintf("%s %q", p.failed, p.calls)
	case len(p.calls) == 0 || len(p.calls) > 2 || p.sent != 0:
		return wrong, fmt.Sprintf("%q, requests to the service: %d", p.calls, p.sent)
	case slices.Equal(got, asWritten):
		return rightAsWritten, fmt.Sprint(len(got), " values")
	case slices.Equal(got, byRules):
		return rightByRules, fmt.Sprintf("%d values; as written: %s", len(got), differ(got, asWritten))
	default:
		return wrong, fmt.Sprintf("as written: %s; by the rules: %s %q", differ(got, asWritten), differ(got, byRules), p.calls)
	}
}

// differ writes what is different in an answer: some of what it lacks and of what it has too much,
// or else where the order is another.
func differ(got, want []string) string {
	lacks, more := without(want, got), without(got, want)
	if len(lacks)+len(more) > 0 {
		return fmt.Sprintf("%d instead of %d values, lacks %d: %q, has too much %d: %q", len(got), len(want),
			len(lacks), lacks[:min(8, len(lacks))], len(more), more[:min(8, len(more))])
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Sprintf("value %d is %q instead of %q", i+1, got[i], want[i])
		}
	}
	return ""
}

// without returns the values of a list that another does not have as often.
func without(list, other []string) (rest []string) {
	n := map[string]int{}
	for _, value := range other {
		n[value]++
	}
	for _, value := range list {
		if n[value]--; n[value] < 0 {
			rest = append(rest, value)
		}
	}
	return rest
}
