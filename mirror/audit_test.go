package mirror

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// The ids of the service's log without those of the inbox are none.
func TestAudit_FindsWhatWasNeverDelivered(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db, terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{Lost: 0.3, LostStatus: "succeeded"}))
		container, change := s.container()
		for range 150 {
			change()
			s.srv.Advance(time.Minute)
		}
		require.Less(t, len(s.strings(t, inboxIDs)), len(s.logged()))
		require.NoError(t, s.work.Audits.Audit(t.Context(), false))
		require.Equal(t, s.logged(), s.strings(t, inboxIDs))
		require.NotEmpty(t, s.strings(t, "select value from t49.cursors where name = 'audit'"))
		require.Empty(t, s.strings(t, "select value from t49.cursors where name = 'audit.whole'"))

		_, err := db.Exec(s.db.SQL("delete from t49.inbox where source = 'webhook'"))
		require.NoError(t, err)
		s.applyAll(t)
		require.Equal(t, []string{"done"}, s.strings(t, "select distinct state from t49.inbox"))
		require.Equal(t, []string{container}, s.strings(t, "select id from t49.dirty where kind = 'container'"))
		require.Equal(t, len(s.strings(t, "select id from t49.container_events")), len(s.strings(t, "select id from t49.inbox where event in ('container.updated', 'container.created')")))
	})
}

// Once the inbox has everything, an audit costs one request.
func TestAudit_StopsAtAKnownPage(t *testing.T) {
	t.Parallel()
	mirrortest.Simulated(t, func(t *testing.T, _ *terminal49test.Server) {
		s := subscribe(t, sqliteMemory(t))
		_, change := s.container()
		for range 250 {
			change()
			s.srv.Advance(time.Second)
		}
		cost := func(whole bool) int {
			sent := len(s.srv.Requests())
			require.NoError(t, s.work.Audits.Audit(t.Context(), whole))
			return len(s.srv.Requests()) - sent
		}
		require.Equal(t, 3, cost(false), "the first one")
		require.Equal(t, 1, cost(false))
		require.Equal(t, 3, cost(true))
		require.NotEmpty(t, s.strings(t, "select value from t49.cursors where name = 'audit.whole'"))
	})
}

// An audit that failed after some pages leaves a gap behind them, which the next one closes.
func TestAudit_GoesOnWhereOneFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 10)
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		for i := range 350 {
			created := log.list[0].created.Add(time.Minute)
			log.list = slices.Insert(log.list, 0, logEntry{fmt.Sprintf("new-%03d", i), "w-1", created})
		}
		log.failing = 3
		require.Error(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 210, m.count(t, "true"))
		log.failing = 0
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 360, m.count(t, "true"))
	})
}

// A service that does not know the include has a log all the same.
func TestAudit_WithoutInclude(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 10)
		log.plain = true
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 10, m.count(t, "true"))
	})
}

// The account may have no log. Then the audit is off until it is tried again with the next whole
// one, and nothing fails.
func TestAudit_NoLog(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 404} {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		m := lead(stored(t, sqliteFile(t), srv))
		srv.AddFault(terminal49test.Fault{Operation: "webhook_notifications.list", Status: status, Times: -1})
		for range 3 {
			require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		}
		require.Len(t, srv.Requests(), 1)
		srv.ClearFaults()
		require.NoError(t, m.work.Audits.Audit(t.Context(), true))
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Len(t, srv.Requests(), 3)
	}
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	m := lead(stored(t, sqliteFile(t), srv))
	srv.AddFault(terminal49test.Fault{Operation: "webhook_notifications.list", Status: 401, Times: -1})
	require.ErrorIs(t, m.work.Audits.Audit(t.Context(), false), terminal49.ErrUnauthorized)
}

// serviceLog is a log of notifications in any order, of several webhooks.
type serviceLog struct {
	list    []logEntry
	pages   int // read
	unpaged bool
	plain   bool // without includes
	failing int  // page
	totals  bool // in meta
	onPage  func(number int)
}

type logEntry struct {
	id, webhook string
	created     time.Time
}

