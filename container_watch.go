package terminal49

import (
	"context"
	"iter"
	"slices"
	"time"
)

// ContainerWatchParams says how [ContainersService.Watch] polls. The zero value, like nil, watches from now on.
type ContainerWatchParams struct {
	MinInterval time.Duration // after a change; default 1 min
	MaxInterval time.Duration // the intervals grow by half up to this; default 30 min

	// Since is a reading of the container that is known already, such as one that was stored: what changed after it is
	// the first change. Without it, the first look only sets the mark.
	Since *Container
	// Include says what comes along with each reading.
	Include []ContainerInclude
	// OnPoll is called with every reading, changed or not.
	OnPoll func(*Container)
}

// ContainerChange is how a container differs from its last reading.
type ContainerChange struct {
	Before, After *Container
	Changeset     Changeset // never empty
}

// Meaning is what the change comes to: holds placed and cleared, fees added, deadlines moved, pickup made possible.
func (c *ContainerChange) Meaning() ContainerChanges { return c.Changeset.Changes(c.After) }

// Watch looks at a container, ever less often while nothing happens, and yields whenever something changed that
// [DiffContainers] compares: holds, fees, availability, last free days, the appointment, the terminal. Several changes
// between two looks come as one, and one that was undone is not seen.
//
// It goes on until the loop breaks or ctx ends. An error ends it too and comes last: the context's, or that of a look,
// where failures that are likely to pass are passed over a few times.
//
// Looking costs requests: with many containers to follow, webhooks are cheaper. A container.updated event brings the
// same [Changeset].
//
// API: GET /containers/{id}. Errors: ErrNotFound, the context's error.
func (s *ContainersService) Watch(ctx context.Context, id string, params *ContainerWatchParams, opts ...CallOption) iter.Seq2[*ContainerChange, error] {
	var own ContainerWatchParams // what becomes of the caller's later does not matter
	if params != nil {
		own = *params
		own.Include = slices.Clone(params.Include)
	}
	return func(yield func(*ContainerChange, error) bool) {
		params := &own
		poll, err := params.poll(id)
		if err != nil {
			yield(nil, err)
			return
		}
		last := params.Since
		for {
			seen, err := s.Get(ctx, id, &ContainerGetParams{Include: params.Include}, opts...)
			if err == nil {
				if params.OnPoll != nil {
					params.OnPoll(seen)
				}
				if change := changeBetween(last, seen); change != nil {
					poll.restart()
					if !yield(change, nil) {
						return
					}
				}
				last = seen
			}
			if err := poll.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// changeBetween is nil if nothing changed, or if there is nothing to compare with.
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
		return every, &ArgumentError{Op: every.op, Field: "Since", Problem: "must be a reading of the container that is watched"}
	}
	return every.withIntervals(p.MinInterval, p.MaxInterval)
}
