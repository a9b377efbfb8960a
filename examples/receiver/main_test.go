package main

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestReceiver_KeepsContainersInPostgres starts the receiver, lets the terminal release a
// container, and looks into the table; then it starts the receiver again after a change that it has
// missed.
func TestReceiver_KeepsContainersInPostgres(t *testing.T) {
	if os.Getenv("T49_ENGINES") == "" {
		t.Skip("starts a PostgreSQL server: set T49_ENGINES=required")
	}
	dsn, addr := sqlstoretest.StartPostgres(t).DSN(), freeAddress(t)
	db, err := sql.Open("pgx", dsn)
	require.NoError(t, err)
	defer db.Close()
	service := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookTransport(tunnel(addr)))
	defer service.Close()
	demo := service.SeedDemo()
	held := service.ContainerIDs(demo.Shipments[1])[0]
	for name, value := range map[string]string{
		"T49_API_BASE_URL": service.URL, "T49_API_TOKEN": service.Token, "T49_ACCOUNT_ID": "",
		"DATABASE_URL": dsn, "WEBHOOK_URL": "https://receiver.example/", "ADDR": addr,
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

	stop := start(t)
	becomes(terminal49.SituationHeld)
	release(service, held, true)
	becomes(terminal49.SituationReady)
	stop()
	release(service, held, false)
	stop = start(t)
	becomes(terminal49.SituationNotReleased)
	stop()
	require.Empty(t, service.Violations())
}

// freeAddress returns an address of this machine that was free a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

// start runs the receiver until the returned function is called. It returns once the receiver
// listens.
func start(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	require.Eventually(t, func() bool {
		connection, err := net.Dial("tcp", os.Getenv("ADDR"))
		return err == nil && connection.Close() == nil
	}, time.Minute, 10*time.Millisecond)
	return func() {
		t.Helper()
		cancel()
		require.NoError(t, <-ended)
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

// tunnel delivers to a local address, as a proxy in front of the receiver does.
type tunnel string

func (t tunnel) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", string(t)
	return http.DefaultTransport.RoundTrip(r)
}
