package main

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// defaultFile is the database without --db and T49_MIRROR_DB.
const defaultFile = "terminal49.db"

// The forms of --db. A name that may be anything but the name of a file is none, because it may
// hold a password, which would be printed and become the name of a file.
var (
	isExplicitPath = regexp.MustCompile(`^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])(?:[^/]|$)`).MatchString
	isPostgresURL  = regexp.MustCompile(`(?i)^postgres(?:ql)?://`).MatchString
	hasKeyword     = regexp.MustCompile(`(?:^|\s)(?:host|hostaddr|port|dbname|user|password|passfile|service|servicefile|sslmode)\s*=`).MatchString
)

const (
	errNotDatabase usageError = "--db must be a path, a URL such as postgres://user@host/database, or keywords such as " +
		"\"host=db.internal user=mirror dbname=freight\"; a file whose name has : = or @ is written ./NAME"
	errNotPostgres usageError = "--db is not a Postgres URL or keywords that can be read; in a URL, write / as %2F, ? as %3F, # as %23 and " +
		"@ as %40 in a password; in keywords, put a value with spaces in quotes: password='a b'"
)

// name returns the path, URL or keywords of the database.
func (a *app) name() string { return cmp.Or(a.db, os.Getenv("T49_MIRROR_DB"), defaultFile) }

// open opens the database. Without create, the file of a SQLite database must exist.
func (a *app) open(create bool) (*sql.DB, error) {
	name := a.name()
	trimmed := strings.TrimSpace(name) // of the end of a line, in a variable
	switch {
	case isExplicitPath(name):
		return a.openFile(name, create)
	case isPostgresURL(trimmed), hasKeyword(trimmed):
		return a.openPostgres(trimmed)
	case trimmed == "" || strings.ContainsAny(name, ":=@"):
		return nil, errNotDatabase
	}
	return a.openFile(name, create)
}

// schemaName returns the schema of the tables in Postgres; "" for the default.
func (a *app) schemaName() string { return cmp.Or(a.schema, os.Getenv("T49_MIRROR_SCHEMA")) }

// explainFile replaces the error of a SQLite file that cannot be written by one that says which
// right is missing.
func explainFile(name string, err error) error {
	if code := (interface{ Code() int })(nil); !errors.As(err, &code) || !slices.Contains([]int{8, 14}, code.Code()&0xff) {
		return err
	}
	if denied := canWrite(name); denied != nil {
		return denied
	}
	folder := filepath.Dir(name)
	file, denied := os.CreateTemp(folder, ".terminal49-mirror-")
	if denied != nil {
		return fmt.Errorf("SQLite creates two files next to the database; give this user the right to write the folder %s: %w", folder, denied)
	}
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// canWrite returns an error if a file cannot be written.
func canWrite(name string) error {
	file, denied := os.OpenFile(name, os.O_RDWR, 0)
	if denied != nil {
		return fmt.Errorf("the file of the database cannot be written; give this user the right to read and write it: %w", denied)
	}
	return file.Close()
}

func (a *app) openFile(name string, create bool) (*sql.DB, error) {
	if a.schema != "" {
		return nil, usageError("--schema needs Postgres: SQLite has no schemas; name another file with --db for another account")
	}
	if err := a.prepareFile(name, create); err != nil {
		return nil, err
	}
	settings := "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate"
	if a.reading { // the file is opened for writing, because readers of a log of writes need its index
		settings = "?_pragma=busy_timeout(5000)&_pragma=query_only(1)"
	}
	if a.temporary {
		settings += "&_pragma=synchronous(OFF)" // it is lost with the process anyway
	}
	return sql.Open("sqlite", "file:"+(&url.URL{Path: name}).EscapedPath()+settings)
}

// misread matches a URL of which a part of the password would be read as a host, port, path or
// fragment, and printed if it cannot be connected to.
var misread = regexp.MustCompile(`^\w+://(?:[^/?#]*/[^?]*@|.*#)`).MatchString

// isParameter matches the name of a parameter that Postgres knows, or an extension.
var isParameter = regexp.MustCompile(`^[A-Za-z_][\w.]*$`).MatchString

func (a *app) openPostgres(name string) (*sql.DB, error) {
	if scheme, rest, isURL := strings.Cut(name, "://"); isURL && isPostgresURL(name) {
		name = strings.ToLower(scheme) + "://" + rest
	}
	config, err := pgx.ParseConfig(name)
	var unread *fs.PathError
	switch {
	case errors.As(err, &unread):
		return nil, usageError("--db: " + unread.Error())
	case err != nil || misread(name):
		return nil, errNotPostgres // an error may hold a part of the password
	}
	for parameter := range config.RuntimeParams {
		if !isParameter(parameter) {
			return nil, errNotPostgres
		}
		if slices.Contains([]string{"client_encoding", "datestyle"}, strings.ToLower(parameter)) {
			delete(config.RuntimeParams, parameter)
		}
	}
	a.secrets.Add(a.db, name, config.Password)
	a.secrets.Add(writtenPasswords(name)...)
	a.schema = a.schemaName()
	config.RuntimeParams["client_encoding"] = "UTF8" // what the driver sends, whatever a role's default is
	config.RuntimeParams["DateStyle"] = "ISO"
	if a.reading {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	db := stdlib.OpenDB(*config)
	db.SetConnMaxLifetime(sessionTime)
	return db, nil
}

// sessionTime is how long a session is used: a new one has the server's new defaults and address.
const sessionTime = 10 * time.Minute

var writtenPassword = regexp.MustCompile(`password\s*=\s*(?:'((?:[^'\\]|\\.)*)'|([^\s&]+))`)

// writtenPasswords returns the passwords of a URL's query or of keywords as they are written there,
// that of a key included.
func writtenPasswords(name string) (list []string) {
	for _, found := range writtenPassword.FindAllStringSubmatch(name, -1) {
		written := found[1] + found[2]
		list = append(list, written)
		if plain, err := url.QueryUnescape(written); err == nil {
			list = append(list, plain)
		}
	}
	return list
}

// prepareFile creates an empty file that only its owner can read, or finds that there is one.
func (a *app) prepareFile(name string, create bool) error {
	if _, err := os.Stat(name); err == nil && create {
		return canWrite(name)
	} else if err == nil || !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if !create {
		return usageError("there is no database " + name + "; start terminal49-mirror run, or name another one with --db" + a.noCopy)
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
