package terminal49_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

func TestAssess_WantedVerdicts(t *testing.T) {
	cases := verdicttest.Cases()
	require.Greater(t, len(cases), 60)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			client := testkit.NewClient(t, testkit.Answer(http.StatusOK, string(c.Document)))
			container, err := client.Containers.Get(t.Context(), verdicttest.ContainerID, nil)
			require.NoError(t, err)
			require.Equal(t, terminal49.Assess(container, c.Now, terminal49.VerdictOptions{}).String(),
				terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{}).String(), "read from JSON")
			v := terminal49.Assess(container, c.Now, terminal49.VerdictOptions{})
			want := c.Want
			assert.Equal(t, want.Situation, v.Situation)
			assert.Equal(t, want.Place, v.Place.String(), "place")
			assert.Equal(t, want.BoundFor, v.BoundFor.String(), "bound for")
			assert.Equal(t, want.CanPickUp, v.Readiness.CanPickUp(c.Now, 24*time.Hour), "can pick up")
			assert.Equal(t, v.Readiness, terminal49.PickupReadiness(container), "the readiness is that of PickupReadiness")
			if want.Urgency != "" {
				assert.Equal(t, want.Urgency, v.Urgency, "urgency: %s", v.UrgencyReason)
			}
			if want.DaysLeft != nil {
				assert.Equal(t, terminal49.Some(*want.DaysLeft), v.DaysLeft)
			}
			if want.Contradicts != nil {
				var names []string
				for _, f := range v.Against {
					names = append(names, f.Name)
				}
				assert.Equal(t, want.Contradicts, names)
			}
			if want.Sentence != "" {
				assert.Equal(t, want.Sentence, v.String())
			}
			assert.Equal(t, want.Action, actionOf(v.String()), "what to do: %s", v)
			requireConsistent(t, v, c.Now)
		})
	}
}

// actionOf returns what a sentence asks its reader to do first.
func actionOf(sentence string) string {
	for _, action := range []struct{ words, name string }{
		{"Nothing left", "none"}, {"Pay, then", "pay"}, {", pay, then", "pay"}, {"Pay, ask", "pay"}, {"end a truck to ", "send"}, {"then send a truck", "send"},
		{"send a truck today", "send"}, {" cleared", "clear"}, {"Ask ", "check"}, {"Wait", "wait"},
	} {
		if strings.Contains(sentence, action.words) {
			return action.name
		}
	}
	return ""
}

// A response that only links the ports, as every include of a command does, names the same places
// by their ids. So the answer is the same, except that a UN/LOCODE may be unknown.
func TestAssess_AnswersTheSameIfPortsAreOnlyLinked(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		var document map[string]any
		require.NoError(t, json.Unmarshal(c.Document, &document))
		included, _ := document["included"].([]any)
		document["included"] = slices.DeleteFunc(included, func(resource any) bool {
			return slices.Contains([]any{"port", "metro_area"}, resource.(map[string]any)["type"])
		})
		data, err := json.Marshal(document)
		require.NoError(t, err)
		var linked terminal49.Container
		require.NoError(t, json.Unmarshal(data, &linked))
		requireSameAnswer(t, c.Container(), &linked, c.Now, c.Name)
	}
	r := rand.New(rand.NewPCG(47, 3))
	for range testkit.Scale(2_000, 10_000) {
		c, now := randomContainer(r)
		for _, terminal := range []*terminal49.ToOne[*terminal49.Terminal]{&c.PODTerminal, &c.PickupFacility} {
			move(r, terminal)
		}
		s, _ := c.Shipment.Value()
		s.PortOfDischarge = terminal49.Linked[*terminal49.Port]("port", portLA)
		s.Destination = terminal49.Linked[terminal49.Place]("port", s.DestinationLOCODE)
		if r.IntN(2) == 0 {
			s.PODTerminal = c.PODTerminal
		}
		s.PODATA = randomReportedTime(r, now)
		linked := *c
		linked.PODTerminal, linked.PickupFacility = onlyLinked(c.PODTerminal), onlyLinked(c.PickupFacility)
		requireSameAnswer(t, c, &linked, now, "random")
	}
}

// move moves a terminal to another port now and then.
func move(r *rand.Rand, terminal *terminal49.ToOne[*terminal49.Terminal]) {
	if r.IntN(3) == 0 {
		*terminal = terminalIn("t"+strconv.Itoa(r.IntN(3)), []string{portLA, "USNYC", ramp, "USLGB"}[r.IntN(4)])
	}
}

// onlyLinked returns a terminal with its port linked instead of included.
func onlyLinked(terminal terminal49.ToOne[*terminal49.Terminal]) terminal49.ToOne[*terminal49.Terminal] {
	included, ok := terminal.Value()
	if !ok {
		return terminal
	}
	linked := *included
	linked.Port = terminal49.Linked[*terminal49.Port]("port", included.Port.ID())
	return terminal49.Included(terminal.ID(), &linked)
}

func requireSameAnswer(t *testing.T, included, linked *terminal49.Container, now time.Time, name string) {
	t.Helper()
	want, got := terminal49.Assess(included, now, terminal49.VerdictOptions{}), terminal49.Assess(linked, now, terminal49.VerdictOptions{})
	for _, places := range [][2]*terminal49.VerdictPlace{{&want.Place, &got.Place}, {&want.BoundFor, &got.BoundFor}} {
		require.Equal(t, places[0].TerminalID, places[1].TerminalID, name)
		require.Contains(t, []string{"", places[0].LOCODE}, places[1].LOCODE, name)
	}
	answer := func(v terminal49.Verdict) []any {
		return []any{v.Situation, v.Readiness.CanPickUp(now, 24*time.Hour), v.Readiness.Warnings, v.Urgency, v.UrgencyReason, v.DaysLeft, v.Since, v.ETA}
	}
	require.Equal(t, answer(want), answer(got), "%s\n%s\n%s", name, want, got)
}

// requireConsistent requires what holds for every verdict.
func requireConsistent(t testing.TB, v terminal49.Verdict, now time.Time) {
	t.Helper()
	ready := v.Situation == terminal49.SituationReady || v.Situation == terminal49.SituationPayFirst
	require.Equal(t, ready, v.Readiness.CanPickUp(now, 24*time.Hour), "a truck is sent only to what can be picked up: %s", v)
	require.NotContains(t, v.String(), "  ")
	require.False(t, strings.Contains(v.String(), "%!"), v.String())
	data, err := json.Marshal(v)
	require.NoError(t, err)
	var shown struct{ Situation, Sentence string }
	require.NoError(t, json.Unmarshal(data, &shown))
	require.Equal(t, []string{string(v.Situation), v.String()}, []string{shown.Situation, shown.Sentence})
}
