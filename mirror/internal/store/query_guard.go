package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// guardQuery refuses a statement that the database would execute with anything else than reads of
// the tables of the views. checkQuery allows none; this is the database's own opinion.
func (s *snapshot) guardQuery(ctx context.Context, views []string, statement string) error {
	var tables []string
	for _, name := range views {
		tables = append(tables, viewByName[name].Tables...)
	}
	if s.db.Dialect == sqlstore.Postgres {
		return s.guardPostgres(ctx, tables, statement)
	}
	return s.guardSQLite(ctx, tables, statement)
}

// guardPostgres checks the plan of a statement.
func (s *snapshot) guardPostgres(ctx context.Context, tables []string, statement string) error {
	rows, err := s.on.QueryContext(ctx, "explain (verbose, costs off, format json) "+statement)
	if err != nil {
		return err
	}
	var text []byte
	if err := onlyRow(rows, &text); err != nil {
		return err
	}
	var plan any
	if err := json.Unmarshal(text, &plan); err != nil {
		return err
	}
	return s.guardPlan(plan, tables)
}

func (s *snapshot) guardPlan(plan any, tables []string) error {
	switch plan := plan.(type) {
	case []any:
		for _, part := range plan {
			if err := s.guardPlan(part, tables); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, value := range plan {
			text, _ := value.(string)
			switch {
			case name == "Schema" && text != cmp.Or(s.db.Schema, schema.DefaultName),
				name == "Relation Name" && !slices.Contains(tables, text),
				name == "Function Name" || name == "Table Function Name",
				name == "Node Type" && slices.Contains([]string{"ModifyTable", "LockRows"}, text):
				return refusedQuery(fmt.Errorf("must only read the views %s, not %q", strings.Join(viewNames, ", "), text))
			}
			if err := s.guardPlan(value, tables); err != nil {
				return err
			}
		}
	}
	return nil
}

// guardSQLite checks the operations of a statement.
func (s *snapshot) guardSQLite(ctx context.Context, tables []string, statement string) error {
	roots, err := s.rootPages(ctx, tables)
	if err != nil {
		return err
	}
	rows, err := s.on.QueryContext(ctx, "explain "+statement)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var operation string
		var p2, p3 int64
		var p4, unused any
		if err := rows.Scan(&unused, &operation, &unused, &p2, &p3, &p4, &unused, &unused); err != nil {
			return err
		}
		if operation == "OpenRead" || operation == "ReopenIdx" {
			if p3 == 0 && roots[p2] {
				continue
			}
		} else if !refusedOperation(operation, p2, fmt.Sprint(p4)) {
			continue
		}
		return refusedQuery(fmt.Errorf("must only read the views %s", strings.Join(viewNames, ", ")))
	}
	return rows.Err()
}

// refusedOperation reports whether a query must not have an operation of SQLite.
func refusedOperation(operation string, p2 int64, p4 string) bool {
	switch operation {
	case "Transaction":
		return p2 != 0 // it would write
	case "OpenWrite", "VOpen":
		return true
	case "Function", "PureFunc", "AggStep", "AggStep1", "AggInverse", "AggFinal", "AggValue":
		name, _, _ := strings.Cut(p4, "(")
		return !queryFunctions[sqlstore.SQLite][name] && !slices.Contains([]string{"like", "current_date", "current_timestamp"}, name)
	}
	return false
}

// rootPages returns where tables and their indexes begin in the file.
func (s *snapshot) rootPages(ctx context.Context, tables []string) (map[int64]bool, error) {
	quoted := "'" + strings.Join(tables, "', '") + "'"
	rows, err := s.on.QueryContext(ctx, "select rootpage from sqlite_master where tbl_name in ("+quoted+") and type in ('table', 'index')")
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	roots := map[int64]bool{}
	for rows.Next() {
		var root int64
		if err := rows.Scan(&root); err != nil {
			return nil, err
		}
		roots[root] = true
	}
	return roots, rows.Err()
}
