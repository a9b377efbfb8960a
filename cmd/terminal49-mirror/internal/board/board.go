// Package board shows containers on a web page: where each is, what to do about it, what is owed,
// and how many days are left.
package board

import (
	"database/sql"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// Board is a page, and where its containers come from.
type Board struct {
	from  source
	close func()
}

// Demo returns a board of a simulated account with a number of shipments under way, whose clock
// runs at a speed from 0 to MaxSpeed.
func Demo(shipments int, speed float64) (*Board, error) {
	s, err := simulate(shipments, speed)
	if err != nil {
		return nil, err
	}
	return &Board{s, s.server.Close}, nil
}

// Account returns a board of the account of a client. Nothing in it is changed. It adds options
// that hide the token from the pages.
func Account(connect func(...terminal49.Option) (*terminal49.Client, error)) (*Board, error) {
	client, err := hidingToken(connect)
	if err != nil {
		return nil, err
	}
	return &Board{newAccount(client), func() {}}, nil
}

// Copy returns a board of a mirror, which is only read. Nothing is sent to the service. hide
// removes the password of the database from a text.
func Copy(db *sql.DB, hide func(string) string, opts ...mirror.Option) (*Board, error) {
	c, err := newCopy(db, hide, opts...)
	if err != nil {
		return nil, err
	}
	return &Board{c, func() {}}, nil
}

// Close ends a simulated account.
func (b *Board) Close() { b.close() }

// UsageError is a mistake in the environment: a token that is refused, or a database without a
// mirror.
type UsageError string

// Error implements error.
func (e UsageError) Error() string { return string(e) }
