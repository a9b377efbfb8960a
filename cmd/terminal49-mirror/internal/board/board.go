// Package board shows containers on a web page: where each is, what to do about it, what is owed,
// and how many days are left.
package board

import (
	"database/sql"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/terminal49test"
)

// Board is a page, and where its containers come from.
type Board struct{ from source }

// Demo returns a board of a simulated account. Its clock runs at a speed from 0 to MaxSpeed once
// all has been read. The board runs the mirror, which has a webhook.
func Demo(o Own, server *terminal49test.Server, speed float64) *Board {
	return &Board{newSimulation(o, server, speed)}
}

// Account returns a board of an account, in which nothing is changed. It runs the mirror, which has
// [AccountOptions] and no webhook. The client is that of [HidingToken].
func Account(o Own) *Board { return &Board{newAccount(o)} }

// Copy returns a board of a mirror, which is only read. Nothing is sent to the service. hide
// removes the password of the database from a text.
func Copy(db *sql.DB, hide func(string) string, opts ...mirror.Option) (*Board, error) {
	c, err := newCopy(db, hide, opts...)
	if err != nil {
		return nil, err
	}
	return &Board{c}, nil
}

// UsageError is a mistake in the environment: a token that is refused, or a database without a
// mirror.
type UsageError string

// Error implements error.
func (e UsageError) Error() string { return string(e) }
