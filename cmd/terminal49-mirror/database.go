package main

import (
	"cmp"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// defaultFile is the database without --db and T49_MIRROR_DB.
const defaultFile = "terminal49.db"

// open opens the database. Without create, the file of a SQLite database must exist.
func (a *app) open(create bool) (*sql.DB, error) {
	name := cmp.Or(a.db, os.Getenv("T49_MIRROR_DB"), defaultFile)
	if strings.Contains(name, "://") {
		return a.openPostgres(name)
	}
	if err := prepareFile(name, create); err != nil {
		return nil, err
	}
	return sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate")
}

func (a *app) openPostgres(name string) (*sql.DB, error) {
	address, err := url.Parse(name)
	if err != nil || address.Scheme != "postgres" && address.Scheme != "postgresql" {
		return nil, usageError("--db must be a path or a URL such as postgres://user@host/database") // it may have a password
	}
	password, _ := address.User.Password()
	a.secrets.add(name, password, url.QueryEscape(password), url.PathEscape(password), address.Query().Get("password"))
	return sql.Open("pgx", name)
}

// prepareFile creates an empty file that only its owner can read, or finds that there is one.
func prepareFile(name string, create bool) error {
	if _, err := os.Stat(name); err == nil || !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if !create {
		return usageError("there is no database " + name + "; start terminal49-mirror run, or name another one with --db")
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
