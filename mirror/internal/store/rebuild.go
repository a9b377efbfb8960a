package store

import (
	"context"
	"log/slog"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// RebuildPage is how many rows are rebuilt in a transaction.
const RebuildPage = 500

// Rebuild fills the columns of the rows that follow an id. It returns the last id, and whether
// there may be more. A row whose JSON is damaged stays as it is.
func (t *Tx) Rebuild(ctx context.Context, into *schema.Table, after string) (last string, more bool, err error) {
	list, last, more, err := t.rowsAfter(ctx, into, after)
	if err != nil || len(list) == 0 {
		return last, more, err
	}
	z, err := t.zonesOf(ctx, list, nil)
	if err != nil {
		return "", false, err
	}
	own := schema.Physical(into.Columns)
	rows := make([][]any, len(list))
	for i, res := range list {
		t.touch(res) // the columns lead from a container to what belongs to it
		values, err := t.typed(into, own, res, z)
		if err != nil {
			return "", false, err
		}
		rows[i] = append([]any{res.ID}, values...)
	}
	columns := append([]string{"id"}, into.ColumnNames()...)
	return last, more, t.bulk(ctx, into.Name, columns, rows, updateForms(into.Name, columns))
}

// rowsAfter reads the resources of the rows that follow an id.
func (t *Tx) rowsAfter(ctx context.Context, in *schema.Table, after string) (list []*model.Resource, last string, more bool, err error) {
	rows, err := t.query(ctx, "select type, id, raw from t49."+in.Name+" where id > $1 order by id limit $2", after, RebuildPage)
	if err != nil {
		return nil, after, false, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	n := 0
	for last = after; rows.Next(); n++ {
		res, err := scanRow(rows)
		if err != nil {
			return nil, after, false, err
		}
		if last = res.ID; res.Raw != nil {
			list = append(list, res)
			continue
		}
		t.db.log.Warn("the JSON of a row is damaged, so its columns are not rebuilt; repair reads it again", slog.String("type", res.Type), slog.String("id", res.ID))
	}
	return list, last, n == RebuildPage, rows.Err()
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
