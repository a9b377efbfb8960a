package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// missing reads, one by one, the rows that the walk did not show. It reads none and returns a
// problem if they are too many, or if another list has a problem.
func (w *walker) missing(ctx context.Context) (problem string, err error) {
	since, err := w.since(ctx)
	if err != nil {
		return "", err
	}
	rows, err := w.turn.db.CountRows(ctx, schema.TableOf(w.list.Kind))
	if err != nil {
		return "", err
	}
	most := w.list.MostMissing(rows)
	refs, n, err := w.turn.db.UnseenRows(ctx, schema.TableOf(w.list.Kind), since, most)
	if err != nil || n == 0 {
		return "", err
	}
	if n > most {
		w.turn.log.Error("too many rows are missing at once, so none is deleted; check the account and the service",
			slog.String("scope", w.list.Name), slog.Int("missing", n), slog.Int("rows", rows))
		return fmt.Sprintf("%d of %d rows were not in the list: nothing is deleted", n, rows), errTooMany
	}
	if problem, err := w.suspicion(ctx); problem != "" || err != nil {
		return problem, err
	}
	return "", each(ctx, pollsAhead, refs, w.verify)
}

// errTooMany means that so many rows are missing that none is deleted.
var errTooMany = errors.New("mirror: too many rows are missing")

// suspicion returns why no row is deleted although the list does not show it; "" if there is no
// reason. If the walk over another main list was stopped, the service may have a problem with all
// lists.
func (w *walker) suspicion(ctx context.Context) (string, error) {
	for _, s := range plan.WholeLists {
		if s.Optional || s == w.list {
			continue
		}
		state, err := w.turn.db.EndOf(ctx, s)
		switch {
		case state == "stopped":
			return "the walk over " + s.Name + " was stopped: nothing is deleted", nil
		case err != nil:
			return "", err
		}
	}
	return "", nil
}

// since returns the walk after whose start every row must have been seen. For containers it is the
// previous walk over shipments, which shows their containers too.
func (w *walker) since(ctx context.Context) (store.WalkState, error) {
	since := w.state
	if w.list.Kind != "container" {
		return since, nil
	}
	var before store.WalkState
	found, err := w.turn.db.LatestWalk(ctx, plan.WholeLists[0], "done", &before)
	if found && before.ID < since.ID {
		since = before
	}
	return since, err
}

// verify reads a row that the walk did not show.
func (w *walker) verify(ctx context.Context, what model.Ref) error {
	list, r, err := w.service.Resource(ctx, what)
	if IsMissing(err) {
		return w.turn.write(ctx, "missing", func(tx *store.Tx) error {
			_, err := tx.Absent(ctx, r, what, w.state.Started)
			return err
		})
	}
	var refused *terminal49.APIError
	switch {
	case err == nil:
	case w.turn.isOver(ctx, err) || !errors.As(err, &refused) || refused.Status == 401 || refused.Status == 429:
		return err
	default: // a refusal for one row does not fail the walk, and the row stays as it is
		w.turn.log.Warn("a row that the list did not show could not be read; the next walk tries again",
			slog.String("type", what.Type), slog.String("id", what.ID), slog.Any("error", err))
		return nil
	}
	return w.turn.write(ctx, "missing", func(tx *store.Tx) error {
		if err := tx.WriteAll(ctx, r, &model.Document{Data: list}); err != nil || model.Find(list, what) != nil {
			return err
		}
		_, err := tx.Absent(ctx, r, what, w.state.Started) // the response is about another resource
		return err
	})
}
