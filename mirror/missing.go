package mirror

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// missing reads, one by one, the rows that the walk did not show. It returns a problem if they are
// so many that nothing is concluded.
func (w *walker) missing(ctx context.Context) (problem string, err error) {
	since, err := w.since(ctx)
	if err != nil {
		return "", err
	}
	rows, err := w.db.rows(ctx, schema.TableOf(w.Kind))
	if err != nil {
		return "", err
	}
	most := w.MostMissing(rows)
	refs, n, err := w.unseen(ctx, schema.TableOf(w.Kind), since, most)
	if err != nil || n == 0 {
		return "", err
	}
	if n > most {
		w.log.Error("too many rows are missing at once, so none is deleted; check the account and the service",
			slog.String("scope", w.Name), slog.Int("missing", n), slog.Int("rows", rows))
		return fmt.Sprintf("%d of %d rows were not in the list: nothing is deleted", n, rows), errTooMany
	}
	if problem, err := w.suspicion(ctx); problem != "" || err != nil {
		return problem, err
	}
	return "", each(ctx, pollsAhead, refs, w.verify)
}

// errTooMany means that so many rows are missing that none is deleted.
var errTooMany = errors.New("mirror: too many rows are missing")

// suspicion returns why a list is not trusted that shows fewer rows: a main list stopped, so the
// service may have a problem with all.
func (w *walker) suspicion(ctx context.Context) (string, error) {
	for _, s := range plan.WholeLists {
		if s.Optional || s == w.List {
			continue
		}
		var state string
		has, err := found(w.db.pool.QueryRowContext(ctx, w.db.sql(
			"select state from t49.walks where scope = $1 and state <> 'running' order by id desc limit 1"), s.Name).Scan(&state))
		switch {
		case has && state == "stopped":
			return "the walk over " + s.Name + " was stopped: nothing is deleted", nil
		case err != nil:
			return "", err
		}
	}
	return "", nil
}

// since is the state of the walk since whose start rows must have been seen. Shipments show their
// containers too, so for containers it is the walk over shipments before.
func (w *walker) since(ctx context.Context) (walkState, error) {
	since := w.walkState
	if w.List.Kind != "container" {
		return since, nil
	}
	var before walkState
	found, err := w.db.walk(ctx, plan.WholeLists[0], "done", &before)
	if found && before.id < since.id {
		since = before
	}
	return since, err
}

// rows returns how many rows of a table are not deleted. It reads indexes alone: deleted rows are
// missing too.
func (d *database) rows(ctx context.Context, in *schema.Table) (n int, err error) {
	err = d.pool.QueryRowContext(ctx, d.sql("select count(*) - (select count(deleted_at) from t49."+in.Name+
		" where missing_since is not null) from t49."+in.Name)).Scan(&n)
	return n, err
}

// unseen returns how many rows of a table no reading has shown since a walk began, and these rows
// unless they are more than most: a whole table does not fit into memory. They are sorted here,
// because an index on ids would be read together with the whole table, in another order.
func (w *walker) unseen(ctx context.Context, in *schema.Table, since walkState, most int) (refs []model.Ref, n int, err error) {
	rows, err := w.db.pool.QueryContext(ctx, w.db.sql(`
select type, id from t49.`+in.Name+` where deleted_at is null and ticket < $1 and seen_at < $2`),
		since.id, w.db.time(since.started))
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for ; rows.Next(); n++ {
		if n >= most {
			continue
		}
		var r model.Ref
		if err := rows.Scan(&r.Type, &r.ID); err != nil {
			return nil, 0, err
		}
		refs = append(refs, r)
	}
	slices.SortFunc(refs, func(a, b model.Ref) int { return strings.Compare(a.ID, b.ID) })
	return refs, n, rows.Err()
}

// verify reads a row that the walk did not show.
func (w *walker) verify(ctx context.Context, what model.Ref) error {
	list, r, err := w.resource(ctx, what)
	if isMissing(err) {
		return w.apply(ctx, w.lease, "missing", func(t *tx) error {
			_, err := t.absent(ctx, r, what, w.started)
			return err
		})
	}
	var refused *terminal49.APIError
	switch {
	case err == nil:
	case w.isOver(ctx, err) || !errors.As(err, &refused) || refused.Status == 401 || refused.Status == 429:
		return err
	default: // an answer about one row is no failure of the list, and nothing is concluded of the row
		w.log.Warn("a row that the list did not show could not be read; the next walk tries again",
			slog.String("type", what.Type), slog.String("id", what.ID), slog.Any("error", err))
		return nil
	}
	return w.apply(ctx, w.lease, "missing", func(t *tx) error {
		if err := t.writeAll(ctx, r, &model.Document{Data: list}); err != nil || model.Find(list, what) != nil {
			return err
		}
		_, err := t.absent(ctx, r, what, w.started) // the response is about another resource
		return err
	})
}

// absent notes that the service answered 404 for a resource, and reports whether it has a row. The
// first time it is missing. If it was missing since before a whole walk, which did not show it
// either, it is deleted; walk is when that walk began, or zero without one.
func (t *tx) absent(ctx context.Context, r plan.Reading, what model.Ref, walk time.Time) (bool, error) {
	in := schema.TableOf(what.Type)
	var since, deleted schema.Instant
	has, err := t.one(ctx, "select missing_since, deleted_at from t49."+in.Name+" where id = $1", []any{what.ID}, &since, &deleted)
	if err != nil || !has {
		return has, err
	}
	switch plan.Absent(since.Time, !deleted.IsZero(), walk) {
	case plan.KnownAbsent:
		return true, nil
	case plan.SecondAbsent:
		return true, t.remove(ctx, r, what)
	}
	_, err = t.exec(ctx, "update t49."+in.Name+" set missing_since = $1 where id = $2 and ticket < $3", t.time(t.now), what.ID, r.Ticket)
	return true, err
}
