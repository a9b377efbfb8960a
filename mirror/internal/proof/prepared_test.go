//go:build unix

package proof

import (
	"context"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// prepared opens databases in memory whose connections keep statements prepared: a story runs the
// same few ones ten thousand times, and preparing one takes longer than running it.
type prepared struct {
	sqlite  sqlite.Driver
	rewrite func(statement string) string // nil if statements are run as they are
}

// Connect implements driver.Connector.
func (p *prepared) Connect(context.Context) (driver.Conn, error) {
	c, err := p.sqlite.Open(":memory:")
	if err != nil {
		return nil, err
	}
	return &preparedConn{c.(sqliteConn), p.rewrite, map[string][]preparedStmt{}}, nil
}

// Driver implements driver.Connector.
func (p *prepared) Driver() driver.Driver { return &p.sqlite }

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
	rewrite func(string) string
	idle    map[string][]preparedStmt
}

// take returns a statement, which give returns to the pool.
func (c *preparedConn) take(text string) (preparedStmt, error) {
	if list := c.idle[text]; len(list) > 0 {
		c.idle[text] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	if c.rewrite != nil {
		text = c.rewrite(text)
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

// Close returns the statement to the pool.
func (r *preparedRows) Close() error {
	defer r.give()
	return r.Rows.Close()
}
