//go:build unix

package proof

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// preparedDriver is the SQLite driver with connections that keep statements prepared: a story runs
// the same few ones ten thousand times, and preparing one takes longer than running it.
const preparedDriver = "sqlite, prepared"

func init() { sql.Register(preparedDriver, preparing{&sqlite.Driver{}}) }

type preparing struct{ driver.Driver }

// Open implements driver.Driver.
func (p preparing) Open(name string) (driver.Conn, error) {
	c, err := p.Driver.Open(name)
	if err != nil {
		return nil, err
	}
	return &preparedConn{c.(sqliteConn), map[string][]preparedStmt{}}, nil
}

type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.SessionResetter
	driver.Validator
}

type preparedStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// preparedConn is a connection with its prepared statements that are not in use.
type preparedConn struct {
	sqliteConn
	idle map[string][]preparedStmt
}

// take returns a statement that give puts back.
func (c *preparedConn) take(text string) (preparedStmt, error) {
	if list := c.idle[text]; len(list) > 0 {
		c.idle[text] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	s, err := c.Prepare(text)
	if err != nil {
		return nil, err
	}
	return s.(preparedStmt), nil
}

func (c *preparedConn) give(text string, s preparedStmt) { c.idle[text] = append(c.idle[text], s) }

// ExecContext implements driver.ExecerContext. No context ends a statement within a story, and each
// would start a goroutine.
func (c *preparedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.take(text)
	if err != nil {
		return nil, err
	}
	defer c.give(text, s)
	return s.ExecContext(context.WithoutCancel(ctx), args)
}

// QueryContext implements driver.QueryerContext.
func (c *preparedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.take(text)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.WithoutCancel(ctx), args)
	if err != nil {
		c.give(text, s)
		return nil, err
	}
	return &preparedRows{rows, func() { c.give(text, s) }}, nil
}

// Close closes the statements too.
func (c *preparedConn) Close() error {
	var all []error
	for _, list := range c.idle {
		for _, s := range list {
			all = append(all, s.Close())
		}
	}
	return errors.Join(append(all, c.sqliteConn.Close())...)
}

type preparedRows struct {
	driver.Rows
	give func()
}

// Close gives the statement back.
func (r *preparedRows) Close() error {
	defer r.give()
	return r.Rows.Close()
}
