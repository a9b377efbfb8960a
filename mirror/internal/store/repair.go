package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// TypesOf returns the wire types of the rows that have an id.
func (d *Store) TypesOf(ctx context.Context, id string) (types []string, err error) {
	parts := make([]string, len(schema.Tables))
	for i, t := range schema.Tables {
		parts[i] = "select type, id from t49." + t.Name + " where id = $1"
	}
	refs, err := d.refs(ctx, strings.Join(parts, " union all ")+" order by type", id)
	for _, r := range refs {
		types = append(types, r.Type)
	}
	return types, err
}

// OwnerOf returns the resource with which a fact is read: its container. It is the zero Ref if the
// service never sends the fact again.
func (d *Store) OwnerOf(ctx context.Context, fact model.Ref) (owner model.Ref, err error) {
	if fact.Type != "transport_event" {
		return model.Ref{}, nil
	}
	owner.Type = "container"
	has, err := found(d.Pool.QueryRowContext(ctx, d.SQL("select container_id from t49.transport_events where id = $1 and container_id is not null"),
		fact.ID).Scan(&owner.ID))
	if !has {
		return model.Ref{}, err
	}
	return owner, nil
}

// Repair stores a reading, and writes the row of one of its resources whatever the digests are. It
// reports whether that row is different now.
func (t *Tx) Repair(ctx context.Context, r plan.Reading, list []*model.Resource, what model.Ref) (different bool, err error) {
	before, err := t.rowText(ctx, what)
	if err != nil {
		return false, err
	}
	r.Repairs = what
	if err := t.WriteAll(ctx, r, &model.Document{Data: list}); err != nil {
		return false, err
	}
	after, err := t.rowText(ctx, what)
	return before != after, err
}

// rowText returns a row as text, without tickets and times of readings; "" if there is none.
func (t *Tx) rowText(ctx context.Context, what model.Ref) (string, error) {
	in := schema.TableOf(what.Type)
	columns := slices.Concat([]string{"raw", "digest", "deleted_at", "missing_since"}, in.ColumnNames())
	values, dest := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		dest[i] = &values[i]
	}
	has, err := t.one(ctx, "select "+strings.Join(columns, ", ")+" from t49."+in.Name+" where id = $1", []any{what.ID}, dest...)
	if !has {
		return "", err
	}
	return fmt.Sprint(values...), err
}
