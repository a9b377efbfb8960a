package main

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
)

// While another process creates the tables, /healthz and the webhook answer, and the service
// delivers again. Afterwards the mirror runs. TestReporter_ tests how soon they answer.
func TestRun_AnswersWhileTablesAreCreated(t *testing.T) {
	t.Parallel()
	for engine, c := range map[string]struct {
		database func(*bench) (driver string)
		block    string
	}{
		"SQLite": {func(b *bench) string { return "sqlite" }, "begin immediate"},
		"Postgres": {func(b *bench) string {
			b.db = engines.SharedPostgres(t).NewDatabase(t)
			return "pgx"
		}, "begin; create schema t49"},
	} {
		t.Run(engine, func(t *testing.T) {
			b := newBench(t)
			b.srv.SeedDemo()
			db, err := sql.Open(c.database(b), b.db)
			require.NoError(t, err)
			defer db.Close() //nolint:errcheck // only its lock matters
			db.SetMaxOpenConns(1)
			if engine == "SQLite" { // as the other process has done
				_, err = db.ExecContext(t.Context(), "pragma journal_mode = wal")
				require.NoError(t, err)
			}
			_, err = db.ExecContext(t.Context(), c.block)
			require.NoError(t, err)
			b.answersBlocked(db)
		})
	}
}

func (b *bench) answersBlocked(db *sql.DB) {
	c := b.start("run", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--url", "https://mirror.example.com/webhook")
	address := c.address("listen")
	for range 4 {
		status, body := get(b.Context(), address+healthPath)
		require.Equal(b, http.StatusServiceUnavailable, status)
		require.Equal(b, "the tables are being created; another process may be migrating\n", body)
		resp, err := http.Post(address+"/webhook", "application/json", strings.NewReader("{}"))
		require.NoError(b, err)
		require.NoError(b, resp.Body.Close())
		require.Equal(b, http.StatusServiceUnavailable, resp.StatusCode)
		pause(200 * time.Millisecond)
	}
	_, err := db.ExecContext(b.Context(), "rollback")
	require.NoError(b, err)
	c.untilWalked()
	require.Zero(b, c.stop(syscall.SIGTERM))
}

// /healthz answers while another process changes the tables, and says so; what it has read shortly
// before it repeats. That the lock is held until the test has its answers shows that none waits for
// it.
func TestRun_AnswersWhileTablesAreLocked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.db = engines.SharedPostgres(t).NewDatabase(t)
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	db, err := sql.Open("pgx", b.db)
	require.NoError(t, err)
	defer db.Close() //nolint:errcheck // only its lock matters
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(t.Context(), "begin; lock table t49.walks in access exclusive mode")
	require.NoError(t, err)
	answers := func() {
		_, body := get(t.Context(), c.address("metrics")+healthPath)
		require.Contains(t, []string{"ok\n", errSlow.Error() + "\n"}, body, "as TestReporter_ says when")
	}
	other, err := sql.Open("pgx", b.db)
	require.NoError(t, err)
	defer other.Close() //nolint:errcheck // it only reads
	c.until("status that waits for the lock", func() bool {
		answers()
		var waits bool
		err := other.QueryRowContext(t.Context(), "select exists (select from pg_locks where not granted and relation = 't49.walks'::regclass)").Scan(&waits)
		return err == nil && waits
	})
	answers()
	_, err = db.ExecContext(t.Context(), "rollback")
	require.NoError(t, err)
	require.Zero(t, c.stop(syscall.SIGTERM))
}

// If the file is deleted, the command ends with a sentence that says what to do, and exits with 3.
func TestRun_EndsIfTheFileIsDeleted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	require.NoError(t, os.Remove(b.db))
	status, body := get(t.Context(), c.address("metrics")+healthPath)
	if status == http.StatusServiceUnavailable { // or it has ended, or repeats for a second what it has read before
		require.Contains(t, body, "was replaced or deleted")
	}
	require.Equal(t, exitFailed, c.wait())
	require.Contains(t, c.logged(), "the file of the SQLite database was replaced or deleted while this process used it, "+
		"so nothing more is stored; put the right file in its place and start the mirror again")
	require.NotContains(t, c.logged(), b.srv.Token)
}

// A walk that the service refuses is in /healthz, with its cause, and so is that nobody writes.
func TestStatus_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: -1, Status: 403})
	c := b.start("run", "--metrics", "127.0.0.1:0")
	body := ""
	c.until("refused walk", func() bool {
		_, body = get(t.Context(), c.address("metrics")+healthPath)
		return strings.Contains(body, "the walk over shipments.active was stopped")
	})
	require.Contains(t, body, "403")
	require.Zero(t, c.stop(syscall.SIGTERM))
	b.exec("update leases set expires_at = '2026-01-01T00:00:00.000000Z'")
	b.exec("insert into cursors (name, value) values ('clock', 'the clock went back by 71h0m0s at noon') on conflict do update set value = excluded.value")
	b.exec("update cursors set value = '2099-01-01T00:00:00.000000Z' where name = 'poll'")
	status, out, log := b.do("status")
	require.Equal(t, exitDiffers, status)
	require.Contains(t, log, "nothing has been written for ")
	require.Contains(t, log, "the clock went back by 71h0m0s at noon")
	require.Regexp(t, `last poll +\d+h\d+m\d+s in the future\n`, out)
	require.NotRegexp(t, ` -\d`, out+log)
}

// A file or folder that cannot be written is named with the right that is missing.
func TestRun_SaysWhichRightIsMissing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	folder := filepath.Dir(b.db)
	for _, c := range []struct {
		file, folder os.FileMode
		want         string
	}{
		{0o444, 0o777, "the file of the database cannot be written; give this user the right to read and write it"},
		{0o666, 0o555, "give this user the right to write the folder " + folder},
	} {
		require.NoError(t, os.Chmod(b.db, c.file))
		require.NoError(t, os.Chmod(folder, c.folder))
		status, _, log := clitest.Run(t, unprivileged(t, b.command("run"), folder))
		require.NoError(t, os.Chmod(folder, 0o700))
		require.Equal(t, exitFailed, status)
		require.Contains(t, log, c.want)
	}
}
