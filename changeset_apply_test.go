package terminal49_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// Rules 1 and 2 of changesets: each attribute that changed is listed with its old and new value. So
// what is not listed did not change.
func TestChangesetApply_BeforeClaimsOnlyWhatIsListed(t *testing.T) {
	const fullOut, status = `"pod_full_out_at":"2026-03-02T16:00:00Z"`, `"current_status":"picked_up"`
	for _, row := range []struct {
		name, container, changeset string
		before, after              bool // whether it has left
	}{
		{"the time is listed", fullOut, `{"pod_full_out_at":[null,"2026-03-02T16:00:00Z"]}`, false, true},
		{"the time is listed, container from before", ``, `{"pod_full_out_at":[null,"2026-03-02T16:00:00Z"]}`, false, true},
		{"the time is not listed", fullOut, `{"holds_at_pod_terminal":[[],[]]}`, true, true},
		{"another time is listed", fullOut, `{"delivered_at":[null,"2026-03-03T16:00:00Z"]}`, true, true},
		{"the status is listed", status, `{"current_status":["available","picked_up"]}`, false, true},
		{"both proofs, one listed", fullOut + "," + status, `{"current_status":["available","picked_up"]}`, true, true},
		{"a wrong departure was rolled back", ``, `{"empty_terminated_at":["2026-03-02T16:00:00Z",null]}`, true, false},
		{"a time that is not a pair is unknown", fullOut, `{"pod_full_out_at":"2026-03-02T16:00:00Z"}`, false, false},
		{"not left at all", ``, `{"available_for_pickup":[false,true]}`, false, false},
	} {
		var changeset terminal49.Changeset
		require.NoError(t, json.Unmarshal([]byte(row.changeset), &changeset))
		c := readContainers(t, `{`+row.container+`}`)[0]
		left := func(c *terminal49.Container) bool {
			return hasLeft(terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}))
		}
		require.Equal(t, row.before, left(changeset.Reversed().Apply(c)), row.name)
		require.Equal(t, row.after, left(changeset.Apply(c)), row.name)
	}
}
