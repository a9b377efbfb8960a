package terminal49

import (
	"context"
	"iter"
	"maps"
	"slices"
	"time"
)

// ContainerWatchParams configures [ContainersService.Watch]. The zero value and nil use the
// defaults.
type ContainerWatchParams struct {
	MinInterval time.Duration // the first interval after a change; default 1 minute
	MaxInterval time.Duration // the intervals grow by half up to this; default 30 minutes

	// LastReading is an earlier reading of the container, with which the first poll is compared. If
	// LastReading is nil, the first poll yields nothing. To resume after a restart, store the first
	// reading, and After of each change once it is handled, as JSON.
	LastReading *Container
	// Include selects what each reading includes.
	Include []ContainerInclude
	// OnPoll is called with every reading, changed or not.
	OnPoll func(*Container)
}

// WatchedChange is the difference between two readings of a container.
type WatchedChange struct {
	Before, After *Container // only with WatchAll, one may be nil
	Changeset     Changeset  // empty only if Before or After is nil
}

// Changes returns what the change means: holds placed and cleared, fees added, deadlines moved,
// pickup made possible. The readiness before the change is that of the earlier reading, and unknown
// without one.
func (c *WatchedChange) Changes() ContainerChanges {
	changes := c.Changeset.Changes(c.After)
	changes.Before = PickupReadiness(c.Before)
	return changes
}

// NewEvents returns the transport events of After that Before does not have. It is nil unless After
// includes its events and Before reports the ids of its own. The service reports a corrected
// milestone as a new event and withdraws the earlier one: see InvalidatedAt and PreviousVersion.
func (c *WatchedChange) NewEvents() []*TransportEvent {
	ids, ok := ChangeOf[[]string](c.Changeset, AttributeTransportEvents)
	if !ok || c.After == nil {
		return nil
	}
	known := setOf(ids.Old)
	events, _ := c.After.TransportEvents.Values()
	return slices.DeleteFunc(slices.Clone(events), func(e *TransportEvent) bool { return known[e.ID] })
}

