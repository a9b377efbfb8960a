package store

import (
	"context"
	"errors"
	"fmt"
)

// ErrOtherAccount means that the database holds the copy of another account.
var ErrOtherAccount = errors.New("mirror: the database has the copy of another account; use another schema or database, or the token of that account")

// IsAccount compares an account with the recorded one.
func (d *Store) IsAccount(ctx context.Context, account string) error {
	var known string
	has, err := found(d.Pool.QueryRowContext(ctx, d.SQL("select account from t49.identity")).Scan(&known))
	if err == nil && has && account != "" && known != account {
		return otherAccount(known, account)
	}
	return err
}

func otherAccount(known, account string) error {
	return fmt.Errorf("%w (its account is %s, the token's %s)", ErrOtherAccount, known, account)
}

// Identify records the account in a new database, and compares it with the recorded one otherwise.
func (t *Tx) Identify(ctx context.Context, account string) error {
	var known string
	has, err := t.one(ctx, "select account from t49.identity", nil, &known)
	switch {
	case err != nil || account == "":
		return err
	case has && known != account:
		return otherAccount(known, account)
	case has:
		return nil
	}
	_, err = t.exec(ctx, "insert into t49.identity (account, seen_at) values ($1, $2)", account, t.time(t.Now))
	return err
}
