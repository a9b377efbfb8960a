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
)

const updatedFilter = "filter[updated_at]"

// changed returns the list of the containers that changed since the latest walk over it or over
// all; nil if the service does not have the filter. The days are the service's.
func (t *tenure) changed(ctx context.Context) (*plan.List, error) {
	var last walkState
	for _, s := range []*plan.List{plan.ContainerList, plan.ChangedList} {
		var w walkState
		if has, err := t.db.walk(ctx, s, "done", &w); err != nil {
			return nil, err
		} else if has && w.started.After(last.started) {
			last = w
		}
	}
	if last.started.IsZero() {
		return nil, nil
	}
	if has, err := t.hasUpdatedFilter(ctx); !has || err != nil {
		return nil, err
	}
	s := *plan.ChangedList
	s.Query = maps.Clone(s.Query)
	s.Query.Set(updatedFilter, ">="+strconv.Itoa(1+int(time.Since(last.started)/(24*time.Hour)))+".days.ago")
	return &s, nil
}

// hasUpdatedFilter finds out, once in a while, whether the service has the filter: from a far day
// on it must show nothing, and until then something. A service that ignores it shows the same.
func (t *tenure) hasUpdatedFilter(ctx context.Context) (bool, error) {
	if time.Since(t.probedAt) < t.whole {
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
	_, err := t.send(ctx, "/containers", url.Values{updatedFilter: {updated}, "page[size]": {"1"}}, &doc, terminal49.WithShare(t.share))
	if errors.Is(err, terminal49.ErrInvalid) {
		return false, nil
	}
	return len(doc.Data) > 0, err
}

// isStored reports whether the table has all that a page lists as the page shows it.
func (t *tx) isStored(ctx context.Context, listed []*model.Resource) (bool, error) {
	digests := map[string]string{}
	for _, res := range listed {
		res, err := model.ScrubResource(res)
		if err != nil {
			return false, err
		}
		digests[res.ID] = model.Digest(res.Raw)
	}
	var n int
	_, err := t.one(ctx, `
select count(*) from jsonb_each_text($1::jsonb) n join t49.containers t on t.id = n.key and t.digest = n.value`,
		[]any{string(model.Encode(digests))}, &n)
	return n == len(digests), err
}
