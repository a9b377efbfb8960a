// Package sqlstore keeps in Postgres or SQLite what several processes share: the rate limits of one
// API key, and the notifications that were handled.
package sqlstore

import (
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/pressly/goose/v3"
	_ "modernc.org/sqlite"

	_ "github.com/go-freight/terminal49"
)
