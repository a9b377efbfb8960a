//go:build unix

package proof

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"os"
	"sync/atomic"
	"syscall"
)

// open opens the database, and counts statements if the process is to end or stop at one of them.
func (o order) open() (*sql.DB, error) {
	db, err := sql.Open(o.Database.Driver, o.Database.DSN)
	if err != nil || o.KillStatement+o.StopStatement == 0 {
		return db, err
	}
	return sql.OpenDB(&counter{from: db.Driver(), order: o}), nil
}

// counter counts the moments before and after the statements of a pool, begin and commit included.
type counter struct {
	from   driver.Driver
	order  order
	passed atomic.Int64
}

// pass ends or stops the process if this is the moment.
func (c *counter) pass() {
	n := int(c.passed.Add(1))
	if n == c.order.KillStatement {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	if n == c.order.StopStatement {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	}
}

func (c *counter) Driver() driver.Driver { return c.from }

func (c *counter) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.from.Open(c.order.Database.DSN)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn.(execQuerier), c}, nil
}

// execQuerier is what the connections of both drivers have.
type execQuerier interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
}

type countedConn struct {
	execQuerier
	*counter
}

func (c *countedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	c.pass()
	tx, err := c.execQuerier.BeginTx(ctx, opts)
	c.pass()
	return countedTx{tx, c.counter}, err
}

func (c *countedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.pass()
	defer c.pass()
	return c.execQuerier.ExecContext(ctx, query, args)
}

func (c *countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.pass()
	defer c.pass()
	return c.execQuerier.QueryContext(ctx, query, args)
}

type countedTx struct {
	driver.Tx
	*counter
}

func (t countedTx) Commit() error {
	t.pass()
	defer t.pass()
	return t.Tx.Commit()
}
