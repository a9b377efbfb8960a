package board

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// Own is a mirror that the board runs itself, for an account that nothing else mirrors.
type Own struct {
	Mirror *mirror.Mirror
	DB     *sql.DB            // the mirror's database, which is only read
	Client *terminal49.Client // of the account
}

// own is a mirror that the board runs itself. A container's page asks the service for what the
// mirror does not have.
type own struct {
	*copied
	client *terminal49.Client
	every  string // how often the account is read, in words

	// The lock of copied protects these.
	shown int       // containers, while they are read for the first time
	total int       // of the account; 0 if that is not known
	since time.Time // when all had been read for the first time, on the mirror's clock
}

func newOwn(o Own, every string) own {
	asItIs := func(text string) string { return text }
	return own{copied: newCopied(o.DB, o.Mirror, asItIs, "The board's log says why."), client: o.Client, every: every}
}

// count finds out how many containers there are.
func (o *own) count(ctx context.Context) error {
	page, err := o.client.Containers.List(ctx, &terminal49.ContainerListParams{PageParams: terminal49.PageParams{PageSize: 1}})
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.total = page.Total.Or(0)
	return nil
}

// follow runs the mirror and shows what it has, until ctx ends or the mirror fails.
func (o *own) follow(ctx context.Context, m *model) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := o.feed.Migrate(ctx); err != nil {
		return unlessEnded(ctx, o.explain(err))
	}
	running := make(chan error, 1)
	go func() {
		defer cancel()
		running <- o.run(ctx)
	}()
	o.showFirst(ctx, m)
	err := unlessEnded(ctx, o.copied.follow(ctx, m))
	cancel()
	return errors.Join(<-running, err)
}

// unlessEnded returns an error; nil if ctx has ended, which causes errors.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// run runs the mirror.
func (o *own) run(ctx context.Context) error {
	err := o.feed.Run(ctx)
	if errors.Is(err, terminal49.ErrUnauthorized) {
		return UsageError(explain(err))
	}
	return err
}

// showFirst shows what the mirror reads until it has read every list of rows once. It leaves out
// the events: all is read again then.
func (o *own) showFirst(ctx context.Context, m *model) {
	position := mirror.Position("")
	for !o.hasRead(ctx) && wait(ctx, feedInterval) {
		var err error
		if position, err = o.readChanges(ctx, m, position, "container", "shipment"); ctx.Err() == nil {
			o.note(err)
		}
		o.mu.Lock()
		o.shown = m.size()
		o.mu.Unlock()
	}
	o.mu.Lock()
	o.since = time.Now()
	o.mu.Unlock()
}

// hasRead reports whether the mirror has read every list of rows once.
func (o *own) hasRead(ctx context.Context) bool {
	walks, err := o.feed.Walks(ctx)
	has := func(scope string) bool {
		return slices.ContainsFunc(walks, func(w mirror.WalkStatus) bool { return w.Scope == scope && !w.Ended.IsZero() })
	}
	return err == nil && !slices.ContainsFunc(shownLists, func(scope string) bool { return !has(scope) })
}

// state returns when the whole list was read, and how often that happens.
func (o *own) state() state {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch s := o.status; {
	case !o.all:
		return state{"The list is being read: " + soFar(o.shown, o.total) + " containers so far.", o.report(), true}
	case s == nil:
		return state{"The whole list was read just now" + o.every + ".", o.report(), false}
	default:
		return state{"The whole list was read " + agoIfKnown(endOf(s, "containers"), time.Now()) + o.every + ".", o.trouble(s), false}
	}
}

// endOf returns when the latest walk over a list ended.
func endOf(s *mirror.Status, scope string) (at time.Time) {
	for _, w := range s.Walks {
		if w.Scope == scope {
			at = w.Ended
		}
	}
	return at
}

// soFar returns how many were read, of how many if that is known.
func soFar(read, total int) string {
	if total < read || total == 0 {
		return grouped(read)
	}
	return grouped(read) + " of " + grouped(total)
}

// details returns what the mirror has seen, with the journey and the route as the service has them.
func (o *own) details(ctx context.Context, of *terminal49.Container) (d details, err error) {
	d.events, _ = of.TransportEvents.Values()
	d.since = "Changes since the board was started"
	if since := o.readSince(); !since.IsZero() {
		d.changes, err = o.changes(ctx, of.ID, since)
	}
	return d, errors.Join(err, d.ask(ctx, o.client, of.ID))
}

func (o *own) readSince() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.since
}

// ask asks the service for the journey and the route.
func (d *details) ask(ctx context.Context, client *terminal49.Client, id string) error {
	events, noEvents := client.Containers.TransportEvents(ctx, id, &terminal49.TransportEventListParams{
		Include: []terminal49.TransportEventInclude{terminal49.TransportEventIncludeLocation, terminal49.TransportEventIncludeVessel},
	})
	if noEvents == nil {
		d.events = events
	}
	var noRoute error
	d.route, noRoute = client.Containers.Map(ctx, id)
	return errors.Join(noEvents, noRoute)
}
