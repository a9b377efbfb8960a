package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// The simulated account: how many shipments it has at first, and how fast its clock runs.
const (
	demoShipments = 200
	demoSpeed     = 3600 // an hour each second
)

// demoURL is the address of the webhook in the simulated account. Its deliveries go to a server on
// the loopback interface.
const demoURL = "https://mirror.example.com/webhook"

// demo is a simulated account and the mirror of it.
type demo struct {
	*app
	srv    *terminal49test.Server
	m      *mirror.Mirror
	db     *sql.DB
	schema string // the prefix of tables
}

// runDemo copies a simulated account. Without --db the database is in a folder that is deleted at
// the end.
func (a *app) runDemo(ctx context.Context, f runFlags) error {
	a.level = slog.LevelWarn // the feed shows what happens
	if a.db == "" {
		folder, err := os.MkdirTemp("", "terminal49-mirror")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder) //nolint:errcheck // it is the system's folder for temporary files
		a.db = filepath.Join(folder, "demo.db")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits(),
		terminal49test.WithWebhookTransport(loopback{listener.Addr().String(), &http.Transport{}}))
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithoutLimits())
	if err != nil {
		return err
	}
	db, err := a.open(true)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // all is committed
	m, err := a.mirror(client, db, mirror.WithWebhook(demoURL), mirror.WithRetention(f.keep), mirror.WithSituationRules(f.rules), mirror.WithSettle(200*time.Millisecond),
		mirror.WithActiveInterval(5*time.Second), mirror.WithWholeInterval(time.Minute))
	if err != nil {
		return err
	}
	receiver := &servers{failed: make(chan error, 1)}
	receiver.start(listener, m.Receiver())
	d := &demo{app: a, srv: srv, m: m, db: db}
	if dialect, err := sqlstore.DialectOf(ctx, db); err != nil {
		return err
	} else if dialect == sqlstore.Postgres {
		d.schema = `"` + cmp.Or(a.schema, "t49") + `".`
	}
	return errors.Join(d.run(ctx, f.length), receiver.shutdown())
}

// run keeps the copy while the world moves. With a length it then stops the world and verifies.
func (d *demo) run(ctx context.Context, length time.Duration) error {
	if err := d.m.Migrate(ctx); err != nil { // before a notification comes
		return interrupted(ctx, err)
	}
	d.srv.SeedTraffic(demoShipments)
	fmt.Fprintf(d.out, "A simulated account, in which an hour passes each second. The copy is in %s.\n", plain(d.secrets.mask(d.app.db)))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- d.m.Run(ctx)
	}()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		(&feed{demo: d, names: map[string]string{}}).follow(ctx)
	}()
	d.srv.SetSpeed(demoSpeed)
	err := d.watch(ctx, length)
	stop()
	<-shown
	return errors.Join(err, <-ended)
}

// watch waits for the length, or without one for the end of ctx.
func (d *demo) watch(ctx context.Context, length time.Duration) error {
	if length == 0 {
		<-ctx.Done()
		return nil
	}
	if !sleep(ctx, length) {
		return nil
	}
	d.srv.SetSpeed(0)
	fmt.Fprintln(d.out, "The simulated clock stands still. The mirror walks over everything once more, for what no notification reports, and is verified.")
	err := d.m.Reconcile(ctx)
	if err == nil {
		err = d.printDifferences(ctx, d.m)
	}
	if ctx.Err() != nil {
		return nil // an interrupt, or Run has an error
	}
	return err
}

// loopback delivers webhooks to an address of this machine, without TLS.
type loopback struct {
	address string
	base    *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (l loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", l.address
	return l.base.RoundTrip(r)
}
