package store

import (
	"context"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// RebuildPage is how many rows are rebuilt in a transaction.
const RebuildPage = 500

// Rebuild fills the columns of the rows that follow an id. It returns the last id, and whether
// there may be more.
func (t *Tx) Rebuild(ctx context.Context, into *schema.Table, after string) (last string, more bool, err error) {
	list, err := t.resources(ctx, "select raw from t49."+into.Name+" where id > $1 order by id limit $2", after, RebuildPage)
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
	return list[len(list)-1].ID, len(list) == RebuildPage, err
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
