package main

import (
	"context"
	"database/sql"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestReceiver_KeepsContainersInPostgres starts the receiver, lets the terminal release a
// container, and looks into the table; then it starts the receiver again after a change that it has
// missed.
func TestReceiver_KeepsContainersInPostgres(t *testing.T) {
	if os.Getenv("T49_ENGINES") == "" {
		t.Skip("starts a PostgreSQL server: set T49_ENGINES=required")
	}
	db, err := sql.Open("pgx", engines.StartPostgres(t).DSN())
	require.NoError(t, err)
	defer db.Close()
	var to proxy
	service := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(&to))
	defer service.Close()
	demo := service.SeedDemo()
	held := service.ContainerIDs(demo.Shipments[1])[0]
	for name, value := range map[string]string{
		"T49_API_BASE_URL": service.URL, "T49_API_TOKEN": service.Token, "T49_ACCOUNT_ID": "",
		"WEBHOOK_URL": "https://receiver.example/",
	} {
		t.Setenv(name, value)
	}
	becomes := func(situation terminal49.Situation) {
		t.Helper()
		require.Eventually(t, func() bool {
			var rows int
			var of string
			query := "select count(*), max(situation) filter (where document->>'id' = $1) from containers"
			err := db.QueryRowContext(t.Context(), query, held).Scan(&rows, &of)
			return err == nil && rows == 8 && of == string(situation)
		}, time.Minute, 10*time.Millisecond)
	}

	stop := to.start(t, db)
	becomes(terminal49.SituationHeld)
	release(service, held, true)
	becomes(terminal49.SituationReady)
	stop()
	release(service, held, false)
	stop = to.start(t, db)
	becomes(terminal49.SituationNotReleased)
	stop()
	require.Empty(t, service.Violations())
}

// proxy delivers to the receiver that runs, as a proxy in front of it does.
type proxy struct {
	to atomic.Pointer[webhook.Handler]
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if to := p.to.Load(); to != nil {
		to.ServeHTTP(w, r)
		return
	}
	w.WriteHeader(http.StatusBadGateway)
}

// start starts a receiver. It receives until the returned function is called.
func (p *proxy) start(t *testing.T, db *sql.DB) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	handler, err := receive(ctx, db)
	require.NoError(t, err)
	p.to.Store(handler)
	return func() {
		t.Helper()
		p.to.Store(nil)
		cancel()
		require.NoError(t, handler.Shutdown(t.Context()))
	}
}

func release(service *terminal49test.Server, id string, released bool) {
	service.UpdateContainer(id, func(c *terminal49test.Container) {
		c.Holds, c.Fees, c.AvailableForPickup, c.CurrentStatus = nil, nil, terminal49test.Bool(released), "available"
		if !released {
			c.CurrentStatus = "not_available"
		}
	})
	service.Advance(time.Minute) // deliveries
}
