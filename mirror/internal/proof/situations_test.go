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
	entered := s.situationsSaid(t, &list)
	var opts []mirror.Option
	if s.schema != "" {
		opts = append(opts, mirror.WithSchema(s.schema))
	}
	for c, err := range mirror.NewReader(s.DB, opts...).Containers(t.Context(), "") {
		require.NoError(t, err)
		want := terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{})
		if standings[c.ID] != want.Standing() {
			list = append(list, fmt.Sprintf("container %s: the stored situation is %v, and the rule finds %v", c.ID, standings[c.ID], want.Standing()))
		}
		if said := entered[c.ID]; said != string(want.Situation) {
			list = append(list, fmt.Sprintf("container %s: the feed said last that it is %q, and it is %q", c.ID, said, want.Situation))
		}
		delete(standings, c.ID)
	}
	for id := range standings {
		list = append(list, fmt.Sprintf("there is a situation of the container %s, and no container", id))
	}
	return list
}

// situationsSaid returns the situation that the feed has said last of each container. It adds those
// that were said twice in a row.
func (s *stored) situationsSaid(t testing.TB, list *[]string) map[string]string {
	t.Helper()
	entered := map[string]string{}
	s.each(t, "select kind, id, attribute from t49.changes where kind = 'situation' or kind = 'container' and attribute = 'id' order by seq", func(c []sql.NullString) {
		kind, id, said := c[0].String, c[1].String, c[2].String
		switch {
		case kind == "container": // it appears, or is deleted
			delete(entered, id)
		case !terminal49.Situation(said).Known():
		case entered[id] == said:
			*list = append(*list, fmt.Sprintf("container %s: the feed says twice that it is %s", id, said))
		default:
			entered[id] = said
		}
	})
	return entered
}
