package mirror

import (
	"database/sql"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// A change is a CloudEvent with the attributes that the specification requires, with the position
// as its id, and signed like a webhook of the service. Source: CloudEvents 1.0.2, JSON event
// format.
func TestPush_SendsSignedCloudEvents(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m, s := newTestMirror(t, db), newSink(t, nil)
		m.exec("insert into t49.identity (account, seen_at) values ('acc-1', $1)", m.db.Time(time.Now()))
		at := m.add("c1")
		p := m.push(s.to())
		soon(t, func() bool { return len(s.accepted()) == 1 })
		p.stop(t)
		require.JSONEq(t, `{"specversion":"1.0","id":"`+at[0]+`","source":"urn:terminal49:account:acc-1",
			"type":"com.github.go-freight.terminal49.container.pickup_lfd","subject":"container/c1","time":"2027-01-15T08:00:00Z",
			"datacontenttype":"application/json","data":{"seq":1,"position":"`+at[0]+`","kind":"container","id":"c1","attribute":"pickup_lfd",
			"old":null,"new":"value-c1-1","source":"walk","at":"2027-01-15T08:00:00Z"}}`, s.bodies[0])
		require.Equal(t, "application/cloudevents+json; charset=utf-8", s.header.Get("Content-Type"))
		status := m.pushStatus()
		require.Equal(t, Position(at[0]), status.Position)
		require.Equal(t, [4]int64{0, 0, 0, 1}, [4]int64{status.Behind, status.Pending, status.Parked, status.Sent})
		require.NoError(t, status.Healthy(time.Now()))
	})
}

// What fails is sent again with the same bytes, before and after a restart of the sender; other
// containers go on, and later changes of the same one wait.
func TestPush_RepeatsTheSameBytes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		bad := func(w http.ResponseWriter, _, subject string) bool {
			if subject == "container/bad" {
				http.Error(w, "not <today>\x1b", http.StatusInternalServerError)
			}
			return subject == "container/bad"
		}
		s := newSink(t, bad)
		at := m.add("bad", "a", "bad", "b", "a")
		p := m.push(s.to())
		soon(t, func() bool {
			return len(s.accepted()) == 3 && s.tries(at[0]) >= 2 && m.pushStatus().Position == Position(at[4])
		})
		status := m.pushStatus()
		require.EqualValues(t, 2, status.Pending)
		require.Equal(t, "the receiver answered 500: not <today>", status.Problem)
		p.stop(t)
		require.Zero(t, s.tries(at[2]))
		s.set(nil)
		p = m.push(s.to())
		soon(t, func() bool { return len(s.accepted()) == 5 && m.pushStatus().Pending == 0 })
		p.stop(t)
		require.Equal(t, []string{at[0], at[2]}, s.accepted()[3:])
		same := byID(s.bodies, at[0])
		require.GreaterOrEqual(t, len(same), 3)
		for _, body := range same {
			require.Equal(t, same[0], body)
		}
	})
}

func byID(bodies []string, id string) (list []string) {
	for _, body := range bodies {
		if strings.Contains(body, `"id":"`+id+`"`) {
			list = append(list, body)
		}
	}
	return list
}

// What fails for good is parked with the reason, its container goes on, and replay sends it again
// under the same id.
func TestPush_ParksAndReplays(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		at := m.add("bad", "bad")
		s := newSink(t, func(w http.ResponseWriter, id, _ string) bool {
			if id == at[0] {
				http.Error(w, "out of stock", http.StatusBadRequest)
			}
			return id == at[0]
		})
		to := s.to()
		to.Attempts = 2
		p := m.push(to)
		good := m.add("good")
		soon(t, func() bool { // others are accepted meanwhile, each after the one before
			if s.tries(good[len(good)-1]) > 0 {
				good = append(good, m.add("good")...)
			}
			return m.pushStatus().Parked == 1
		})
		soon(t, func() bool { return s.tries(at[1]) > 0 })
		list, err := m.Parked(t.Context(), "default")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, Position(at[0]), list[0].Position)
		require.Equal(t, "the receiver answered 400: out of stock", list[0].Problem)
		require.Equal(t, 2, list[0].Attempts)
		require.ErrorContains(t, m.pushStatus().Healthy(time.Now()), "has parked 1 deliveries")
		s.set(nil)
		_, err = m.Replay(t.Context(), "other")
		require.ErrorIs(t, err, ErrNoPush)
		n, err := m.Replay(t.Context(), "default", "1-0123456789abcdef")
		require.NoError(t, err)
		require.Zero(t, n)
		n, err = m.Replay(t.Context(), "default", Position(at[0]))
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		soon(t, func() bool { return s.tries(at[0]) == 3 && m.pushStatus().Pending+m.pushStatus().Parked == 0 })
		p.stop(t)
	})
}

