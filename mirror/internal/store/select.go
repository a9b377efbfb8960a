package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// Selection is which rows of a table to read, and in which order.
type Selection struct {
	Table   *schema.Table
	Types   []string // wire types; none for all of the table
	Clause  string   // of the user, in SQL: where, order by, limit and offset; may be empty
	Lookup  Lookup   // instead of Clause
	Args    []any    // of the clause, in order
	Deleted bool     // deleted rows, too

	WithoutEvents bool // without the transport events of containers
}

// rowsPerDocument is how many selected rows are read at a time.
const rowsPerDocument = 200

// failed returns the error of the database with the user's clause. It has no arguments of it. If
// ctx has ended, drivers have errors of their own.
func (of Selection) failed(ctx context.Context, err error) error {
	return fmt.Errorf("mirror: %s: %w", strings.TrimSpace(of.Table.Name+" "+of.Clause), cmp.Or(context.Cause(ctx), err))
}

// clause returns the clause of a selection in the database's own form.
func (d *Store) clause(of Selection) (string, error) {
	if of.Lookup != "" {
		return d.SQL(string(of.Lookup)), nil
	}
	clause, err := checkClause(d.Dialect, of.Table, of.Clause)
	if err != nil {
		err = &terminal49.ArgumentError{Op: "mirror.Reader", Field: "clause", Problem: err.Error()}
	}
	return clause, err
}

// statement returns the statement of a selection. Its clause was checked.
func (d *Store) statement(of Selection, clause string) string {
	from := "t49.live_" + of.Table.Name
	if of.Deleted {
		from = "t49." + of.Table.Name
	}
	if len(of.Types) > 0 {
		from = "(select * from " + from + " where type in ('" + strings.Join(of.Types, "', '") + "'))"
	}
	return d.SQL("select "+columnsOf(of.Table)+" from "+from+" as "+of.Table.Name) + " " + clause
}

// columnsOf returns the columns that rowSet.scan reads.
func columnsOf(t *schema.Table) string {
	listed := "false"
	if slices.ContainsFunc(plan.WholeLists, func(l *plan.List) bool { return slices.Contains(t.Types, l.Kind) }) {
		listed = fmt.Sprintf("%[1]s.missing_since is null and not exists (select 1 from t49.dirty d where d.kind = %[1]s.type and d.id = %[1]s.id)", t.Name)
	}
	columns := fmt.Sprintf("%[1]s.id, %[1]s.type, %[1]s.seen_at, %[2]s, %[1]s.raw", t.Name, listed)
	for _, link := range t.Links() {
		columns += ", " + t.Name + "." + link.Column
	}
	return columns
}

// selectedRows are the rows of a selection, of which some are read at a time, while other
// statements run in the same transaction.
type selectedRows struct {
	of   *schema.Table
	snap *snapshot
	rows *sql.Rows // nil with a cursor of Postgres, whose connection reads one result at a time
	most int       // rows at a time
}

func (s *snapshot) open(ctx context.Context, of Selection, clause string) (r *selectedRows, err error) {
	r = &selectedRows{of: of.Table, snap: s, most: rowsPerDocument}
	statement, args := s.db.statement(of, clause), s.db.arguments(of.Args)
	switch {
	case of.Lookup != "": // finds few rows, and a cursor would be planned each time
		r.most = math.MaxInt
		fallthrough
	case s.db.Dialect == sqlstore.SQLite:
		r.rows, err = s.on.QueryContext(ctx, statement, args...)
	default:
		_, err = s.on.ExecContext(ctx, "declare "+r.cursor()+" no scroll cursor for "+statement, args...)
	}
	return r, err
}

// cursor is a name for each table: drivers remember the columns of a statement by its text.
func (r *selectedRows) cursor() string { return "t49_selected_" + r.of.Name }

func (r *selectedRows) close() {
	if r.rows != nil {
		_ = r.rows.Close()
	}
}

// next reads the next rows into to, and reports whether they are the last.
func (r *selectedRows) next(ctx context.Context, to *rowSet) (last bool, err error) {
	to.reset()
	rows := r.rows
	if rows == nil {
		rows, err = r.snap.on.QueryContext(ctx, fmt.Sprintf("fetch forward %d from %s", r.most, r.cursor()))
		if err != nil {
			return false, err
		}
		defer rows.Close() //nolint:errcheck // rows.Err has it
	}
	for len(to.list) < r.most && rows.Next() {
		if err := to.scan(rows, r.of); err != nil {
			return false, err
		}
	}
	return len(to.list) < r.most, rows.Err()
}

// arguments returns the user's arguments as the columns store such values.
func (d *Store) arguments(args []any) []any {
	all := slices.Clone(args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case time.Time:
			all[i] = d.Time(arg)
		case terminal49.Time:
			at, _ := arg.Instant()
			all[i] = d.Time(at)
		case terminal49.Date:
			all[i] = arg.String()
		}
	}
	return all
}
