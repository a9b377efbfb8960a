package engines

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// PgBouncer is a connection pooler in front of a [Postgres]. Each transaction may get another
// connection to the server.
type PgBouncer struct{ server, port int }

// StartPgBouncer starts a pooler with five connections to the server. It ends with the test, or
// with a server that tests share. It needs the Debian package pgbouncer.
func (p *Postgres) StartPgBouncer(t testing.TB) *PgBouncer {
	t.Helper()
	if _, ok := p.t.(lasting); ok {
		t = lasting{t}
	}
	b, folder := &PgBouncer{p.port, freePort(t)}, publicFolder(t)
	file := filepath.Join(folder, "pgbouncer.ini")
	config := fmt.Sprintf("[databases]\n* = host=127.0.0.1 port=%d user=postgres\n"+
		"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\nauth_type = any\n"+
		"pool_mode = transaction\ndefault_pool_size = 5\nmax_client_conn = 500\n", b.server, b.port)
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(leash(t, "TERM", filepath.Join(folder, "log"), []string{program(t, "pgbouncer", "pgbouncer", "/usr/sbin"), file}))
	waitForPort(t, "pgbouncer", b.port)
	return b
}

// Through returns the address of a database of the server through the pooler.
func (b *PgBouncer) Through(dsn string) string {
	return strings.Replace(dsn, address(b.server), address(b.port), 1)
}
