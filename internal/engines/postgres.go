package engines

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
)

// Postgres is a server of its own for one test. Every local user may log in.
type Postgres struct {
	t      testing.TB
	folder string
	port   int
	shift  string   // of its clock, such as "+1h"
	args   []string // further settings, such as "-c", "fsync=on"
	stop   func()
}

// StartPostgres starts a server that does not wait for the disk, unless args set that, such as
// "-c", "fsync=on". It ends with the test.
func StartPostgres(t testing.TB, args ...string) *Postgres {
	t.Helper()
	return StartPostgresClock(t, "", args...)
}

// StartPostgresClock is [StartPostgres] with a clock that is off by shift, such as "-1h".
func StartPostgresClock(t testing.TB, shift string, args ...string) *Postgres {
	t.Helper()
	p := &Postgres{t: t, folder: publicFolder(t), shift: shift, args: args}
	run(t, postgresProgram(t, "initdb"), "-D", p.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8",
		"--locale=C", "--no-sync")
	p.port = freePort(t)
	p.Start()
	t.Cleanup(p.Stop)
	return p
}

// Start starts the server again, on the same port and with the same data, and waits until it
// serves.
func (p *Postgres) Start() {
	p.t.Helper()
	line := append([]string{postgresProgram(p.t, "postgres"), "-D", p.data(), "-h", "127.0.0.1",
		"-p", strconv.Itoa(p.port), "-c", "unix_socket_directories=", "-c", "fsync=off",
		"-c", "max_connections=200", "-c", "shared_buffers=32MB"}, p.args...)
	p.stop = leash(p.t, "QUIT", filepath.Join(p.folder, "log"), shifted(p.t, p.shift, line))
	ready := postgresProgram(p.t, "pg_isready")
	eventually(p.t, "postgres", func() error {
		return exec.Command(ready, "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port)).Run()
	})
}

// Stop ends the server as "pg_ctl stop -m immediate" does. It does nothing if the server is not
// running.
func (p *Postgres) Stop() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

// Restart stops the server with [Postgres.Stop] and starts it again.
func (p *Postgres) Restart() {
	p.t.Helper()
	p.Stop()
	p.Start()
}

// SetClock sets by how much the clock of the server is off, from its next start on.
func (p *Postgres) SetClock(shift string) { p.shift = shift }

// Replica starts a replica that follows the server until [Postgres.Promote].
func (p *Postgres) Replica() *Postgres {
	p.t.Helper()
	replica := &Postgres{t: p.t, folder: publicFolder(p.t), port: freePort(p.t), args: p.args}
	run(p.t, postgresProgram(p.t, "pg_basebackup"), "-D", replica.data(), "-R", "-c", "fast", "--no-sync",
		"-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "postgres")
	replica.Start()
	p.t.Cleanup(replica.Stop)
	return replica
}

// Promote makes a replica a primary.
func (p *Postgres) Promote() {
	p.t.Helper()
	run(p.t, postgresProgram(p.t, "pg_ctl"), "promote", "-w", "-D", p.data())
}

// DSN returns the address of the server's database postgres.
func (p *Postgres) DSN() string { return postgresDSN(p.port) }

func (p *Postgres) data() string { return filepath.Join(p.folder, "data") }

func postgresDSN(port int) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)
}

// PgBouncer is a connection pooler in front of a [Postgres]. Each transaction may get another
// connection to the server.
type PgBouncer struct{ port int }

// StartPgBouncer starts a pooler with five connections to p. It ends with the test.
func StartPgBouncer(t testing.TB, p *Postgres) *PgBouncer {
	t.Helper()
	line := []string{program(t, "pgbouncer", "pgbouncer", "/usr/sbin"), ""}
	b, folder := &PgBouncer{freePort(t)}, publicFolder(t)
	line[1] = filepath.Join(folder, "pgbouncer.ini")
	config := fmt.Sprintf("[databases]\n* = host=127.0.0.1 port=%d user=postgres\n"+
		"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\nauth_type = any\n"+
		"pool_mode = transaction\ndefault_pool_size = 5\nmax_client_conn = 500\n", p.port, b.port)
	if err := os.WriteFile(line[1], []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(leash(t, "TERM", filepath.Join(folder, "log"), line))
	ready := postgresProgram(t, "pg_isready")
	eventually(t, "pgbouncer", func() error {
		return exec.Command(ready, "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(b.port)).Run()
	})
	return b
}

// DSN returns the address of the server's database postgres through the pooler.
func (b *PgBouncer) DSN() string { return postgresDSN(b.port) }

func postgresProgram(t testing.TB, name string) string {
	t.Helper()
	return program(t, name, "postgresql", "/usr/lib/postgresql/*/bin")
}

// unprivileged returns a command line that runs as the user postgres if this process runs as root,
// because the servers refuse to run as root.
func unprivileged(line []string) []string {
	if os.Geteuid() != 0 {
		return line
	}
	return append([]string{"setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"}, line...)
}

// publicFolder returns a temporary folder that belongs to the user that runs the servers.
func publicFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "t49-engine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if owner, err := user.Lookup("postgres"); err == nil && os.Geteuid() == 0 {
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// shifted returns a command line whose program sees the time shifted.
func shifted(t testing.TB, shift string, line []string) []string {
	t.Helper()
	if shift == "" {
		return line
	}
	program(t, "faketime", "faketime")
	library := program(t, "libfaketime.so.1", "libfaketime", "/usr/lib/*/faketime", "/usr/lib/faketime")
	return append([]string{"env", "LD_PRELOAD=" + library, "FAKETIME=" + shift, "FAKETIME_DONT_FAKE_MONOTONIC=1"}, line...)
}

// run runs a program that ends by itself.
func run(t testing.TB, line ...string) {
	t.Helper()
	line = unprivileged(line)
	command := exec.Command(line[0], line[1:]...)
	command.Dir = os.TempDir() // that user may have no access to the current one
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", line, err, out)
	}
}

// leash starts a server that gets a signal when stop is called, or when this process ends for any
// reason: a shell waits for the end of a pipe.
func leash(t testing.TB, signal, log string, line []string) (stop func()) {
	t.Helper()
	script := `log=$1; shift; "$@" >>"$log" 2>&1 & cat >/dev/null; kill -` + signal + ` $!; wait`
	line = unprivileged(append([]string{"sh", "-c", script, "sh", log}, line...))
	command := exec.Command(line[0], line[1:]...)
	command.Dir = os.TempDir()
	pipe, err := command.StdinPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _, _ = pipe.Close(), command.Wait() }
}
