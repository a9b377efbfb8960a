package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// snapshot is a read-only transaction, which sees one state of the database. It is always rolled
// back. It needs no rights but to select, and works on a replica.
type snapshot struct {
	db *Store
	on interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	walked map[string]time.Time // when the latest walk over the whole list began that ended, by wire type
	end    func()               // may be called again
}

// snapshot begins one. The caller must end it.
func (d *Store) snapshot(ctx context.Context, clause string) (s *snapshot, err error) {
	if d.Dialect == sqlstore.SQLite {
		s, err = d.sqliteSnapshot(ctx)
	} else {
		s, err = d.postgresSnapshot(ctx, hasSubquery.MatchString(clause))
	}
	if err != nil {
		return nil, err
	}
	if s.walked, err = s.walks(ctx); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// walks returns when the latest walks over whole lists began that ended. A row that was neither
// found missing nor marked since has been shown by such a walk, or was read later. A container may
// have been shown with its shipment, whose list is walked first.
func (s *snapshot) walks(ctx context.Context) (map[string]time.Time, error) {
	kinds, names := map[string]string{}, []string{}
	for _, l := range plan.WholeLists {
		kinds[l.Name] = l.Kind
		names = append(names, l.Name)
	}
	rows, err := s.on.QueryContext(ctx, s.db.SQL(`
select l.value, (select started_at from t49.walks w where w.scope = l.value and w.state = 'done' order by w.id desc limit 1)
from jsonb_array_elements_text($1::jsonb) l`), string(model.Encode(names)))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	walked := map[string]time.Time{}
	for rows.Next() {
		var name string
		var at schema.Instant
		if err := rows.Scan(&name, &at); err != nil {
			return nil, err
		}
		walked[kinds[name]] = at.Time
	}
	if shipments := walked["shipment"]; shipments.Before(walked["container"]) {
		walked["container"] = shipments
	}
	return walked, rows.Err()
}

// hasSubquery matches a clause that may name tables.
var hasSubquery = regexp.MustCompile(`(?i)\b(select|table)\b`)

// postgresSnapshot begins a transaction in which, if named, tables need no schema.
func (d *Store) postgresSnapshot(ctx context.Context, named bool) (*snapshot, error) {
	tx, err := d.Pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	s := &snapshot{db: d, on: tx, end: func() { _ = tx.Rollback() }}
	if !named {
		return s, nil
	}
	rows, err := tx.QueryContext(ctx, `select set_config('search_path', '"`+cmp.Or(d.Schema, schema.DefaultName)+`", ' || current_setting('search_path'), true)`)
	if err == nil {
		err = rows.Close()
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// sqliteSnapshot begins a transaction on a connection that refuses to write until it ends: the
// driver ignores that a transaction is read-only.
func (d *Store) sqliteSnapshot(ctx context.Context) (_ *snapshot, err error) {
	conn, err := d.Pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var before int
	if err = conn.QueryRowContext(ctx, "pragma query_only").Scan(&before); err == nil {
		_, err = conn.ExecContext(ctx, "pragma query_only = 1")
	}
	s := &snapshot{db: d, on: conn, end: sync.OnceFunc(func() { release(conn, before) })}
	if err == nil {
		_, err = conn.ExecContext(ctx, "begin")
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// release ends the transaction of a connection and returns it to the pool, or closes it if it
// cannot be used as before.
func release(conn *sql.Conn, queryOnly int) {
	ctx := context.Background()
	_, _ = conn.ExecContext(ctx, "rollback")
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("pragma query_only = %d", queryOnly)); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = conn.Close()
}
