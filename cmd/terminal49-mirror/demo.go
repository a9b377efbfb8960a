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
	"github.com/go-freight/terminal49/cmd/internal/cli"
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
	srv      *terminal49test.Server
	m        *mirror.Mirror
	client   *terminal49.Client
	db       *sql.DB
	schema   string // the prefix of tables
	receiver *servers
	folder   string // of the database; "" with --db
}

// runDemo copies a simulated account.
func (a *app) runDemo(ctx context.Context, f runFlags) error {
	a.level = slog.LevelWarn // the feed shows what happens
	d, err := a.openDemo(nil, mirror.WithRetention(f.keep), mirror.WithSituationRules(f.rules), mirror.WithActiveInterval(5*time.Second), mirror.WithWholeInterval(time.Minute))
	if err != nil {
		return err
	}
	if dialect, err := sqlstore.DialectOf(ctx, d.db); err != nil {
		return errors.Join(err, d.close())
	} else if dialect == sqlstore.Postgres {
		d.schema = `"` + cmp.Or(a.schema, "t49") + `".`
	}
	return errors.Join(d.run(ctx, f.length), d.close())
}

// openDemo returns a simulated account, which is empty and whose clock stands still. Without --db
// the database is in a folder that close deletes.
func (a *app) openDemo(world []terminal49test.Option, opts ...mirror.Option) (d *demo, err error) {
	d = &demo{app: a, receiver: &servers{failed: make(chan error, 1)}}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if a.db == "" {
		if d.folder, err = a.temporaryFile(); err != nil {
			return d, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return d, err
	}
	d.srv = terminal49test.NewServer(append(world, terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits(),
		terminal49test.WithWebhookTransport(loopback{listener.Addr().String(), &http.Transport{}}))...)
	d.client, err = terminal49.New(d.srv.Token, terminal49.WithBaseURL(d.srv.URL), terminal49.WithHTTPClient(d.srv.HTTPClient()), terminal49.WithoutRateLimits())
	if err == nil {
		d.db, err = a.open(true)
	}
	if err == nil {
		d.m, err = a.mirror(d.client, d.db, append(opts, mirror.WithWebhook(demoURL), mirror.WithSettle(200*time.Millisecond))...)
	}
	if err != nil {
		return d, errors.Join(err, listener.Close())
	}
	d.receiver.start(listener, d.m.Receiver())
	return d, nil
}

// temporaryFile makes a file in a folder that only this user can read the database. The caller
// deletes the folder.
func (a *app) temporaryFile() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "terminal49-mirror"); err == nil {
		a.db, a.temporary = filepath.Join(folder, "copy.db"), true
	}
	return folder, err
}

// close ends what openDemo has begun.
func (d *demo) close() error {
	err := d.receiver.shutdown()
	if d.db != nil {
		err = errors.Join(err, d.db.Close())
	}
	if d.srv != nil {
		d.srv.Close()
	}
	if d.folder != "" {
		_ = os.RemoveAll(d.folder) // it is in the system's folder for temporary files
	}
	return err
}

// run keeps the copy while the world moves. With a length it then stops the world and verifies.
func (d *demo) run(ctx context.Context, length time.Duration) error {
	if err := d.m.Migrate(ctx); err != nil { // before a notification comes
		return interrupted(ctx, err)
	}
	d.srv.SeedTraffic(demoShipments)
	fmt.Fprintf(d.out, "A simulated account, in which an hour passes each second. The copy is in %s.\n", cli.Printable(d.secrets.Mask(d.app.db)))
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
