//go:build unix

package proof

import (
	"database/sql"
	"fmt"
	"strconv"
	"testing"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// inboxFaults compares the inbox with the service's own log of notifications: each is there once,
// and done.
func inboxFaults(t testing.TB, s *stored, srv *terminal49test.Server) (list []string) {
	t.Helper()
	state := map[string]string{}
	s.each(t, "select id, state from t49.inbox", func(c []sql.NullString) { state[c[0].String] = c[1].String })
	for _, n := range srv.WebhookNotifications() {
		switch got, stored := state[n.ID]; {
		case !stored:
			list = append(list, fmt.Sprintf("notification %s of %s is not in the inbox", n.ID, n.Event))
		case got != "done":
			list = append(list, fmt.Sprintf("notification %s of %s is %s", n.ID, n.Event, got))
		}
	}
	return list
}

// historyFaults checks the table changes: seq has no gaps, the old value of each change is the new
// one of its predecessor, and the last is that of the service. A change that was recorded twice
// has an old value that is not its predecessor's new one. Notices are not changes of a value.
func historyFaults(t testing.TB, s *stored, srv *terminal49test.Server) (list []string) {
	t.Helper()
	type place struct {
		key
		attribute string
	}
	last, next := map[place]string{}, 1
	s.each(t, "select seq, kind, id, attribute, old::text, new::text from t49.changes order by seq", func(c []sql.NullString) {
		seq, _ := strconv.Atoi(c[0].String)
		if seq != next {
			list = append(list, fmt.Sprintf("seq is %d after %d", seq, next-1))
		}
		if next = seq + 1; c[1].String == mirror.KindSituation {
			return
		}
		at, was, is := place{key{c[1].String, c[2].String}, c[3].String}, plain(c[4]), plain(c[5])
		before, known := last[at]
		switch {
		case was == is:
			list = append(list, fmt.Sprintf("change %d of %v %s is none: %s", seq, at.key, at.attribute, is))
		case known && before != was:
			list = append(list, fmt.Sprintf("change %d of %v %s begins with %s after %s", seq, at.key, at.attribute, was, before))
		case !known && at.attribute == "id" && was != "null":
			list = append(list, fmt.Sprintf("change %d removes %v, which never appeared", seq, at.key))
		}
		last[at] = is
	})
	world := worldOf(t, srv)
	for k, r := range world {
		for name, value := range r.Attributes {
			if is, changed := last[place{k, name}]; changed && !sameJSON([]byte(is), encoded(value)) {
				list = append(list, fmt.Sprintf("the last change of %v %s is to %s, not %s", k, name, is, encoded(value)))
			}
		}
	}
	for at, is := range last {
		if _, exists := world[at.key]; at.attribute == "id" && kinds[at.Type] != "" && at.Type != "transport_event" && exists != (is != "null") {
			list = append(list, fmt.Sprintf("the last change of %v is to %s", at.key, is))
		}
	}
	return list
}

// plain returns JSON in one form; "null" for nothing.
func plain(c sql.NullString) string {
	if !c.Valid {
		return "null"
	}
	return string(normal([]byte(c.String)))
}
