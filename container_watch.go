package terminal49

import (
	"context"
	"iter"
	"slices"
	"time"
)

// ContainerWatchParams configures [ContainersService.Watch]. The zero value and nil use the
// defaults.
type ContainerWatchParams struct {
	MinInterval time.Duration // the first interval after a change; default 1 minute
	MaxInterval time.Duration // the intervals grow by half up to this; default 30 minutes

	// Since is an earlier reading of the container, such as a stored one. The first poll is
	// compared with it. If it is nil, the first poll yields nothing and later polls are compared
	// with it.
	Since *Container
	// Include selects what each reading includes.
	Include []ContainerInclude
	// OnPoll is called with every reading, changed or not.
	OnPoll func(*Container)
}

// ContainerChange is the difference between two readings of a container.
type ContainerChange struct {
	Before, After *Container
	Changeset     Changeset // never empty
}

// Meaning returns what the change means: holds placed and cleared, fees added, deadlines moved,
// pickup made possible. The readiness before the change is that of the earlier reading.
func (c *ContainerChange) Meaning() ContainerChanges {
	changes := c.Changeset.Changes(c.After)
	if c.Before != nil {
		changes.Before = PickupReadiness(c.Before)
	}
	return changes
}

// NewEvents returns the transport events of After that Before does not have. It is nil unless After
// includes its events and Before reports the ids of its own. The service reports a corrected
// milestone as a new event and withdraws the earlier one: see InvalidatedAt and PreviousVersion.
func (c *ContainerChange) NewEvents() []*TransportEvent {
	ids, ok := ChangeOf[[]string](c.Changeset, ChangedTransportEvents)
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
func (s *ContainersService) Watch(ctx context.Context, id string, params *ContainerWatchParams, opts ...CallOption) iter.Seq2[*ContainerChange, error] {
	var own ContainerWatchParams // a copy, since the caller may change params between iterations
	if params != nil {
		own = *params
		own.Include = slices.Clone(params.Include)
	}
	return func(yield func(*ContainerChange, error) bool) {
		params := &own
		schedule, err := params.poll(id)
		if err != nil {
			yield(nil, err)
			return
		}
		last := params.Since
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
func changeBetween(before, after *Container) *ContainerChange {
	if before == nil {
		return nil
	}
	diff := DiffContainers(before, after)
	if len(diff.Attributes()) == 0 {
		return nil
	}
	return &ContainerChange{Before: before, After: after, Changeset: diff}
}

func (p *ContainerWatchParams) poll(id string) (poller, error) {
	every := poller{op: "containers.watch", subject: "changes of container " + id, min: time.Minute, max: 30 * time.Minute}
	if p.Since != nil && p.Since.ID != id {
		return every, &ArgumentError{Op: every.op, Field: "Since", Problem: "must be a reading of the watched container"}
	}
	return every.withIntervals(p.MinInterval, p.MaxInterval)
}
