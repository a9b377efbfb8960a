package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// insert inserts rows into a table. end is appended to the statement, and may refer to the table as
// t. The values of a row are in the order of columns; JSON is a json.RawMessage.
func (t *Tx) insert(ctx context.Context, table string, columns []string, rows [][]any, end string) error {
	into := "insert into t49." + table + " as t (" + strings.Join(columns, ", ") + ")\n"
	return t.bulk(ctx, table, columns, rows, bulkForms{
		postgres: into + "select " + strings.Join(columns, ", ") + " from jsonb_populate_recordset(null::t49." + table + ", $1::jsonb)" + end,
		sqlite:   into + "values (" + parameters(len(columns)) + ")" + end,
	})
}

// bulkForms are the two forms of a statement for many rows. Postgres receives all rows as one
// argument, so the statement is the same for any number of them. SQLite, which runs in this
// process, receives one row after the other.
type bulkForms struct{ postgres, sqlite string }

// bulkSize limits the JSON of one statement.
const bulkSize = 4 << 20

func (t *Tx) bulk(ctx context.Context, table string, columns []string, rows [][]any, forms bulkForms) error {
	if len(rows) == 0 {
		return nil
	}
	if t.db.Dialect == sqlstore.SQLite {
		return t.eachRow(ctx, forms.sqlite, rows)
	}
	for len(rows) > 0 {
		data, n, err := recordset(columns, rows)
		if err != nil {
			return fmt.Errorf("mirror: a row of %s: %w", table, err)
		}
		if _, err := t.exec(ctx, forms.postgres, data); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func (t *Tx) eachRow(ctx context.Context, statement string, rows [][]any) error {
	prepared, err := t.tx.PrepareContext(ctx, t.db.SQL(statement))
	if err != nil {
		return err
	}
	defer prepared.Close() //nolint:errcheck // it has been used
	for _, row := range rows {
		for i, v := range row {
			if data, is := v.(json.RawMessage); is {
				row[i] = textOrNil(data)
			}
		}
		// The context was used to prepare; with it, each row would start a goroutine.
		if _, err := prepared.Exec(row...); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// parameters returns $1 to $n.
func parameters(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = parameter(i + 1)
	}
	return strings.Join(all, ", ")
}

func parameter(n int) string { return "$" + strconv.Itoa(n) }

func textOrNil(data json.RawMessage) any {
	if data == nil {
		return nil
	}
	return string(data)
}

// recordset returns the first rows as JSON, as many as fit into one statement, and their number.
func recordset(columns []string, rows [][]any) (data string, n int, err error) {
	names := make([]string, len(columns))
	for i, name := range columns {
		names[i] = strconv.Quote(name) + ":"
	}
	to := []byte{'['}
	for n < len(rows) && len(to) < bulkSize {
		if n > 0 {
			to = append(to, ',')
		}
		if to, err = appendRecord(to, names, rows[n]); err != nil {
			return "", 0, err
		}
		n++
	}
	return string(append(to, ']')), n, nil
}

func appendRecord(to []byte, names []string, row []any) (_ []byte, err error) {
	to = append(to, '{')
	for i, v := range row {
		if v == nil {
			continue // an absent member is null
		}
		if to[len(to)-1] != '{' {
			to = append(to, ',')
		}
		if to, err = appendValue(append(to, names[i]...), v); err != nil {
			return nil, fmt.Errorf("column %s %w", names[i], err)
		}
	}
	return append(to, '}'), nil
}

func appendValue(to []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case json.RawMessage:
		return append(to, v...), nil
	case int:
		return strconv.AppendInt(to, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(to, v, 10), nil
	case bool:
		return strconv.AppendBool(to, v), nil
	case time.Time:
		return append(v.AppendFormat(append(to, '"'), time.RFC3339Nano), '"'), nil
	}
	data, err := json.Marshal(v)
	return append(to, data...), err
}
