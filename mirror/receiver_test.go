package mirror

import (
	"bytes"
	"database/sql"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// everywhere runs a test on SQLite and Postgres, and in a bubble.
func everywhere(t *testing.T, f func(t *testing.T, db *sql.DB)) {
	onBoth(t, f)
	t.Run("Bubble", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, sqliteMemory(t)) })
	})
}

// subscribed is a mirror with tables, the lease, and a webhook for every event that delivers to its
// receiver.
type subscribed struct {
	*leading
	srv     *terminal49test.Server
	webhook string
	receive http.Handler // instead of the receiver, unless nil
}

const hookURL = "https://mirror.example/webhook"

func subscribe(t *testing.T, db *sql.DB, opts ...terminal49test.Option) *subscribed {
	t.Helper()
	s := &subscribed{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.receive.ServeHTTP(w, r) })
	s.srv = terminal49test.NewServer(append(opts,
		terminal49test.WithSpeed(0), // only Advance moves it
		terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(handler))...)
	t.Cleanup(s.srv.Close)
	s.leading = lead(stored(t, db, s.srv))
	s.receive = s.Receiver()
	var events []string
	for _, event := range terminal49.WebhookEvents() {
		events = append(events, string(event))
	}
	s.webhook = s.srv.AddWebhook(terminal49test.Webhook{URL: hookURL, Events: events, Secret: mirrortest.WebhookSecret})
	require.NoError(t, s.receiver.learn(terminal49.NewSecret(mirrortest.WebhookSecret)))
	return s
}

// container adds a container, and returns a function that changes it.
func (s *subscribed) container() (id string, change func()) {
	shipment := s.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712", ShippingLine: "MSCU", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	id = s.srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: shipment})
	available := false
	return id, func() {
		available = !available
		s.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(available) })
	}
}

// logged returns the ids of the service's log, sorted.
func (s *subscribed) logged() []string {
	ids := []string{}
	for _, n := range s.srv.WebhookNotifications() {
		ids = append(ids, n.ID)
	}
	slices.Sort(ids)
	return ids
}

// strings returns the first column of a query.
func (m *Mirror) strings(t *testing.T, query string, args ...any) []string {
	t.Helper()
	rows, err := m.db.Pool.Query(m.db.SQL(query), args...)
	require.NoError(t, err)
	defer rows.Close()
	list := []string{}
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		list = append(list, s)
	}
	require.NoError(t, rows.Err())
	return list
}

const inboxIDs = "select id from t49.inbox where state <> 'dead' order by id"

// deliver delivers a signed body to the receiver, and returns the status.
func (s *subscribed) deliver(body []byte) int {
	return mirrortest.Serve(s.receive, mirrortest.SignedRequest(body)).Code
}

// At least once, in no order: twice, late by hours, reordered.
func TestReceiver_StoresEachNotificationOnce(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db, terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 2, DelayEvery: 3, Delay: 5 * time.Hour}))
		_, change := s.container()
		for range 20 {
			change()
			s.srv.Advance(time.Minute)
		}
		s.srv.Advance(6 * time.Hour)
		require.GreaterOrEqual(t, len(s.logged()), 20)
		require.Greater(t, len(s.srv.WebhookDeliveries()), len(s.logged()), "some are delivered twice")
		for _, d := range s.srv.WebhookDeliveries() {
			require.Equal(t, http.StatusOK, d.Status)
		}
		require.Equal(t, s.logged(), s.strings(t, inboxIDs))
		require.Equal(t, []string{"webhook"}, s.strings(t, "select distinct source from t49.inbox"))
	})
}

// Any status but 200, 201, 202, 204 is delivered again.
func TestReceiver_DatabaseDown(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		_, change := s.container()
		s.srv.Advance(time.Hour)
		before := len(s.srv.WebhookDeliveries())
		_, err := db.Exec(s.db.SQL("alter table t49.inbox rename to away"))
		require.NoError(t, err)
		change()
		s.srv.Advance(time.Minute)
		require.GreaterOrEqual(t, s.deliver([]byte(`{"data":[]}`)), 500, "a dead letter")
		_, err = db.Exec(s.db.SQL("alter table t49.away rename to inbox"))
		require.NoError(t, err)
		failed := s.srv.WebhookDeliveries()[before:]
		require.NotEmpty(t, failed)
		for _, d := range failed {
			require.GreaterOrEqual(t, d.Status, 500)
		}
		s.srv.Advance(time.Hour)
		require.Equal(t, s.logged(), s.strings(t, inboxIDs))
		require.NoError(t, db.Close())
		require.GreaterOrEqual(t, s.deliver(mirrortest.Numbered(1)), 500)
	})
}

// A process that dies between the commit and the response has stored the notification; one that
// dies before has not. The service delivers again after both.
func TestReceiver_DiesAroundTheCommit(t *testing.T) {
	for _, point := range []string{"receive: before commit", "receive: after commit"} {
		t.Run(point, func(t *testing.T) {
			onBoth(t, func(t *testing.T, db *sql.DB) {
				s := subscribe(t, db)
				var once sync.Once
				s.db.Reached = func(name string) {
					if name == point {
						once.Do(func() { panic("killed") })
					}
				}
				require.Equal(t, http.StatusInternalServerError, s.deliver(mirrortest.Numbered(1)))
				require.Equal(t, http.StatusOK, s.deliver(mirrortest.Numbered(1)))
				require.Equal(t, []string{"n-1"}, s.strings(t, inboxIDs))
			})
		})
	}
}