// Watch polls a container, at growing intervals while nothing changes, and yields each change that
// [DiffContainers] finds. Several changes between two polls are yielded as one; a change that was
// undone is not seen. Watch ends when the loop breaks or with an error, which is yielded last.
// Transient errors are retried a few times. For many containers, webhooks cost fewer requests: a
// container.updated event carries the same [Changeset].
//
// API: GET /containers/{id}. Errors: ErrNotFound, the context's error.
func (s *ContainersService) Watch(ctx context.Context, id string, params *ContainerWatchParams, opts ...CallOption) iter.Seq2[*WatchedChange, error] {
	var own ContainerWatchParams // a copy, since the caller may change params between iterations
	if params != nil {
		own = *params
		own.Include = slices.Clone(params.Include)
	}
	return func(yield func(*WatchedChange, error) bool) {
		params := &own
		schedule, err := params.poll(id)
		if err != nil {
			yield(nil, err)
			return
		}
		last := params.LastReading
		for {
			latest, err := s.Get(ctx, id, &ContainerGetParams{Include: params.Include}, opts...)
			if err == nil {
				if params.OnPoll != nil {
					params.OnPoll(latest)
				}
				if change := changeBetween(last, latest); change != nil {
					schedule.restart()
					if !yield(change, nil) {
						return
					}
				}
				last = latest
			}
			if err := schedule.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// changeBetween returns nil if before is nil or nothing changed.
func changeBetween(before, after *Container) *WatchedChange {
	if before == nil {
		return nil
	}
	diff := DiffContainers(before, after)
	if len(diff.Attributes()) == 0 {
		return nil
	}
	return &WatchedChange{Before: before, After: after, Changeset: diff}
}

func (p *ContainerWatchParams) poll(id string) (poller, error) {
	every := poller{op: "containers.watch", subject: "changes of container " + id, min: time.Minute, max: 30 * time.Minute}
	if p.LastReading != nil && p.LastReading.ID != id {
		return every, &ArgumentError{Op: every.op, Field: "LastReading", Problem: "must be a reading of the watched container"}
	}
	return every.withIntervals(p.MinInterval, p.MaxInterval)
}

// ContainerWatchAllParams configures [ContainersService.WatchAll]. The zero value and nil watch all
// containers.
type ContainerWatchAllParams struct {
	// List selects the containers and what each reading includes. PageNumber must be 0.
	List ContainerListParams
	// Interval is the time between two walks over the list; default 15 minutes.
	Interval time.Duration
	// LastReadings are the earlier readings by container id, such as stored ones. Containers that are
	// not among them are new.
	LastReadings map[string]*Container
	// OnWalk is called after each walk over the whole list with the number of containers in it.
	OnWalk func(containers int)
}

// WatchAll walks the list of containers at intervals and yields each change that [DiffContainers]
// finds. A walk costs one request for each page, and keeps the latest reading of each container in
// memory. Before is nil for a container that is new to the watch. After is nil for one that was not
// in the last two whole walks: it may have been removed, or no longer be selected; Get reads it. If
// it is listed again, it is new again. To resume, keep After of each change by id, delete the
// containers without After, and pass the rest as LastReadings. WatchAll ends and retries like
// Watch.
//
// API: GET /containers. Errors: *ArgumentError, ErrPagination, the context's error.
func (s *ContainersService) WatchAll(ctx context.Context, params *ContainerWatchAllParams, opts ...CallOption) iter.Seq2[*WatchedChange, error] {
	var own ContainerWatchAllParams
	if params != nil {
		own = *params
	}
	since, pages := maps.Clone(own.LastReadings), s.Pages(ctx, &own.List, opts...)
	return func(yield func(*WatchedChange, error) bool) {
		schedule, err := own.poll()
		if err != nil {
			yield(nil, err)
			return
		}
		w := fleetWatch{known: map[string]*Container{}, missed: map[string]bool{}, onWalk: own.OnWalk, yield: yield}
		maps.Copy(w.known, since)
		for {
			err := w.walk(pages)
			if w.stopped {
				return
			}
			if err := schedule.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

func (p *ContainerWatchAllParams) poll() (poller, error) {
	every := poller{op: "containers.watch_all", subject: "changes of containers", min: 15 * time.Minute, max: 15 * time.Minute}
	if p.List.PageNumber != 0 {
		return every, &ArgumentError{Op: every.op, Field: "PageNumber", Problem: "must be 0, because every walk reads the whole list"}
	}
	for id, c := range p.LastReadings {
		if c == nil || c.ID != id {
			return every, &ArgumentError{Op: every.op, Field: "LastReadings", Problem: "must map the id of each container to a reading of it"}
		}
	}
	if p.Interval < 0 {
		return every, &ArgumentError{Op: every.op, Field: "Interval", Problem: "must not be negative; zero is the default"}
	}
	return every.withIntervals(p.Interval, p.Interval)
}

// fleetWatch is the state of WatchAll.
type fleetWatch struct {
	known   map[string]*Container // the latest readings
	missed  map[string]bool       // known containers that the last whole walk did not have
	onWalk  func(int)
	yield   func(*WatchedChange, error) bool
	stopped bool // yield returned false
}

// walk compares the containers of one walk with the known ones. Only a walk that read as many as
// the list reports can miss one: a container may slide past a walk, from one page to another.
func (w *fleetWatch) walk(pages iter.Seq2[*Page[Container], error]) error {
	seen, total := map[string]*Container{}, 0
	for page, err := range pages {
		if err != nil {
			return err
		}
		total, _ = page.Total.Get()
		for _, c := range page.Items {
			// A page that was prefetched may have an older reading than the one before it.
			if earlier := seen[c.ID]; c.ID == "" || earlier != nil && !c.AsOf.After(earlier.AsOf) {
				continue
			}
			seen[c.ID] = c
			if w.take(c); w.stopped {
				return nil
			}
		}
	}
	if len(seen) >= total {
		w.miss(seen)
	}
	if w.onWalk != nil && !w.stopped {
		w.onWalk(len(seen))
	}
	return nil
}

func (w *fleetWatch) take(c *Container) {
	before := w.known[c.ID]
	change := changeBetween(before, c)
	if before == nil {
		change = &WatchedChange{After: c}
	}
	w.known[c.ID] = c
	w.report(change)
}

// miss yields the containers that neither this whole walk nor the one before it had.
func (w *fleetWatch) miss(seen map[string]*Container) {
	missed := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(w.known)) {
		switch c := w.known[id]; {
		case seen[id] != nil:
		case w.missed[id]:
			delete(w.known, id)
			w.report(&WatchedChange{Before: c})
		default:
			missed[id] = true
		}
	}
	w.missed = missed
}

func (w *fleetWatch) report(change *WatchedChange) {
	w.stopped = w.stopped || change != nil && !w.yield(change, nil)
}
