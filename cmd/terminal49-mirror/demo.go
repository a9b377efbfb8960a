package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// The pace of the demo.
const (
	demoStep  = 100 * time.Millisecond
	demoSpeed = 3 * 3600 // three hours each second
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
	m, err := a.mirror(client, db, mirror.WithWebhook(demoURL), mirror.WithSettle(200*time.Millisecond),
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
		d.schema = "t49."
	}
	return errors.Join(d.run(ctx, f.length), receiver.shutdown())
}

// run keeps the copy while the world moves. With a length it then stops the world and verifies.
func (d *demo) run(ctx context.Context, length time.Duration) error {
	d.srv.SeedDemo()
	fmt.Fprintf(d.out, "A simulated account, in which three hours pass each second. The copy is in %s.\n", d.app.db)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- d.m.Run(ctx) }()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		(&feed{demo: d, names: map[string]string{}}).follow(ctx)
	}()
	moving, stand := context.WithCancel(ctx)
	if length > 0 {
		moving, stand = context.WithTimeout(ctx, length)
	}
	defer stand()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for sleep(moving, demoStep) {
			d.srv.Advance(demoSpeed * demoStep)
		}
	}()
	var err error
	select {
	case err = <-ended:
		stand()
		<-stopped
		ended <- nil
	case <-stopped:
	}
	if err == nil && length > 0 && ctx.Err() == nil {
		err = d.prove(ctx)
	}
	stop()
	<-shown
	return errors.Join(err, <-ended)
}

// prove waits until all notifications are applied and what they marked is read, and verifies.
func (d *demo) prove(ctx context.Context) error {
	fmt.Fprintln(d.out, "The world stands still. Verifying the copy.")
	deadline := time.Now().Add(time.Minute)
	for {
		s, err := d.m.Status(ctx)
		switch {
		case err != nil:
			return err
		case s.Inbox == 0 && s.Marked == 0 && !s.ActiveWalk.IsZero() && !s.WholeWalk.IsZero():
			return d.printDifferences(ctx, d.m)
		case time.Now().After(deadline):
			fmt.Fprintf(d.out, "after a minute %d notifications and %d marks are left\n", s.Inbox, s.Marked)
			return d.printDifferences(ctx, d.m)
		}
		if !sleep(ctx, demoStep) {
			return ctx.Err()
		}
	}
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