// A signed body that is not a notification is acknowledged, once it
// is stored. JSON is kept; anything else may have secrets that nobody finds.
func TestReceiver_DeadLetters(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		for _, body := range []string{`{"data":[]}`, `not JSON: https://bucket.example/?X-Amz-Signature=feed`, `{"data":[]}`} {
			require.Equal(t, http.StatusOK, s.deliver([]byte(body)))
		}
		long := bytes.ReplaceAll(mirrortest.Numbered(1), []byte("n-1"), bytes.Repeat([]byte("n"), 3000))
		require.Equal(t, http.StatusOK, s.deliver(long), "an id that no index holds")
		nul := bytes.ReplaceAll(mirrortest.Numbered(1), []byte("n-1"), []byte(`n\u0000`))
		require.Equal(t, http.StatusOK, s.deliver(nul), "an id that Postgres refuses")
		require.Len(t, s.strings(t, "select id from t49.inbox where state = 'dead' and error is not null"), 4)
		require.Len(t, s.strings(t, "select id from t49.inbox where state = 'dead' and body is null"), 1)
		applied, err := s.work.Inbox.ApplyInbox(t.Context())
		require.NoError(t, err)
		require.Zero(t, applied)
	})
}

// Without a secret nothing can be accepted, and the service has to
// deliver again.
func TestReceiver_Secrets(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		m, _ := stored(t, db, srv)
		status := func() int {
			return mirrortest.Serve(m.Receiver(), mirrortest.SignedRequest(mirrortest.Numbered(1))).Code
		}
		require.Equal(t, http.StatusServiceUnavailable, status())
		require.NoError(t, m.receiver.learn(terminal49.NewSecret("another")))
		require.Equal(t, http.StatusUnauthorized, status())
		require.Empty(t, m.strings(t, inboxIDs))
		require.NoError(t, m.receiver.learn(terminal49.NewSecret(mirrortest.WebhookSecret)))
		require.Equal(t, http.StatusOK, status())
		require.Equal(t, []string{"n-1"}, m.strings(t, inboxIDs))
		require.NoError(t, m.receiver.learn(terminal49.NewSecret("a third")))
		require.Equal(t, http.StatusOK, status(), "those of before stay valid")
	})
}

// A receiver may get deliveries before Run has made the tables.
func TestReceiver_WithoutTables(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		client, err := terminal49.New("0123456789abcdef0123456789abcdef")
		require.NoError(t, err)
		m, err := New(client, db, WithSecrets(terminal49.NewSecret(mirrortest.WebhookSecret)))
		require.NoError(t, err)
		status := func() int {
			return mirrortest.Serve(m.Receiver(), mirrortest.SignedRequest(mirrortest.Numbered(1))).Code
		}
		require.Equal(t, http.StatusInternalServerError, status())
		require.NoError(t, m.Migrate(t.Context()))
		require.Equal(t, http.StatusOK, status())
	})
}

// Deliveries at the same time share commits, and each is answered with the outcome of its own.
func TestReceiver_SharesCommits(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sql.DB) {
		s := subscribe(t, db)
		commits := 0
		s.db.Reached = func(name string) {
			if name == "receive: after commit" {
				commits++
			}
		}
		const n = 3*store.CommitRows + 50
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				if status := s.deliver(mirrortest.Numbered(i % (n - 50))); status != http.StatusOK {
					t.Errorf("status %d", status)
				}
			})
		}
		all.Wait()
		require.Len(t, s.strings(t, inboxIDs), n-50)
		require.Less(t, commits, n/2)
	})
}

// The options of webhooks.
func TestNew_RejectsWebhookOptions(t *testing.T) {
	client, err := terminal49.New("0123456789abcdef0123456789abcdef")
	require.NoError(t, err)
	for _, opt := range []Option{
		WithWebhook(""), WithWebhook("http://mirror.example"), WithWebhook("https://"), WithSecrets(terminal49.Secret{}),
	} {
		_, err := New(client, new(sql.DB), opt)
		var invalid *terminal49.ArgumentError
		require.ErrorAs(t, err, &invalid)
	}
}

// The guide: a notification is acknowledged only after it is stored. A database that hangs is
// answered with a failure in time, and holds up nothing afterwards.
func TestReceiver_DatabaseHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := sqliteMemory(t)
		s := subscribe(t, db)
		only, err := db.Conn(t.Context())
		require.NoError(t, err)
		began := time.Now()
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() { assert.Equal(t, http.StatusInternalServerError, s.deliver(mirrortest.Numbered(i))) })
		}
		all.Wait()
		require.Equal(t, store.CommitTimeout, time.Since(began))
		require.NoError(t, only.Close())
		require.Equal(t, http.StatusOK, s.deliver(mirrortest.Numbered(1)))
		require.Equal(t, []string{"n-1"}, s.strings(t, inboxIDs))
	})
}
