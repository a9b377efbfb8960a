//go:build unix

package proof

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// situationFaults compares the stored situations with what the rule finds in the rows, and looks
// for notices in the feed that follow one another although nothing moved.
func situationFaults(t testing.TB, s *stored) (list []string) {
	t.Helper()
	if n := s.count(t, "select count(*) from t49.unassessed"); n > 0 {
		return []string{fmt.Sprintf("%d resources wait to be assessed", n)}
	}
	standings := map[string]terminal49.Standing{}
	s.each(t, "select container_id, standing::text from t49.situations", func(c []sql.NullString) {
		var standing terminal49.Standing
		require.NoError(t, json.Unmarshal([]byte(c[1].String), &standing))
		standings[c[0].String] = standing
	})
	entered := s.lastSituations(t, &list)
	var opts []mirror.Option
	if s.schema != "" {
		opts = append(opts, mirror.WithSchema(s.schema))
	}
	for c, err := range mirror.NewReader(s.DB, opts...).Containers(t.Context(), "") {
		require.NoError(t, err)
		want := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
		if standings[c.ID] != want.Stored() {
			list = append(list, fmt.Sprintf("container %s: the stored situation is %v, and the rule finds %v", c.ID, standings[c.ID], want.Stored()))
		}
		if last := entered[c.ID]; last != string(want.Situation) {
			list = append(list, fmt.Sprintf("container %s: its last notice is %q, and its situation %q", c.ID, last, want.Situation))
		}
		delete(standings, c.ID)
	}
	for id := range standings {
		list = append(list, fmt.Sprintf("there is a situation of the container %s, and no container", id))
	}
	return list
}

// lastSituations returns the situation of each container by its last notice. It adds those that
// were reported twice in a row.
func (s *stored) lastSituations(t testing.TB, list *[]string) map[string]string {
	t.Helper()
	entered := map[string]string{}
	s.each(t, "select kind, id, attribute from t49.changes where kind = 'situation' or kind = 'container' and attribute = 'id' order by seq", func(c []sql.NullString) {
		kind, id, last := c[0].String, c[1].String, c[2].String
		switch {
		case kind == "container": // it appears, or is deleted
			delete(entered, id)
		case !terminal49.Situation(last).Known():
		case entered[id] == last:
			*list = append(*list, fmt.Sprintf("container %s: twice in a row, the feed reports %s", id, last))
		default:
			entered[id] = last
		}
	})
	return entered
}
