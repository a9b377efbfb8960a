package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// PresentRows reads the rows of resources that are neither missing nor deleted, by id. A row whose
// JSON is damaged has no Raw.
func (d *Store) PresentRows(ctx context.Context, t *schema.Table, list []*model.Resource) (map[string]*model.Resource, error) {
	stored := map[string]*model.Resource{}
	if len(list) == 0 {
		return stored, nil
	}
	rows, err := d.Pool.QueryContext(ctx, d.SQL("select type, id, raw from t49."+t.Name+` where missing_since is null and deleted_at is null
and id in (select value from jsonb_array_elements_text($1::jsonb))`), IDs(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, err
		}
		stored[r.ID] = r
	}
	return stored, rows.Err()
}

// scanRow reads the type, the id and the JSON of a row. If the JSON is damaged, the resource has
// only its Ref.
func scanRow(rows *sql.Rows) (*model.Resource, error) {
	var of model.Ref
	var raw []byte
	if err := rows.Scan(&of.Type, &of.ID, &raw); err != nil {
		return nil, err
	}
	if res, err := model.Parse(raw); err == nil && res.Ref == of {
		return res, nil
	}
	return &model.Resource{Ref: of}, nil
}

// IsForgotten reports whether a resource is never stored again.
func (d *Store) IsForgotten(ctx context.Context, what model.Ref) (bool, error) {
	return found(d.Pool.QueryRowContext(ctx, d.SQL("select 1 from t49.forgotten where kind = $1 and id = $2"), what.Type, what.ID).Scan(new(int)))
}

// StoredRow is a row, and how its columns differ from the values in its raw JSON.
type StoredRow struct {
	model.Ref
	Present bool // neither missing nor deleted
	Wrong   []schema.WrongColumn
}

// StoredRows reads the rows that follow an id.
func (d *Store) StoredRows(ctx context.Context, t *schema.Table, after string, limit int) (list []StoredRow, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL("select type, id, missing_since is null and deleted_at is null, raw, "+
		strings.Join(t.ColumnNames(), ", ")+" from t49."+t.Name+" where id > $1 order by id limit $2"), after, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	own := schema.Physical(t.Columns)
	var row StoredRow
	var raw []byte
	values := make([]any, len(own))
	dest := []any{&row.Type, &row.ID, &row.Present, &raw}
	for i := range values {
		dest = append(dest, &values[i])
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		row.Wrong = t.WrongColumns(d.Dialect, row.Ref, raw, own, values)
		list = append(list, row)
	}
	return list, rows.Err()
}
