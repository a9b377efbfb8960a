package mirror

import (
	"context"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// rebuildPage is how many rows are rebuilt in a transaction.
const rebuildPage = 500

// Rebuild fills the columns of all tables of resources from their raw JSON. It sends nothing to the
// service, and records no changes. Call it after an update that adds columns, or if [Mirror.Verify]
// finds a column that differs. A mirror that runs on the same database waits meanwhile.
//
// Errors: those of the database and of ctx. It may be repeated at any time.
func (m *Mirror) Rebuild(ctx context.Context) error {
	return m.alone(ctx, func(ctx context.Context, l *lease) error {
		last := schema.TableOf("container") // its columns depend on those of shipments and transport events
		for _, into := range append(slices.DeleteFunc(slices.Clone(schema.Tables), func(t *schema.Table) bool { return t == last }), last) {
			if err := m.rebuild(ctx, l, into); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Mirror) rebuild(ctx context.Context, l *lease, into *schema.Table) error {
	for after, more := "", true; more; {
		err := m.apply(ctx, l, "rebuild", func(t *tx) (err error) {
			after, more, err = t.rebuild(ctx, into, after)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rebuild fills the columns of the rows that follow an id. It returns the last id, and whether
// there may be more.
func (t *tx) rebuild(ctx context.Context, into *schema.Table, after string) (last string, more bool, err error) {
	list, err := t.resources(ctx, "select raw from t49."+into.Name+" where id > $1 order by id limit $2", after, rebuildPage)
	if err != nil || len(list) == 0 {
		return after, false, err
	}
	z, err := t.zonesOf(ctx, list, nil)
	if err != nil {
		return "", false, err
	}
	own := schema.Physical(into.Columns)
	rows := make([][]any, len(list))
	for i, res := range list {
		values, err := t.typed(into, own, res, z)
		if err != nil {
			return "", false, err
		}
		rows[i] = append([]any{res.ID}, values...)
	}
	columns := append([]string{"id"}, into.ColumnNames()...)
	err = t.bulk(ctx, into.Name, columns, rows, updateForms(into.Name, columns))
	return list[len(list)-1].ID, len(list) == rebuildPage, err
}

// updateForms returns a statement that updates rows by the first column.
func updateForms(table string, columns []string) bulkForms {
	var fromRow, fromArgument []string
	for i, name := range columns[1:] {
		fromRow = append(fromRow, name+" = r."+name)
		fromArgument = append(fromArgument, name+" = "+parameter(i+2))
	}
	update := "update t49." + table + " as t set "
	return bulkForms{
		postgres: update + strings.Join(fromRow, ", ") + " from jsonb_populate_recordset(null::t49." + table + ", $1::jsonb) r where t.id = r.id",
		sqlite:   update + strings.Join(fromArgument, ", ") + " where t.id = $1",
	}
}
