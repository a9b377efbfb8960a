package main

import (
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
)

var isPostgres = regexp.MustCompile(`(?i)^postgres(?:ql)?://`).MatchString

// misread matches a URL of which a part of the password would be read as a host, port, path or
// fragment, and printed if it cannot be connected to.
var misread = regexp.MustCompile(`^\w+://(?:[^/?#]*/[^?]*@|.*#)`).MatchString

const (
	errNotMirror usageError = "--mirror must be sqlite:PATH, such as sqlite:terminal49.db, or a URL such as postgres://user@host/database"
	errNotURL    usageError = "--mirror is not a Postgres URL that can be read; write / as %2F, ? as %3F, # as %23 and @ as %40 in a password"
)

// openDatabase opens the database of a mirror to read it. hide removes its password from a text.
func openDatabase(name string) (db *sql.DB, hide func(string) string, err error) {
	name = strings.TrimSpace(name)
	file, isFile := strings.CutPrefix(name, "sqlite:")
	switch {
	case isPostgres(name):
		return openPostgres(name)
	case isFile && file != "":
		db, err := openFile(file)
		return db, terminal49.Redactor(), err
	}
	return nil, nil, errNotMirror // which may hold a password
}

// openFile opens a SQLite file that exists. Connections may not write; the file is opened for
// writing because readers of a log of writes need its index.
func openFile(name string) (*sql.DB, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, usageError("there is no file " + name + "; start terminal49-mirror run --db " + name + ", or name another one with --mirror")
	} else if err != nil {
		return nil, err
	}
	return sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+"?_pragma=busy_timeout(5000)&_pragma=query_only(1)")
}

func openPostgres(name string) (db *sql.DB, hide func(string) string, err error) {
	scheme, rest, _ := strings.Cut(name, "://")
	config, err := pgx.ParseConfig(strings.ToLower(scheme) + "://" + rest)
	var unread *fs.PathError
	switch {
	case errors.As(err, &unread):
		return nil, nil, usageError("--mirror: " + unread.Error())
	case err != nil || misread(name):
		return nil, nil, errNotURL // an error may hold a part of the password
	}
	config.RuntimeParams["default_transaction_read_only"] = "on"
	config.RuntimeParams["client_encoding"] = "UTF8" // what the driver reads, whatever a role's default is
	config.RuntimeParams["DateStyle"] = "ISO"
	db = stdlib.OpenDB(*config)
	db.SetConnMaxLifetime(10 * time.Minute) // a new session has the server's new defaults and address
	return db, terminal49.Redactor(terminal49.NewSecret(name), terminal49.NewSecret(config.Password)), nil
}
