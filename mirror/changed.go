package mirror

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

// changed returns the list of the containers that changed since the latest walk over it or over
// all; nil if the service does not have the filter. The days are the service's.
func (t *tenure) changed(ctx context.Context) (*plan.List, error) {
	var last store.WalkState
	for _, s := range []*plan.List{plan.ContainerList, plan.ChangedList} {
		var w store.WalkState
		if has, err := t.db.LatestWalk(ctx, s, "done", &w); err != nil {
			return nil, err
		} else if has && w.Started.After(last.Started) {
			last = w
		}
	}
	if last.Started.IsZero() {
		return nil, nil
	}
	if has, err := t.hasUpdatedFilter(ctx); !has || err != nil {
		return nil, err
	}
	s := *plan.ChangedList
	s.Query = maps.Clone(s.Query)
	s.Query.Set(updatedFilter, ">="+strconv.Itoa(1+int(time.Since(last.Started)/(24*time.Hour)))+".days.ago")
	return &s, nil
}

// hasUpdatedFilter finds out, once in a while, whether the service has the filter: from a far day
// on it must show nothing, and until then something. A service that ignores it shows the same.
func (t *tenure) hasUpdatedFilter(ctx context.Context) (bool, error) {
	if time.Since(t.probedAt) < t.opts.Whole {
		return t.filtered, nil
	}
	later, err := t.showsContainers(ctx, ">=2999-01-01")
	if err != nil {
		return false, err
	}
	earlier, err := t.showsContainers(ctx, "<=2999-01-01")
	if err == nil {
		t.probedAt, t.filtered = time.Now(), earlier && !later
	}
	return t.filtered, err
}

func (t *tenure) showsContainers(ctx context.Context, updated string) (bool, error) {
	var doc model.Document
	_, err := t.service.send(ctx, "/containers", url.Values{updatedFilter: {updated}, "page[size]": {"1"}}, &doc, terminal49.WithShare(t.opts.Share))
	if errors.Is(err, terminal49.ErrInvalid) {
		return false, nil
	}
	return len(doc.Data) > 0, err
}
