package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// CountRows returns how many rows of a table are not deleted. It reads indexes alone: deleted rows
// are missing too.
func (d *Store) CountRows(ctx context.Context, in *schema.Table) (n int, err error) {
	err = d.Pool.QueryRowContext(ctx, d.SQL("select count(*) - (select count(deleted_at) from t49."+in.Name+
		" where missing_since is not null) from t49."+in.Name)).Scan(&n)
	return n, err
}

// UnseenRows returns how many rows of a table no reading has shown since a walk began, and these
// rows unless they are more than most: a whole table does not fit into memory. They are sorted
// here, because an index on ids would be read together with the whole table, in another order.
func (d *Store) UnseenRows(ctx context.Context, in *schema.Table, since WalkState, most int) (refs []model.Ref, n int, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select type, id from t49.`+in.Name+` where deleted_at is null and ticket < $1 and seen_at < $2`),
		since.ID, d.Time(since.Started))
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

// Absent notes that the service answered 404 for a resource, and reports whether it has a row. The
// first time it is missing. If it was missing since before a whole walk, which did not show it
// either, it is deleted; walk is when that walk began, or zero without one.
func (t *Tx) Absent(ctx context.Context, r plan.Reading, what model.Ref, walk time.Time) (bool, error) {
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
		return true, t.Remove(ctx, r, what)
	}
	_, err = t.exec(ctx, "update t49."+in.Name+" set missing_since = $1 where id = $2 and ticket < $3", t.time(t.Now), what.ID, r.Ticket)
	return true, err
}
