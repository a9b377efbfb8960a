package main

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/sqlstore"
)

// oneAccount makes certain which copy of a database is meant.
type oneAccount struct {
	db    *sql.DB
	named bool // by --schema

	mu sync.Mutex
	is bool // certain
}

// checkTime bounds a check.
const checkTime = 5 * time.Second

// ready returns an error for an agent until it is certain which copy is meant.
func (o *oneAccount) ready(ctx context.Context) error {
	err := o.check(ctx)
	if several := usageError(""); errors.As(err, &several) {
		return errors.New("help: ask the person who runs this server: " + string(several))
	} else if err != nil {
		return errors.New("wait: the database cannot be read now; ask again in 30 s, and if it stays so, ask for the log of this server")
	}
	return nil
}

// check returns a usageError if another copy than that of the default schema may be meant.
func (o *oneAccount) check(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.is || o.named {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	dialect, err := sqlstore.DialectOf(ctx, o.db)
	if err != nil {
		return err
	}
	if dialect == sqlstore.Postgres {
		names, err := schemasOfMirrors(ctx, o.db)
		if err != nil {
			return err
		}
		if len(names) > 0 && !slices.Equal(names, []string{"t49"}) {
			return usageError("name the copy with --schema, or T49_MIRROR_SCHEMA; the database has: " + cli.Printable(strings.Join(names, ", ")))
		}
	}
	o.is = true
	return nil
}

// schemasOfMirrors returns the schemas of Postgres that have the tables of a mirror, of those that
// this role may use.
func schemasOfMirrors(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, `
select nspname from pg_namespace n
where has_schema_privilege(oid, 'usage')
  and 3 = (select count(*) from pg_class where relnamespace = n.oid and relname in ('inbox', 'situations', 'unassessed'))
order by nspname limit 50`)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		names = append(names, "")
		if err := rows.Scan(&names[len(names)-1]); err != nil {
			return nil, err
		}
	}
	return names, rows.Err()
}