// RoundTrip implements http.RoundTripper.
func (s *serviceLog) RoundTrip(req *http.Request) (*http.Response, error) {
	s.pages++
	size, _ := strconv.Atoi(req.URL.Query().Get("page[size]"))
	number, _ := strconv.Atoi(req.URL.Query().Get("page[number]"))
	if s.unpaged {
		number = 1
	}
	if s.plain && req.URL.Query().Has("include") || number == s.failing {
		return &http.Response{StatusCode: 422, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(`{"errors":[]}`)), Request: req}, nil
	}
	if s.onPage != nil {
		s.onPage(number)
	}
	var rows []string
	for _, e := range s.list[min((number-1)*size, len(s.list)):min(number*size, len(s.list))] {
		rows = append(rows, fmt.Sprintf(`{"id":%q,"type":"webhook_notification","attributes":{"event":"container.updated","created_at":%q},`+
			`"relationships":{"webhook":{"data":{"type":"webhook","id":%q}},"reference_object":{"data":{"type":"container","id":"c-1"}}}}`,
			e.id, e.created.Format(time.RFC3339), e.webhook))
	}
	next := ""
	if s.unpaged || number*size < len(s.list) {
		next = `"next":"https://api.terminal49.com/v2/webhook_notifications?page[number]=` + strconv.Itoa(number+1) + `"`
	}
	meta := ""
	if s.totals {
		meta = `,"meta":{"total":` + strconv.Itoa(len(s.list)) + `}`
	}
	body := `{"data":[` + strings.Join(rows, ",") + `],"links":{` + next + `}` + meta + `}`
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
}

// auditing returns a mirror whose service has only a log, with n notifications ten minutes apart,
// newest first.
func auditing(t *testing.T, n int) (*leading, *serviceLog) {
	t.Helper()
	log := &serviceLog{}
	for i := range n {
		created := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC).Add(-time.Duration(i) * 10 * time.Minute)
		log.list = append(log.list, logEntry{fmt.Sprintf("n-%04d", i), "w-1", created})
	}
	client, err := terminal49.New("0123456789abcdef0123456789abcdef", terminal49.WithHTTPClient(&http.Client{Transport: log}))
	require.NoError(t, err)
	m, err := New(client, sqliteMemory(t))
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	l := store.NewLease()
	_, err = m.db.TakeLease(t.Context(), l, time.Now())
	require.NoError(t, err)
	return lead(m, l), log
}

func (m *Mirror) count(t *testing.T, condition string) int {
	return len(m.strings(t, "select id from t49.inbox where "+condition))
}

// The order of the log is unknown.
func TestAudit_OtherOrders(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]func([]logEntry){
		"oldest first": slices.Reverse[[]logEntry],
		"in no order":  func(l []logEntry) { l[0], l[len(l)-1] = l[len(l)-1], l[0] },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, log := auditing(t, 250)
				order(log.list)
				require.NoError(t, m.work.Audits.Audit(t.Context(), false))
				require.Equal(t, 250, m.count(t, "true"), "an order that is not newest first: the whole log")
				require.NoError(t, m.work.Audits.Audit(t.Context(), false))
				require.Equal(t, 3, log.pages, "then only whole audits are of use")
				log.list = append(log.list, logEntry{"another", "w-1", time.Now()})
				require.NoError(t, m.work.Audits.Audit(t.Context(), true))
				require.Equal(t, 1, m.count(t, "id = 'another'"))
			})
		})
	}
}

// arrive puts n notifications before the others, a second apart from the newest on.
func (s *serviceLog) arrive(n int) {
	for range n {
		created := s.list[0].created.Add(time.Second)
		s.list = slices.Insert(s.list, 0, logEntry{fmt.Sprintf("new-%d", len(s.list)), "w-1", created})
	}
}

// What is inserted moves the rest to the next page. Notifications that
// arrive while an audit reads do not make the log look unsorted, nor end the audit: the next audits
// find what is new, however many arrive between two pages.
func TestAudit_WhileNotificationsArrive(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 50, 100, 130, 300} {
		synctest.Test(t, func(t *testing.T) {
			m, log := auditing(t, 140)
			log.onPage = func(number int) {
				if number == 2 && log.pages == 2 {
					log.arrive(n)
				}
			}
			require.NoError(t, m.work.Audits.Audit(t.Context(), false))
			require.Equal(t, 140, m.count(t, "id like 'n-%'"), "%d arrive", n)
			log.arrive(1)
			require.NoError(t, m.work.Audits.Audit(t.Context(), false))
			require.Equal(t, len(log.list), m.count(t, "true"), "%d arrive", n)
		})
	}
}

// As many notifications as fit on a page arrive before each of the next three.
func TestAudit_WhileTheSamePageIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 140)
		log.totals = true
		log.onPage = func(number int) {
			if number > 1 && number < 5 {
				log.arrive(100)
			}
		}
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 140, m.count(t, "id like 'n-%'"))
	})
}

