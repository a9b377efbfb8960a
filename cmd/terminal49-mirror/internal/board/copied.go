package board

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// copied is a mirror. It is only read, and nothing is sent to the service.
type copied struct {
	db     *sql.DB
	reader *mirror.Reader
	feed   *mirror.Mirror
	hide   func(string) string       // removes the password of the database from a text
	clock  func() time.Time          // of the page
	at     func(time.Time) time.Time // returns a time of the mirror's clock on that of the page
	why    string                    // where to find out why the mirror cannot read
	health

	mu     sync.Mutex
	read   int            // containers, in the first reading
	all    bool           // all have been read
	status *mirror.Status // as it was last read
}

func newCopy(db *sql.DB, hide func(string) string, opts ...mirror.Option) (*copied, error) {
	client, err := terminal49.New("none") // nothing is sent
	if err != nil {
		return nil, err
	}
	feed, err := mirror.New(client, db, opts...)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return newCopied(db, feed, hide, "terminal49-mirror status says why.", opts...), nil
}

// newCopied returns a mirror whose times are those of this machine's clock.
func newCopied(db *sql.DB, feed *mirror.Mirror, hide func(string) string, why string, opts ...mirror.Option) *copied {
	return &copied{
		db: db, reader: mirror.NewReader(db, opts...), feed: feed, hide: hide,
		clock: time.Now, at: func(t time.Time) time.Time { return t }, why: why,
	}
}

func (c *copied) now() time.Time      { return c.clock() }
func (c *copied) tick() time.Duration { return 20 * time.Second }

// feedInterval is the time between two looks at the feed of changes.
const feedInterval = 250 * time.Millisecond

func (c *copied) follow(ctx context.Context, m *model) error {
	position, err := c.readAll(ctx, m)
	if err != nil {
		return c.explain(err)
	}
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() { c.watch(ctx) })
	for wait(ctx, feedInterval) {
		switch position, err = c.readChanges(ctx, m, position); {
		case ctx.Err() != nil:
		case errors.Is(err, mirror.ErrPositionLost):
			var all mirror.Position
			if all, err = c.readAll(ctx, m); err == nil {
				position = all
			}
		}
		c.note(err)
	}
	return nil
}

// note notes whether the database could be read.
func (c *copied) note(err error) {
	if err == nil {
		c.ok()
		return
	}
	c.fail("The mirror's database cannot be read: " + c.explain(err).Error() + ".")
}

// explain returns an error without the password, and says what to do about missing tables.
func (c *copied) explain(err error) error {
	if errors.Is(err, mirror.ErrNoTables) {
		return UsageError("the database has no mirror; start terminal49-mirror run with it, or name the schema with --schema; --account and --demo need no copy")
	}
	return errors.New(c.hide(err.Error()))
}

// readAll puts all containers into the model, and removes the others. It returns a position from
// which the feed has every later change.
func (c *copied) readAll(ctx context.Context, m *model) (mirror.Position, error) {
	position, err := c.feed.Position(ctx)
	if err != nil {
		return "", err
	}
	listed := map[string]bool{}
	for some, err := range inBatches(c.reader.Containers(ctx, "")) {
		if err != nil {
			return "", err
		}
		for _, one := range some {
			listed[one.ID] = true
		}
		m.put(c.now(), some...)
		c.progress(len(listed), false)
	}
	m.keepOnly(listed)
	c.progress(len(listed), true)
	return position, nil
}

func (c *copied) progress(read int, all bool) {
	c.ok()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read, c.all = read, c.all || all
}

// inBatches yields containers, many at once.
func inBatches(all iter.Seq2[*terminal49.Container, error]) iter.Seq2[[]*terminal49.Container, error] {
	return func(yield func([]*terminal49.Container, error) bool) {
		some := make([]*terminal49.Container, 0, batch)
		for container, err := range all {
			if err != nil {
				yield(nil, err)
				return
			}
			if some = append(some, container); len(some) == batch {
				if !yield(some, nil) {
					return
				}
				some = some[:0]
			}
		}
		yield(some, nil)
	}
}

// mostAtOnce is how many changes are handled together, so that many do not delay the first.
const mostAtOnce = 5000

// readChanges reads the containers again that the feed names after a position, and returns the
// position after them. With kinds, changes of resources of other kinds are left out.
func (c *copied) readChanges(ctx context.Context, m *model, after mirror.Position, kinds ...string) (mirror.Position, error) {
	due, last, n := map[string]map[string]bool{}, after, 0
	for change, err := range c.feed.Changes(ctx, after) {
		if err != nil {
			return after, err
		}
		if due[change.Kind] == nil {
			due[change.Kind] = map[string]bool{}
		}
		due[change.Kind][change.ID] = true
		last = change.Position
		if n++; n == mostAtOnce {
			break
		}
	}
	for kind, ids := range due {
		if len(kinds) > 0 && !slices.Contains(kinds, kind) {
			continue
		}
		if err := c.readAgain(ctx, m, kind, ids); err != nil {
			return after, err
		}
	}
	return last, nil
}

// concerned are the containers whose rows may show a resource, by its kind. IDS stands for a list.
var concerned = map[string]string{
	"container":       "where id in (IDS)",
	"shipment":        "where shipment_id in (IDS)",
	"transport_event": "where id in (select container_id from transport_events where id in (IDS))",
	"terminal":        "where pod_terminal_id in (IDS) or pickup_facility_id in (IDS)",
	"rail_terminal":   "where pod_terminal_id in (IDS) or pickup_facility_id in (IDS)",
	"port":            "where shipment_id in (select id from shipments where port_of_discharge_id in (IDS) or destination_id in (IDS))",
	"metro_area":      "where shipment_id in (select id from shipments where destination_id in (IDS))",
}

