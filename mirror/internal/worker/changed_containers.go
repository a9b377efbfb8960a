package worker

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const updatedFilter = "filter[updated_at]"

// changedFilter checks whether the service has the filter.
type changedFilter struct {
	turn    *turn
	service *Service
	share   float64
	every   time.Duration // between two tries

	triedAt time.Time
	has     bool
}

// list returns the list of the containers that changed since the latest walk over it or over
// all; nil if the service does not have the filter. The days are the service's.
func (c *changedFilter) list(ctx context.Context) (*plan.List, error) {
	var last store.WalkState
	for _, s := range []*plan.List{plan.ContainerList, plan.ChangedList} {
		var w store.WalkState
		if has, err := c.turn.db.LatestWalk(ctx, s, "done", &w); err != nil {
			return nil, err
		} else if has && w.ID > last.ID {
			last = w
		}
	}
	if last.ID == 0 {
		return nil, nil
	}
	if has, err := c.hasUpdatedFilter(ctx); !has || err != nil {
		return nil, err
	}
	s := *plan.ChangedList
	s.Query = maps.Clone(s.Query)
	s.Query.Set(updatedFilter, ">="+strconv.Itoa(daysSince(last.Started, c.turn.db.Now()))+".days.ago")
	return &s, nil
}

// daysSince returns how many days, at least one, reach back to a time. A time from a clock that was
// ahead may be any: a month is more than what a mirror that runs has missed.
func daysSince(at, now time.Time) int {
	if plan.IsAhead(at, now) {
		return 30
	}
	return 1 + int(max(0, now.Sub(at))/(24*time.Hour))
}

// hasUpdatedFilter checks at intervals whether the service has the filter: updates after a day in
// the far future must match nothing, and updates before it something. A service that ignores the
// filter returns the same for both.
func (c *changedFilter) hasUpdatedFilter(ctx context.Context) (bool, error) {
	if time.Since(c.triedAt) < c.every {
		return c.has, nil
	}
	later, err := c.showsContainers(ctx, ">=2999-01-01")
	if err != nil {
		return false, err
	}
	earlier, err := c.showsContainers(ctx, "<=2999-01-01")
	if err == nil {
		c.triedAt, c.has = time.Now(), earlier && !later
	}
	return c.has, err
}

func (c *changedFilter) showsContainers(ctx context.Context, updated string) (bool, error) {
	var doc model.Document
	_, err := c.service.send(ctx, "/containers", url.Values{updatedFilter: {updated}, "page[size]": {"1"}}, &doc, terminal49.WithRateLimitShare(c.share))
	if errors.Is(err, terminal49.ErrInvalid) {
		return false, nil
	}
	return len(doc.Data) > 0, err
}
