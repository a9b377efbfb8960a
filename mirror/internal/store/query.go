package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/sqlstore"
)

// Query is a query of the user with its bounds.
type Query struct {
	SQL     string
	Timeout time.Duration
	Rows    int // the most to return
	Bytes   int // the most of all values
	Cell    int // the most characters of a text
}

// QueryResult are the rows of a query.
type QueryResult struct {
	Columns   []string
	Rows      [][]any // nil, bool, int64, float64 or string
	More      bool    // there are more rows
	Shortened bool    // a text was cut

	bytes int
}

// mostQueryColumns is the most columns of a query.
const mostQueryColumns = 100

// Query executes a query, in a transaction that can only read.
func (d *Store) Query(ctx context.Context, q Query) (*QueryResult, error) {
	if err := d.Ready(ctx); err != nil {
		return nil, err
	}
	var err error
	if q.SQL, err = bareQuery(q.SQL); err != nil {
		return nil, refusedQuery(err)
	}
	views, err := checkQuery(d.Dialect, q.SQL)
	if err == nil {
		q.SQL, err = cutList(q.SQL)
	}
	if err != nil {
		return nil, refusedQuery(err)
	}
	bounded, cancel := context.WithTimeout(ctx, q.Timeout+d.queryGrace())
	defer cancel()
	s, err := d.querySnapshot(bounded, q)
	if err == nil {
		defer s.end()
		err = s.guardQuery(bounded, views, d.queryStatement(views, q))
	}
	var result *QueryResult
	if err == nil {
		result, err = s.query(bounded, views, q)
	}
	if err != nil {
		return nil, d.queryFailed(ctx, bounded, q, err)
	}
	return result, nil
}

func refusedQuery(err error) error {
	return &terminal49.ArgumentError{Op: "mirror.Query", Field: "sql", Problem: err.Error()}
}

// queryGrace is how much later than the database this program gives up: then the connection is
// lost.
func (d *Store) queryGrace() time.Duration {
	if d.Dialect == sqlstore.Postgres {
		return time.Second
	}
	return 0
}

// queryFailed returns what is wrong with a query if the database says so, and without its
// arguments.
func (d *Store) queryFailed(ctx, bounded context.Context, q Query, err error) error {
	var argument *terminal49.ArgumentError
	var postgres interface{ SQLState() string }
	var sqlite interface{ Code() int }
	switch {
	case errors.As(err, &argument):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case bounded.Err() != nil:
		return refusedQuery(fmt.Errorf("takes longer than %v; select less, or allow more time", q.Timeout))
	case errors.As(err, &postgres):
		return d.postgresQueryFailed(q, postgres.SQLState(), err)
	case errors.As(err, &sqlite) && slices.Contains([]int{1, 18, 20, 25}, sqlite.Code()&0xff): // error, too big, mismatch, range
		return refusedQuery(fmt.Errorf("does not work: %w", err))
	}
	return fmt.Errorf("mirror: query: %w", err)
}

func (d *Store) postgresQueryFailed(q Query, state string, err error) error {
	switch {
	case state == "57014":
		return refusedQuery(fmt.Errorf("takes longer than %v; select less, or allow more time", q.Timeout))
	case state == "42501" || Reason(err) == pooled:
		return d.Explain(err)
	case slices.Contains([]string{"0A", "21", "22", "42", "53", "54"}, state[:2]):
		return refusedQuery(fmt.Errorf("does not work: %s", strings.TrimPrefix(err.Error(), "ERROR: ")))
	}
	return fmt.Errorf("mirror: query: %w", err)
}

// queryStatement returns the statement of a query. What it names as views are queries of with. In
// SQLite the last column makes the database compute all rows when it computes the first: a driver
// interrupts only that.
func (d *Store) queryStatement(views []string, q Query) string {
	var b strings.Builder
	for i, name := range views {
		b.WriteString([]string{"with ", ", "}[min(i, 1)])
		v := viewByName[name]
		fmt.Fprintf(&b, "%s as not materialized (select ", name)
		for i, c := range v.Columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(v.Value(c.Name) + " as " + c.Name)
		}
		b.WriteString(" from " + d.queryTables(v.From) + ")")
	}
	if d.Dialect == sqlstore.Postgres {
		return b.String() + " select * from (" + q.SQL + ") t49_query"
	}
	return fmt.Sprintf("%s select *, count(*) over () from (select * from (%s) limit %d)", b.String(), q.SQL, q.Rows+1)
}

// queryTables returns the tables of a view as a query of with names them, which may have the same
// name as a table of SQLite.
func (d *Store) queryTables(from string) string {
	if d.Dialect == sqlstore.SQLite {
		return strings.ReplaceAll(from, "t49.", "main.")
	}
	return d.names.In(from)
}

