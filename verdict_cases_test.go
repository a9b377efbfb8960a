package terminal49_test

import (
	"encoding/json"
	"net/http"
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
			requireConsistent(t, v, c.Now)
		})
	}
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
