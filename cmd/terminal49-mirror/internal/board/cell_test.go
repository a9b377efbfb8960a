package board

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// The cell says what to do in a line, without what other columns say: the last free day, the fees
// and the place.
func TestRow_BriefSaysWhatColumnsDoNot(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		r := rowOf(c.Container(), c.Now)
		brief := r.Brief()
		require.NotEmpty(t, brief, "%s: %s", c.Name, r.Text)
		require.LessOrEqual(t, len(brief), 140, "%s: %s", c.Name, brief)
		for _, other := range []string{r.Place, r.Owed, r.LFD} {
			if other != "" && r.Situation != terminal49.SituationOut && r.Situation != terminal49.SituationReturned {
				require.NotContains(t, brief, other, c.Name)
			}
		}
	}
}

// The cell follows the sentence: it never sends a truck where that does not.
func TestRow_BriefSendsNoOtherTruck(t *testing.T) {
	for text, want := range map[string]string{
		"Ready for pickup. Send a truck to WBCT (USLAX). The terminal's last free day is 2026-11-27, in 4 days.":                           "for pickup: send a truck",
		"Ready for pickup at X. Its last free day has passed: ask the terminal what it charges, pay that, and send a truck today.":         "for pickup: ask what is charged, pay, send a truck",
		"Ready for pickup at X. Its terminal is not reported: ask the shipping line which it is, then send a truck.":                       "for pickup: ask the shipping line for the terminal",
		"Ready for pickup at X. Its terminal was not read: ask the shipping line which it is. Its last free day has passed: ask the line.": "for pickup: ask what is charged, pay, send a truck",
	} {
		r := &row{shown{Situation: terminal49.SituationReady, advice: text}}
		require.Equal(t, want, r.Brief())
	}
	for text, want := range map[terminal49.Situation][2]string{
		terminal49.SituationHeld:        {"At X, held by a customs hold (customs broker). Have it cleared before you send a truck.", "by a customs hold (customs broker)"},
		terminal49.SituationStale:       {"Released at X, but the terminal was last checked 3 days ago. Ask the terminal before you send a truck.", "ask the terminal: last checked 3 days ago"},
		terminal49.SituationPayFirst:    {"Ready, but a fee of unknown amount (exam) must be paid first. Ask the terminal how much, pay, then send a truck to X.", "ask how much, then send a truck"},
		terminal49.SituationNotReleased: {"At X, not released by the terminal. Ask the terminal today.", "ask the terminal today"},
		terminal49.SituationOut:         {"Picked up on 2026-11-20. Nothing left to pick up.", "picked up on 2026-11-20"},
		terminal49.SituationAtSea:       {"On its way by ship to X, expected 2026-11-20. Wait.", "wait"},
	} {
		r := &row{shown{Situation: text, advice: want[0]}}
		require.Equal(t, want[1], r.Brief())
	}
}

// The name of a place is not taken for what to do.
func TestRow_BriefIsNotOfAName(t *testing.T) {
	c := new(terminal49.Container)
	require.NoError(t, json.Unmarshal([]byte(`{"data":{"id":"c","type":"container","attributes":{"pod_arrived_at":"2026-11-20T08:00:00Z",
		"pod_discharged_at":"2026-11-20T09:00:00Z"},"relationships":{"pod_terminal":{"data":{"id":"t","type":"terminal"}}}},
		"included":[{"id":"t","type":"terminal","attributes":{"name":"Ask how much at Wait & Sons"}}]}`), c))
	r := rowOf(c, time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))
	require.Contains(t, r.Text, "Wait & Sons")
	require.NotContains(t, r.Brief(), "Sons", r.Text)
	require.NotEmpty(t, r.Brief())
}

// A text of the service is text in a sentence whose days are marked.
func TestUnbroken_Escapes(t *testing.T) {
	require.EqualValues(t, "&lt;b&gt; on <time>2026-11-20</time>.", unbroken("<b> on 2026-11-20."))
}