// A read may come from a copy of the service's data that lags. Its pages
// begin elsewhere, so that some notifications are on none.
func TestAudit_FromACopyThatLags(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 140)
		log.totals = true
		all := log.list
		log.onPage = func(number int) {
			log.list = all
			if number == 2 && log.pages < 5 {
				log.list = all[10:]
			}
		}
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 140, m.count(t, "true"))
		require.Equal(t, 5, log.pages)
	})
}

// Until a page is all known. What was created at the same moment as the
// newest notification of the last audit may be on the page after it.
func TestAudit_SameMomentAsTheLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 100)
		moment := log.list[49].created // of 50
		for i := range 49 {
			log.list[i].created = moment
		}
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		log.arrive(50)
		var delivered []store.Arrival
		for _, e := range log.list[:50] {
			delivered = append(delivered, store.Arrival{ID: e.id, Event: "container.updated", Created: e.created, Source: "webhook", State: store.StateNew})
		}
		_, err := m.db.Arrive(t.Context(), time.Now(), delivered)
		require.NoError(t, err)
		log.list = slices.Insert(log.list, 100, logEntry{"late", "w-1", moment})
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 1, m.count(t, "id = 'late'"))
	})
}

// A log of one instant, of one page, empty, or that repeats its only page.
func TestAudit_SmallLogs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 0)
		require.NoError(t, m.work.Audits.Audit(t.Context(), true))
		log.list = append(log.list, logEntry{"one", "w-1", time.Now()})
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 1, m.count(t, "true"))
		for i := range 150 {
			log.list = append(log.list, logEntry{fmt.Sprintf("same-%d", i), "w-1", log.list[0].created})
		}
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 151, m.count(t, "true"))
		log.unpaged, log.pages = true, 0
		require.NoError(t, m.work.Audits.Audit(t.Context(), true))
		require.Equal(t, 3, log.pages)
	})
}

// The first audit goes back by a day, a whole one by auditHorizon at most; times are those of the
// log.
func TestAudit_GoesBackSoFar(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, log := auditing(t, 30*24*6)
		require.NoError(t, m.work.Audits.Audit(t.Context(), false))
		require.Equal(t, 24*6+1, m.count(t, "true"))
		for i := range log.list {
			log.list[i].created = log.list[i].created.Add(20 * 24 * time.Hour)
			log.list[i].id += "b"
		}
		log.pages = 0
		require.NoError(t, m.work.Audits.Audit(t.Context(), true))
		require.Equal(t, 14*24*6+1, m.count(t, "id like '%b'"))
		require.Equal(t, 14*24*6/100+1, log.pages)
	})
}

// Those of the mirror's own webhook count, and those that name none. Without a webhook all count.
func TestAudit_Webhooks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, own := range []string{"", "w-1"} {
			m, log := auditing(t, 3)
			log.list[1].webhook, log.list[2].webhook = "w-2", ""
			m.receiver.setOwn(own)
			require.NoError(t, m.work.Audits.Audit(t.Context(), false))
			want := []string{"n-0000", "n-0002"}
			if own == "" {
				want = []string{"n-0000", "n-0001", "n-0002"}
			}
			require.Equal(t, want, m.strings(t, inboxIDs))
		}
	})
}

// Interface of WithSecrets: a webhook that the user manages. What it did not deliver is found too.
func TestAudit_OfAWebhookThatTheUserManages(t *testing.T) {
	t.Parallel()
	nobody := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	simulated(t, func(w *world) {
		demo := w.srv.SeedDemo()
		var events []string
		for _, event := range terminal49.WebhookEvents() {
			events = append(events, string(event))
		}
		w.srv.AddWebhook(terminal49test.Webhook{URL: hookURL, Events: events, Secret: mirrortest.WebhookSecret})
		id := w.srv.ContainerIDs(demo.Shipments[0])[0]
		m := w.mirror(WithSecrets(terminal49.NewSecret(mirrortest.WebhookSecret)), WithActiveInterval(24*time.Hour))
		stop := w.start(m)
		time.Sleep(10 * time.Minute)
		w.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.Holds = []terminal49test.Hold{{Name: "customs"}} })
		time.Sleep(6 * time.Minute)
		w.requireRows("container")
		require.NotZero(w, w.count("select count(*) from inbox where source = 'audit' and event = 'container.updated'"))
		require.NotZero(w, w.count("select count(*) from container_events"))
		require.NoError(w, stop())
	}, standing, terminal49test.WithWebhookHandler(nobody))
}
