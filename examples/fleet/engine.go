package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// startEngine starts an engine of its own that keeps its files in folder. Without a kind it starts
// the first of Redis, Postgres and SQLite that is installed.
func startEngine(ctx context.Context, kind, folder string) (e engine, stop func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	e, command, err := choose(ctx, kind, folder)
	if err != nil {
		return e, nil, err
	}
	stop = func() {}
	if command != nil {
		keeper, err := process{Role: "keep", Command: command, File: filepath.Join(folder, "log")}.start()
		if err != nil {
			return e, nil, err
		}
		stop = keeper.stop
	}
	if err := e.prepare(ctx); err != nil {
		stop()
		return e, nil, err
	}
	return e, stop, nil
}

// choose returns an engine and the command that starts its server; SQLite has none.
func choose(ctx context.Context, kind, folder string) (engine, []string, error) {
	port, err := freePort()
	if err != nil {
		return engine{}, nil, err
	}
	switch cmp.Or(kind, installed()) {
	case "redis":
		server := find("redis-server")
		if server == "" {
			return engine{}, nil, errors.New("redis-server is not on the PATH; install it or choose another -engine")
		}
		return engine{"redis", "127.0.0.1:" + port}, []string{server, "--bind", "127.0.0.1", "--port", port,
			"--dir", folder, "--save", "", "--appendonly", "no"}, nil
	case "postgres":
		postgres, initdb := findPostgres("postgres"), findPostgres("initdb")
		if postgres == "" || initdb == "" {
			return engine{}, nil, errors.New("postgres and initdb are not installed; install them or choose another -engine")
		}
		command, err := postgresCommand(ctx, postgres, initdb, port, folder)
		return engine{"postgres", "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable"}, command, err
	case "sqlite":
		return engine{"sqlite", "file:" + filepath.Join(folder, "fleet.db") +
			"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate"}, nil, nil
	}
	return engine{}, nil, fmt.Errorf("-engine must be redis, postgres or sqlite, not %q", kind)
}

// installed returns the first engine whose programs are installed. SQLite needs none.
func installed() string {
	switch {
	case find("redis-server") != "":
		return "redis"
	case findPostgres("postgres") != "" && findPostgres("initdb") != "":
		return "postgres"
	}
	return "sqlite"
}

// postgresCommand creates a database and returns the command that serves it. Postgres refuses to
// run as root; it then runs as the user postgres.
func postgresCommand(ctx context.Context, postgres, initdb, port, folder string) ([]string, error) {
	var as []string
	if os.Geteuid() == 0 {
		account, err := user.Lookup("postgres")
		if err != nil {
			return nil, fmt.Errorf("postgres refuses to run as root, so the user postgres is required: %w", err)
		}
		uid, _ := strconv.Atoi(account.Uid)
		gid, _ := strconv.Atoi(account.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			return nil, err
		}
		as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"}
	}
	data := filepath.Join(folder, "data")
	line := append(as, initdb, "-D", data, "-A", "trust", "-U", "postgres", "--no-sync")
	create := exec.CommandContext(ctx, line[0], line[1:]...)
	create.Dir = folder
	if out, err := create.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return append(as, postgres, "-D", data, "-h", "127.0.0.1", "-p", port, "-c", "unix_socket_directories=", "-c", "fsync=off"), nil
}

// prepare creates the tables; Redis needs none. It retries until the server has started.
func (e engine) prepare(ctx context.Context) error {
	for {
		err := e.tryPrepare(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not start in time: %w", e.Kind, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (e engine) tryPrepare(ctx context.Context) error {
	if e.Kind == "redis" {
		conn, err := net.Dial("tcp", e.Address)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	db, dialect, err := e.open()
	if err != nil {
		return err
	}
	return errors.Join(sqlstore.Migrate(ctx, db, dialect), db.Close())
}

// find returns the path of a program on the PATH, or "".
func find(program string) string {
	path, _ := exec.LookPath(program)
	return path
}

// findPostgres also finds a program of Postgres where Debian keeps it.
func findPostgres(program string) string {
	if path := find(program); path != "" {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	return strings.Join(found[max(0, len(found)-1):], "")
}

// freePort returns a port of the loopback interface that is not in use.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, errors.Join(err, listener.Close())
}