// 410 ends the sender with an error, and keeps everything for its next start.
func TestPush_EndsWhenTheReceiverIsGone(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		s := newSink(t, func(w http.ResponseWriter, _, _ string) bool { w.WriteHeader(http.StatusGone); return true })
		at := m.add("a", "b", "a")
		p := m.push(s.to())
		require.ErrorIs(t, <-p.ended, ErrGone)
		require.ErrorContains(t, m.pushStatus().Healthy(time.Now()), "410 Gone")
		require.NotContains(t, m.pushStatus().Stopped, "\n", "several deliveries were answered 410; the reason is given once")
		s.set(nil)
		p = m.push(s.to())
		soon(t, func() bool { return len(s.accepted()) == len(at) })
		require.NoError(t, m.pushStatus().Healthy(time.Now()))
		p.stop(t)
	})
}

// Headers of a response are bounded: 64 requests are under way at a time.
func TestPush_BoundsResponseHeaders(t *testing.T) {
	t.Parallel()
	m := newTestMirror(t, sqliteFile(t))
	s := newSink(t, func(w http.ResponseWriter, _, _ string) bool {
		w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
		w.WriteHeader(http.StatusNoContent)
		return true
	})
	m.add("a")
	to := s.to()
	to.Attempts = 1
	p := m.push(to)
	soon(t, func() bool { return m.pushStatus().Parked == 1 })
	require.Contains(t, m.pushStatus().Problem, "exceeded 65536 bytes")
	p.stop(t)
}

// One sender sends for a name; when it ends, the other one goes on.
func TestPush_OneSends(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m, s := newTestMirror(t, db), newSink(t, nil)
		one := m.push(s.to())
		soon(t, func() bool { return m.row("select count(*) from t49.pushes") == "1" })
		other := m.push(s.to())
		at := m.add("a", "b", "a")
		soon(t, func() bool { return len(s.accepted()) == 3 })
		require.Equal(t, 1, s.tries(at[0]))
		one.stop(t)
		m.add("a")
		soon(t, func() bool { return len(s.accepted()) == 4 })
		require.ErrorContains(t, m.RemovePush(t.Context(), "default"), "is being sent")
		other.stop(t)
		require.NoError(t, m.RemovePush(t.Context(), "default"))
		require.ErrorIs(t, m.RemovePush(t.Context(), "default"), ErrNoPush)
		require.Equal(t, "0", m.row("select count(*) from t49.deliveries"))
	})
}

// Only what the filter selects is sent, a new push begins at the end, and the position moves on
// over the rest.
func TestPush_FilterAndEnd(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m, s := newTestMirror(t, db), newSink(t, nil)
		m.add("before")
		to := s.to()
		to.From, to.Filter = "end", []string{"situation.ready", "shipment"}
		p := m.push(to)
		soon(t, func() bool { return m.row("select count(*) from t49.pushes") == "1" })
		m.add("a")
		ready := m.addOf("situation", "b", "ready")
		m.addOf("situation", "b", "held")
		shipment := m.addOf("shipment", "s", "pod_eta_at")
		last := m.add("d")[0]
		soon(t, func() bool { return m.pushStatus().Position == Position(last) })
		p.stop(t)
		require.ElementsMatch(t, []string{ready, shipment}, s.accepted())
		require.Contains(t, byID(s.bodies, ready)[0], `"subject":"container/b"`)
	})
}

