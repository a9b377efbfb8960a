package engines

import (
	"crypto/rand"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Postgres is a PostgreSQL server that a test started. Every local user may log in.
type Postgres struct {
	t        testing.TB
	folder   string
	port     int
	shift    time.Duration // of its clock
	settings []string
	stop     func()
}

// StartPostgres starts a server that ends with the test. A setting, such as "fsync=on", has
// precedence over the defaults, which are fast and do not wait for the disk.
func StartPostgres(t testing.TB, settings ...string) *Postgres {
	t.Helper()
	p := &Postgres{t: t, folder: publicFolder(t), settings: settings}
	run(t, postgresProgram(t, "initdb"), "-D", p.data(), "-A", "trust", "-U", "postgres", "-E", "UTF8",
		"--locale=C", "--no-sync")
	p.port = freePort(t)
	p.Start()
	t.Cleanup(p.Stop)
	return p
}

// Start starts a stopped server again, on the same port and with the same data, and waits until it
// serves.
func (p *Postgres) Start() {
	p.t.Helper()
	line := []string{postgresProgram(p.t, "postgres"), "-D", p.data(), "-h", "127.0.0.1", "-p", strconv.Itoa(p.port)}
	for _, s := range append([]string{"unix_socket_directories=", "fsync=off", "max_connections=200", "shared_buffers=32MB"}, p.settings...) {
		line = append(line, "-c", s)
	}
	p.stop = leash(p.t, "QUIT", filepath.Join(p.folder, "log"), shifted(p.t, p.shift, line))
	waitForPort(p.t, "postgres", p.port)
}

// Stop ends the server as "pg_ctl stop -m immediate" does, without a checkpoint. It does nothing if
// the server is not running.
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

// SetClock restarts the server with a clock that is off by shift. It needs the Debian package
// faketime.
func (p *Postgres) SetClock(shift time.Duration) {
	p.t.Helper()
	p.shift = shift
	p.Restart()
}

// Replica starts a replica that follows the server until [Postgres.Promote].
func (p *Postgres) Replica() *Postgres {
	p.t.Helper()
	replica := &Postgres{t: p.t, folder: publicFolder(p.t), port: freePort(p.t), settings: p.settings}
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

// DSN returns the address of the server's database postgres. Further settings of a driver can be
// appended with "&".
func (p *Postgres) DSN() string { return p.dsn("postgres") }

// NewDatabase creates an empty database in the server and returns its address.
func (p *Postgres) NewDatabase(t testing.TB) string {
	t.Helper()
	name := "t" + strings.ToLower(rand.Text()[:12])
	run(t, postgresProgram(t, "createdb"), "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "postgres", name)
	return p.dsn(name)
}

func (p *Postgres) data() string { return filepath.Join(p.folder, "data") }

func (p *Postgres) dsn(database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", address(p.port), database)
}

func postgresProgram(t testing.TB, name string) string {
	t.Helper()
	return program(t, name, "postgresql", "/usr/lib/postgresql/*/bin")
}

// waitForPort waits until a server serves the protocol of PostgreSQL.
func waitForPort(t testing.TB, name string, port int) {
	t.Helper()
	ready := postgresProgram(t, "pg_isready")
	eventually(t, name, func() error {
		return exec.Command(ready, "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(port)).Run()
	})
}
