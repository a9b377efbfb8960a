package compatibility_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/sqlstore"
)

// tables returns the tables of the database. The lease is of a process that has ended.
func (d database) tables(t *testing.T) (names []string) {
	t.Helper()
	query := `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`
	if d.dialect == sqlstore.Postgres {
		query = `select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ` + ours + ` order by 1`
	}
	for _, row := range d.texts(t, query) {
		if !strings.HasSuffix(row[0], "leases") {
			names = append(names, row[0])
		}
	}
	return names
}

// columns returns the columns of a table, in order.
func (d database) columns(t *testing.T, table string) (names []string) {
	t.Helper()
	query := `select name from pragma_table_info($1) order by cid`
	if d.dialect == sqlstore.Postgres {
		query = `select attname::text from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`
	}
	for _, row := range d.texts(t, query, table) {
		names = append(names, row[0])
	}
	return names
}

// rows returns the rows of a table as SQL writes their values, in the order of all values.
func (d database) rows(t *testing.T, table string, columns []string) (rows []string) {
	t.Helper()
	values := make([]string, len(columns))
	for i, column := range columns {
		values[i] = `quote("` + column + `")`
		if d.dialect == sqlstore.Postgres {
			values[i] = `quote_nullable("` + column + `"::text)`
		}
	}
	for _, row := range d.texts(t, "select "+strings.Join(values, " || ', ' || ")+" from "+table+" order by 1") {
		rows = append(rows, row[0])
	}
	return rows
}

// dump returns the statements that make the rows of the database in one with empty tables.
func (d database) dump(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, table := range d.tables(t) {
		columns := d.columns(t, table)
		fmt.Fprintf(&b, "delete from %s;\n", table)
		for _, row := range d.rows(t, table, columns) {
			fmt.Fprintf(&b, "insert into %s (%s) values (%s);\n", table, strings.Join(columns, ", "), row)
		}
	}
	if d.dialect == sqlstore.Postgres {
		for _, row := range d.texts(t, `select schemaname || '.' || sequencename, last_value::text from pg_sequences where last_value is not null`) {
			fmt.Fprintf(&b, "select setval('%s', %s);\n", row[0], row[1])
		}
	}
	return b.String()
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// script returns the statements of a file.
func script(file string) (string, error) {
	from, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer from.Close() //nolint:errcheck // it was read
	r, err := gzip.NewReader(from)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}
