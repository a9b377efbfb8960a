package mirror

import (
	"context"
	"fmt"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// QueryOptions bounds a query. The zero value uses the defaults.
type QueryOptions struct {
	Timeout time.Duration // default 5 seconds, at most 15 seconds
	MaxRows int           // default and most 500
}

// QueryResult is what [Reader.Query] returns.
type QueryResult struct {
	Columns []string // names; two columns may have the same
	// Rows are the values by row and column: nil, bool, int64, float64 or string. An instant is a
	// string in UTC, such as 2026-03-02T08:00:00.000000Z. SQLite has 0 and 1 for a boolean, and
	// Postgres a string for an exact number.
	Rows      [][]any
	More      bool // rows are left out, because there are more than MaxRows, or than 256 KB
	Shortened bool // a text with more than 2,000 characters was cut
}

// The bounds of a query.
const (
	queryTimeout     = 5 * time.Second
	longestQueryTime = 15 * time.Second
	queryRows        = 500
	queryBytes       = 256 << 10
	queryCell        = 2000
)

// Query executes one SELECT, or WITH and SELECT, of somebody who is not trusted, such as a language
// model. It reads the views of [QueryViews] and nothing else: no other table or schema, and no
// function that could write, sleep, read files or build long texts. It waits at most for
// QueryOptions.Timeout, returns at most 500 rows and 256 KB, and writes nothing, although the role
// may be allowed to.
//
// Errors: *terminal49.ArgumentError says which word is refused, or what the database finds wrong,
// and what is allowed; [ErrNoTables]; those of the database and of ctx.
func (r *Reader) Query(ctx context.Context, sql string, opts QueryOptions) (*QueryResult, error) {
	q := store.Query{SQL: sql, Timeout: opts.Timeout, Rows: opts.MaxRows, Bytes: queryBytes, Cell: queryCell}
	if err := r.boundQuery(&q); err != nil {
		return nil, err
	}
	found, err := r.db.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	return &QueryResult{Columns: found.Columns, Rows: found.Rows, More: found.More, Shortened: found.Shortened}, nil
}

// boundQuery sets the defaults of a query and checks its bounds.
func (r *Reader) boundQuery(q *store.Query) error {
	if q.Timeout == 0 {
		q.Timeout = queryTimeout
	}
	if q.Rows == 0 {
		q.Rows = queryRows
	}
	problem := func(field, problem string) error {
		return &terminal49.ArgumentError{Op: "mirror.Query", Field: field, Problem: problem}
	}
	switch {
	case r.err != nil:
		return r.err
	case q.Timeout < time.Millisecond || q.Timeout > longestQueryTime:
		return problem("Timeout", fmt.Sprintf("must be from 1ms to %v", longestQueryTime))
	case q.Rows < 1 || q.Rows > queryRows:
		return problem("MaxRows", fmt.Sprintf("must be from 1 to %d", queryRows))
	}
	return checkText("Query", "sql", q.SQL)
}

// QueryView is a view that [Reader.Query] may read.
type QueryView struct {
	Name, Doc string
	Columns   []QueryColumn
}

// QueryColumn is a column of a view. Null means that the service reported nothing.
type QueryColumn struct {
	Name string
	Type string // text, integer, number, boolean, instant, or wall clock: text in the form YYYY-MM-DD HH:MM:SS or YYYY-MM-DD
	Doc  string
}

// QueryViews returns the views that [Reader.Query] may read, those first that most queries need.
// They have no rows that are deleted.
func QueryViews() []QueryView {
	all := make([]QueryView, len(schema.Views))
	for i, v := range schema.Views {
		all[i] = QueryView{Name: v.Name, Doc: v.Doc}
		for _, c := range v.Columns {
			all[i].Columns = append(all[i].Columns, QueryColumn{Name: c.Name, Type: c.Kind.String(), Doc: c.Doc})
		}
	}
	return all
}