// If changes after the position are missing, the sender ends with the error of the feed, and goes
// on after it was moved.
func TestPush_PositionLost(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m, s := newTestMirror(t, db), newSink(t, nil)
		at := m.add("a", "b", "c")
		to := s.to()
		to.From = at[1][:2] + "ffffffffffffffff"
		require.ErrorIs(t, m.Push(t.Context(), to), ErrPositionUnknown)
		p := m.push(s.to())
		soon(t, func() bool { return m.pushStatus().Position == Position(at[2]) })
		p.stop(t)
		m.exec("delete from t49.changes where seq = 3") // a backup was restored
		require.ErrorIs(t, m.Push(t.Context(), s.to()), ErrPositionAhead)
		require.ErrorContains(t, m.pushStatus().Healthy(time.Now()), "has stopped: mirror: the feed of changes cannot be read")
		require.ErrorIs(t, m.Reposition(t.Context(), "default", at[2]), ErrPositionAhead)
		require.NoError(t, m.Reposition(t.Context(), "default", "end"))
		p = m.push(s.to())
		more := m.add("d")
		soon(t, func() bool { return s.tries(more[0]) == 1 })
		require.NoError(t, m.Reposition(t.Context(), "default", "begin"), "while it is being sent")
		soon(t, func() bool { return s.tries(at[0]) >= 2 && s.tries(more[0]) >= 2 })
		p.stop(t)
	})
}

// What is forgotten is not sent any more, and is in no table; the change that reports it is sent.
func TestPush_Forget(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		m := newTestMirror(t, db)
		s := newSink(t, func(w http.ResponseWriter, _, subject string) bool {
			if subject == "container/C" {
				w.WriteHeader(http.StatusInternalServerError)
			}
			return subject == "container/C"
		})
		m.write(between(1, 1), forgetContainer)
		m.addOf("situation", "C", "ready")
		m.add("C", "D")
		p := m.push(s.to())
		soon(t, func() bool { return m.pushStatus().Pending >= 2 && len(s.accepted()) > 0 })
		values := "select coalesce(cast(new as text), '') from t49.deliveries order by seq"
		require.Contains(t, m.all(values), `"value-C-2"`)
		require.NoError(t, m.Forget(t.Context(), Ref{"container", "C"}))
		require.Empty(t, m.all(values))
		s.set(nil)
		soon(t, func() bool { st := m.pushStatus(); return st.Pending == 0 && st.Behind == 0 })
		p.stop(t)
		last := s.bodies[len(s.bodies)-1]
		require.Contains(t, last, `"attribute":"id","old":"C","new":null,"source":"forget"`)
	})
}

// What is wrong is an error that names the field, before anything runs, and without the secrets.
func TestPush_BadInput(t *testing.T) {
	t.Parallel()
	m := newTestMirror(t, sqliteFile(t))
	for field, change := range map[string]func(*Push){
		"Push.Name":     func(p *Push) { p.Name = "A b" },
		"Push.URL":      func(p *Push) { p.URL = terminal49.NewSecret("ftp://s3cr3t.example.com/s3cr3t") },
		"Push.Secret":   func(p *Push) { p.Secret = terminal49.Secret{} },
		"Push.Filter":   func(p *Push) { p.Filter = []string{"containers"} },
		"Push.From":     func(p *Push) { p.From = "31543" },
		"Push.Timeout":  func(p *Push) { p.Timeout = time.Hour },
		"Push.Attempts": func(p *Push) { p.Attempts = -1 },
	} {
		p := Push{URL: terminal49.NewSecret("https://example.com/x"), Secret: terminal49.NewSecret("s3cr3t")}
		require.NoError(t, p.Check())
		change(&p)
		err := m.Push(t.Context(), p)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, field)
		require.Equal(t, field, argument.Field)
		require.NotContains(t, err.Error(), "s3cr3t")
	}
	require.Equal(t, "0", m.row("select count(*) from t49.pushes"))
	require.ErrorContains(t, Push{URL: terminal49.NewSecret("https://example.com"), Secret: terminal49.NewSecret("x"), Filter: []string{"situation.redy"}}.Check(),
		`has the unknown notice "situation.redy"`)
	require.ErrorContains(t, Push{URL: terminal49.NewSecret("https://example.com"), Secret: terminal49.NewSecret("x"), Filter: []string{"containers"}}.Check(),
		`has the unknown kind "containers"; the kinds are container, container_created_event`)
}
