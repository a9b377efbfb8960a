package mirror

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/push"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Push is where and how [Mirror.Push] sends the feed of changes. URL and Secret are required.
type Push struct {
	// Name identifies the push, in the database and for [Mirror.Replay]. The default is "default".
	Name string

	// URL is the http or https address of the receiver. It may have secrets in it: only its scheme
	// and host are stored or logged.
	URL terminal49.Secret

	// Secret signs each delivery, like a webhook's secret.
	Secret terminal49.Secret

	// Filter selects kinds, such as "container", and attributes, such as "container.pickup_lfd" or
	// "situation.ready". The default is everything.
	Filter []string

	// From is where a push begins that the database does not have yet: "begin", "end" or a Position.
	// The default is "end". A push that was started before goes on from its stored position.
	From string

	// Timeout is how long the receiver may take for a delivery. The default is 10 seconds.
	Timeout time.Duration

	// Attempts is after how many failures a delivery is parked. The default is 15, which is about
	// half an hour. Failures while the receiver accepts nothing at all do not count.
	Attempts int

	// Client sends the requests. The default is a client of its own. Redirects are not followed.
	Client *http.Client
}

// ErrGone is returned by [Mirror.Push] when the receiver answers 410 Gone.
var ErrGone = push.ErrGone

// ErrNoPush is returned when the database has no push with a name.
var ErrNoPush = store.ErrNoPush

const (
	defaultPush     = "default"
	defaultTimeout  = 10 * time.Second
	defaultAttempts = 15
)