// querySettings bound what a statement may use in Postgres, as far as the role may set them.
const querySettings = `
select set_config(s.name, w.value, true) from pg_settings s join (values ('search_path', 'pg_catalog'), ('statement_timeout', $1),
  ('lock_timeout', '1000'), ('TimeZone', 'UTC'), ('DateStyle', 'ISO'), ('standard_conforming_strings', 'on'), ('jit', 'off'),
  ('max_parallel_workers_per_gather', '0'), ('work_mem', '8MB'), ('hash_mem_multiplier', '1'), ('temp_file_limit', '256MB')) w(name, value)
  on w.name = s.name where s.context = 'user' or (select rolsuper from pg_roles where rolname = current_user)`

// querySnapshot begins a transaction for a query.
func (d *Store) querySnapshot(ctx context.Context, q Query) (*snapshot, error) {
	if d.Dialect == sqlstore.SQLite {
		return d.sqliteSnapshot(ctx)
	}
	s, err := d.postgresSnapshot(ctx, false)
	if err != nil {
		return nil, err
	}
	rows, err := s.on.QueryContext(ctx, querySettings, fmt.Sprint(q.Timeout.Milliseconds()))
	if err == nil {
		for rows.Next() { //nolint:revive // each row sets one
		}
		err = errors.Join(rows.Err(), rows.Close())
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// query reads the rows of a query.
func (s *snapshot) query(ctx context.Context, views []string, q Query) (*QueryResult, error) {
	r, statement := &QueryResult{}, s.db.queryStatement(views, q)
	if s.db.Dialect == sqlstore.SQLite {
		_, err := s.queryRows(ctx, r, q, statement)
		return r, err
	}
	hash := fnv.New64a()
	hash.Write([]byte(statement))
	cursor := fmt.Sprintf("t49_query_%x", hash.Sum64()) // drivers remember the columns of a statement by its text
	_, err := s.on.ExecContext(ctx, "declare "+cursor+" no scroll cursor for "+statement)
	for last := false; err == nil && !last && !r.More; {
		last, err = s.queryRows(ctx, r, q, "fetch forward 50 from "+cursor)
	}
	return r, err
}

// queryRows adds rows to a result, and reports whether there were none.
func (s *snapshot) queryRows(ctx context.Context, r *QueryResult, q Query, statement string) (last bool, err error) {
	rows, err := s.on.QueryContext(ctx, statement)
	if err != nil {
		return false, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	types, err := rows.ColumnTypes()
	if err != nil {
		return false, err
	}
	if s.db.Dialect == sqlstore.SQLite {
		types = types[:len(types)-1]
	}
	if err := r.setColumns(types); err != nil {
		return false, err
	}
	values, dest := make([]any, len(types)+1), make([]any, len(types), len(types)+1)
	for i := range dest {
		dest[i] = &values[i]
	}
	if s.db.Dialect == sqlstore.SQLite {
		dest = append(dest, &values[len(types)])
	}
	last = true
	for rows.Next() && !r.More {
		last = false
		if err := rows.Scan(dest...); err != nil {
			return false, err
		}
		r.add(q, types, values)
	}
	return last, rows.Err()
}

func (r *QueryResult) setColumns(types []*sql.ColumnType) error {
	if len(types) < 1 || len(types) > mostQueryColumns {
		return refusedQuery(fmt.Errorf("must have at least one column and at most %d columns", mostQueryColumns))
	}
	r.Columns = make([]string, len(types))
	for i, c := range types {
		r.Columns[i], _, _ = strings.Cut(c.Name(), ":") // SQLite numbers those with the same name
	}
	return nil
}

// add adds a row unless it exceeds the bounds.
func (r *QueryResult) add(q Query, types []*sql.ColumnType, values []any) {
	row, size := make([]any, len(types)), 0
	for i, t := range types {
		row[i] = r.cell(values[i], t.DatabaseTypeName(), q.Cell)
		size += 8
		if text, is := row[i].(string); is {
			size += len(text)
		}
	}
	if len(r.Rows) == q.Rows || r.bytes+size > q.Bytes && len(r.Rows) > 0 {
		r.More = true
		return
	}
	r.bytes += size
	r.Rows = append(r.Rows, row)
}

// cell returns a value in the form that both databases have in common.
func (r *QueryResult) cell(v any, typ string, most int) any {
	switch v := v.(type) {
	case nil, bool, int64:
		return v
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case time.Time:
		switch typ {
		case "DATE":
			return v.Format(time.DateOnly)
		case "TIMESTAMP":
			return v.Format("2006-01-02T15:04:05.000000")
		}
		return v.UTC().Format("2006-01-02T15:04:05.000000Z")
	case []byte:
		return r.text(string(v), most)
	case string:
		return r.text(v, most)
	}
	return r.text(fmt.Sprint(v), most)
}

func (r *QueryResult) text(s string, most int) string {
	if len(s) > most && utf8.RuneCountInString(s) > most {
		r.Shortened = true
		s = string([]rune(s)[:most])
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