// readAgain reads the containers again whose rows may show one of the resources, and removes those
// that are gone.
func (c *copied) readAgain(ctx context.Context, m *model, kind string, ids map[string]bool) error {
	if concerned[kind] == "" {
		return nil
	}
	all := make([]string, 0, len(ids))
	for id := range ids {
		all = append(all, id)
	}
	for len(all) > 0 {
		some := all[:min(len(all), batch)]
		all = all[len(some):]
		found := map[string]bool{}
		for shown, err := range inBatches(c.selected(ctx, kind, some)) {
			if err != nil {
				return err
			}
			for _, one := range shown {
				found[one.ID] = true
			}
			m.put(c.now(), shown...)
		}
		if kind == "container" {
			m.remove(without(some, found)...)
		}
	}
	return nil
}

func without(ids []string, found map[string]bool) (others []string) {
	for _, id := range ids {
		if !found[id] {
			others = append(others, id)
		}
	}
	return others
}

// selected reads the containers that show one of the resources.
func (c *copied) selected(ctx context.Context, kind string, ids []string) iter.Seq2[*terminal49.Container, error] {
	places, args := make([]string, len(ids)), make([]any, len(ids))
	for i, id := range ids {
		places[i], args[i] = fmt.Sprintf("$%d", i+1), id
	}
	return c.reader.Containers(ctx, strings.ReplaceAll(concerned[kind], "IDS", strings.Join(places, ", ")), args...)
}

func (c *copied) containers(ctx context.Context, ids []string) (list []*terminal49.Container, err error) {
	for container, err := range c.selected(ctx, "container", ids) {
		if err != nil {
			return nil, c.explain(err)
		}
		list = append(list, container)
	}
	return list, nil
}

// statusInterval is the time between two readings of the mirror's status. Counting its rows takes
// time, so it is longer where that takes long.
const statusInterval = 5 * time.Second

func (c *copied) watch(ctx context.Context) {
	for pause := time.Duration(0); wait(ctx, pause); {
		start := time.Now()
		if status, err := c.feed.Status(ctx); err == nil {
			c.mu.Lock()
			c.status = status
			c.mu.Unlock()
		}
		pause = max(statusInterval, 10*time.Since(start))
	}
}

// state returns how old the mirror is, and what is wrong with it.
func (c *copied) state() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.all:
		return state{fmt.Sprintf("The mirror is being read: %s containers so far.", grouped(c.read)), c.report(), true}
	case c.status == nil:
		return state{"The mirror has been read. When it was written is not known yet.", c.report(), false}
	}
	s, now := c.status, time.Now()
	return state{"The mirror heard from Terminal49 " + agoIfKnown(s.Heard, now) + ", and was written " + ago(now.Sub(s.Written)) + ".", c.trouble(s), false}
}

// trouble returns why the board is older than it should be; "" if it is not.
func (c *copied) trouble(s *mirror.Status) string {
	return cmp.Or(c.report(), joined(" ", c.unread(s), unhealthy(s)))
}

// unhealthy returns why the mirror is not current; "" if it is.
func unhealthy(s *mirror.Status) string {
	err := s.Healthy(s.At)
	if err == nil {
		return ""
	}
	return "The mirror is not as current as it should be: " + strings.ReplaceAll(strings.TrimPrefix(err.Error(), "mirror: "), "\nmirror: ", "; ") + "."
}

// mostSilence is how long the mirror may hear nothing: it asks each minute. Until the status was
// read, that is: reading it may take long.
const mostSilence = 150 * time.Second

// unread returns since when the mirror hears nothing, or which list it cannot read; "" if it reads
// all.
func (c *copied) unread(s *mirror.Status) string {
	switch failing := failingWalk(s); {
	case !s.Heard.IsZero() && s.At.Sub(s.Heard) > mostSilence:
		return "The mirror hears nothing from Terminal49. What is shown is from before " + utc(c.at(s.Heard)) + ". " + c.why
	case failing != "":
		return "The mirror cannot read " + failing + " of the account. What is shown may be from before " + utc(c.at(s.Heard)) + ". " + c.why
	}
	return ""
}

func agoIfKnown(at, now time.Time) string {
	if at.IsZero() {
		return "at a time that is not known"
	}
	return ago(now.Sub(at))
}

// shownLists are the lists that rows are made of. Others may be refused to an account.
var shownLists = []string{"shipments.active", "shipments", "containers"}

// failingWalk returns the list that a walk could not read last time; "" if there is none. The
// walk's problem may have names of hosts, so it is not shown.
func failingWalk(s *mirror.Status) string {
	for _, w := range s.Walks {
		if w.Failures > 0 && w.State == "running" && w.Problem != "" && slices.Contains(shownLists, w.Scope) {
			return w.Scope
		}
	}
	return ""
}

// details returns what the mirror has seen. It has no routes.
func (c *copied) details(ctx context.Context, of *terminal49.Container) (d details, err error) {
	d.events, _ = of.TransportEvents.Values()
	d.since = "Changes that the mirror has seen"
	d.changes, err = c.changes(ctx, of.ID, time.Time{})
	return d, err
}

// changes returns the changes of a container that the mirror has seen since a time of its clock.
func (c *copied) changes(ctx context.Context, id string, since time.Time) (list []change, err error) {
	history, err := c.reader.History(ctx, id)
	if err != nil {
		return nil, c.explain(err)
	}
	for _, one := range changesOf(history) {
		if !one.At.Before(since) {
			one.At = c.at(one.At)
			list = append(list, one)
		}
	}
	return list, nil
}