// Push sends the feed of changes to a receiver until ctx ends, and then returns nil. Each change is
// a POST with a CloudEvent 1.0, signed in the header webhook.SignatureHeader. It is sent at least
// once, under the same id, in order for each resource, and concurrently for different ones. What
// fails is repeated, then parked; see [Mirror.Replay]. If another process sends for the same name,
// Push waits. It may run alongside [Mirror.Run] or in another process.
//
// Errors: *terminal49.ArgumentError; [ErrGone]; [ErrPositionLost]; [ErrReplaced]; those of
// [Mirror.Migrate]. Other errors are logged, and the step is repeated.
func (m *Mirror) Push(ctx context.Context, p Push) error {
	o, err := p.options()
	if err != nil {
		return err
	}
	if err := m.Migrate(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer o.Client.CloseIdleConnections()
	o.Log = m.opts.Log
	return m.lead(ctx, store.NewPushLease(o.Name), "sends for the push "+o.Name, push.New(m.db, o).Run)
}

// Check returns what is wrong with a push, as [Mirror.Push] does before it does anything.
//
// Errors: *terminal49.ArgumentError.
func (p Push) Check() error {
	_, err := p.options()
	return err
}

// options checks a push, and sets what it leaves out.
func (p Push) options() (push.Options, error) {
	o := push.Options{Name: p.Name, URL: p.URL, Secret: p.Secret, Filter: p.Filter, From: p.From, Timeout: p.Timeout, Attempts: p.Attempts, Client: p.Client}
	setDefault(&o.Name, defaultPush)
	setDefault(&o.From, "end")
	setDefault(&o.Timeout, defaultTimeout)
	setDefault(&o.Attempts, defaultAttempts)
	if o.Client == nil {
		o.Client = push.NewClient()
	}
	_, filter := push.ParseFilter(p.Filter)
	for _, field := range []struct{ name, problem string }{
		{"Name", nameProblem(o.Name)},
		{"URL", push.AddressProblem(p.URL)},
		{"Secret", onlyIf(p.Secret.IsZero(), "must not be empty; the receiver verifies signatures with it")},
		{"Filter", filter},
		{"From", fromProblem(o.From)},
		{"Timeout", onlyIf(o.Timeout < 100*time.Millisecond || o.Timeout > 5*time.Minute, "must be from 100 ms to 5 minutes")},
		{"Attempts", onlyIf(o.Attempts < 1, "must be at least 1")},
	} {
		if field.problem != "" {
			return o, invalidPush("Push."+field.name, field.problem)
		}
	}
	return o, nil
}

func setDefault[T comparable](field *T, value T) {
	if *field == *new(T) {
		*field = value
	}
}

func onlyIf(is bool, problem string) string {
	if is {
		return problem
	}
	return ""
}

var isPushName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`).MatchString

// checkName refuses what cannot be the name of a push.
func checkName(method, name string) error {
	if problem := nameProblem(name); problem != "" {
		return &terminal49.ArgumentError{Op: "mirror." + method, Field: "name", Problem: problem}
	}
	return nil
}

func nameProblem(name string) string {
	return onlyIf(!isPushName(name), "must have lower-case letters, digits, - and _ only, and at most 40 characters")
}

func fromProblem(from string) string {
	if from == "begin" || from == "end" {
		return ""
	}
	return push.CheckPosition(from)
}

func invalidPush(field, problem string) error {
	return &terminal49.ArgumentError{Op: "mirror.Push", Field: field, Problem: problem}
}

// Parked is a delivery that failed for the last time, and is kept.
type Parked struct {
	Push      string    // name
	Position  Position  // of the change: the id of the event
	Kind, ID  string    // of the resource
	Attribute string    // that changed
	At        time.Time // when the change was found
	Attempts  int       // that counted
	Problem   string    // of the last one, such as "the receiver answered 500: out of stock"
	ParkedAt  time.Time
}

// Parked returns the deliveries of a push that are parked, oldest first.
//
// Errors: *terminal49.ArgumentError; [ErrNoTables]; those of the database.
func (m *Mirror) Parked(ctx context.Context, name string) (list []Parked, err error) {
	if err := checkName("Parked", name); err != nil {
		return nil, err
	}
	if err := m.db.Ready(ctx); err != nil {
		return nil, err
	}
	rows, err := m.db.ParkedDeliveries(ctx, name, 0)
	for _, v := range rows {
		c := v.Change
		list = append(list, Parked{name, Position(c.Position), c.Kind, c.ID, c.Attribute, c.At, v.Attempts, v.Problem, v.ParkedAt})
	}
	return list, m.db.Explain(err)
}

// Replay has parked deliveries of a push sent again, those with some positions or all, and returns
// how many. The sender of the push sends them, under the same ids, after at most a few seconds; a
// receiver may have had later changes of the same resource meanwhile.
//
// Errors: *terminal49.ArgumentError; [ErrNoPush]; [ErrNoTables]; those of the database.
func (m *Mirror) Replay(ctx context.Context, name string, positions ...Position) (int64, error) {
	if err := checkName("Replay", name); err != nil {
		return 0, err
	}
	if err := m.db.Ready(ctx); err != nil {
		return 0, err
	}
	texts := make([]string, len(positions))
	for i, p := range positions {
		if texts[i] = string(p); push.CheckPosition(texts[i]) != "" {
			return 0, &terminal49.ArgumentError{Op: "mirror.Replay", Field: "positions", Problem: "must be those of changes, such as 31543-9f3c2a7be01d44aa"}
		}
	}
	replayed, err := m.db.ReplayDeliveries(ctx, name, texts)
	return replayed, m.db.Explain(err)
}

// Reposition has a push go on from "begin", "end" or a Position, for example after
// [ErrPositionLost]. What is pending or parked stays so. A running sender notices it.
//
// Errors: *terminal49.ArgumentError; [ErrNoPush]; [ErrPositionLost]; [ErrNoTables]; those of the
// database.
func (m *Mirror) Reposition(ctx context.Context, name, from string) error {
	if problem := fromProblem(from); problem != "" {
		return &terminal49.ArgumentError{Op: "mirror.Reposition", Field: "from", Problem: problem}
	}
	if err := checkName("Reposition", name); err != nil {
		return err
	}
	if err := m.db.Ready(ctx); err != nil {
		return err
	}
	at, err := push.Resolve(ctx, m.db, from)
	if err == nil {
		err = m.db.SetPushPosition(ctx, name, at)
	}
	return m.db.Explain(err)
}

// RemovePush deletes a push, with what is pending and parked. Its sender must have been stopped.
//
// Errors: *terminal49.ArgumentError; [ErrNoPush]; one if it is being sent; [ErrNoTables]; those of
// the database.
func (m *Mirror) RemovePush(ctx context.Context, name string) error {
	if err := checkName("RemovePush", name); err != nil {
		return err
	}
	if err := m.db.Ready(ctx); err != nil {
		return err
	}
	all, err := m.db.Pushes(ctx)
	for _, p := range all {
		if p.Name == name && p.Held && m.db.Now().Sub(p.Renewed) < writeLimit {
			return fmt.Errorf("mirror: the push %s is being sent; stop its sender first, or wait %s after a crash", name, writeLimit)
		}
	}
	if err == nil {
		err = m.db.RemovePush(ctx, name)
	}
	return m.db.Explain(err)
}
