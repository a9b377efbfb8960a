package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
)

// A newcomer without an account learns what to do.
func TestRun_WithoutTokenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env = nil
	for _, command := range []string{"run", "verify", "run --once"} {
		status, out, log := b.do(strings.Fields(command)...)
		require.Equal(t, exitUsage, status)
		require.Empty(t, out)
		require.Contains(t, log, "T49_API_TOKEN is not set")
		require.Contains(t, log, "run --demo")
	}
}

func TestRun_CopiesUntilAnInterrupt(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		b := newBench(t)
		b.srv.SeedDemo()
		c := b.start("run", "--metrics", "127.0.0.1:0", "--log", "json")
		c.untilWalked()
		status, body := get(t.Context(), c.address("metrics")+"/healthz")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "ok\n", body)
		require.Zero(t, c.stop(signal))
		for _, line := range strings.Split(strings.TrimSpace(c.logged()), "\n")[1:] {
			require.True(t, json.Valid([]byte(line)), line)
		}
		require.NotContains(t, c.logged(), `"level":"ERROR"`)
		require.Contains(t, b.must("verify"), "no difference in ")
		require.Regexp(t, `rows of containers +8\n`, b.must("status"))
		b.srv.CheckViolations(t)
	}
}

// A process that is killed loses nothing and repeats nothing. The next one on the same machine
// does not wait for its lease to expire.
func TestRun_ContinuesAfterAKill(t *testing.T) {
	t.Parallel()
	b := newBench(t, terminal49test.WithSyntheticContainers(700))
	b.srv.SeedDemo()
	b.srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Kind: terminal49test.FaultSlow, Delay: 400 * time.Millisecond, Times: -1})
	killed := b.start("run")
	killed.until("rows", func() bool { return b.count("select count(*) from containers") >= 200 })
	require.Equal(t, -1, killed.stop(syscall.SIGKILL))
	require.Less(t, b.count("select count(*) from containers"), 700, "it was killed before the end")
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.until("right to write", func() bool { return strings.Contains(c.logged(), "this process writes") })
	if runtime.GOOS == "linux" {
		require.NotContains(t, c.logged(), "another process has the lease")
	}
	c.untilWalked()
	require.Zero(t, c.stop(syscall.SIGTERM))
	require.Contains(t, b.must("verify"), "no difference in ")
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(b.must("tail")), "\n") {
		var change struct {
			Seq                 int
			Kind, ID, Attribute string
		}
		require.NoError(t, json.Unmarshal([]byte(line), &change))
		require.Equal(t, i+1, change.Seq, "without gaps")
		if change.Attribute == "id" {
			require.False(t, seen[change.Kind+change.ID], "%s appears once", line)
			seen[change.Kind+change.ID] = true
		}
	}
	require.GreaterOrEqual(t, len(seen), 700)
}

// count returns the number of a query; -1 if the database is not ready.
func (b *bench) count(query string, args ...any) int {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+b.db+"?_pragma=busy_timeout(5000)")
	require.NoError(b, err)
	defer func() { require.NoError(b, db.Close()) }()
	n := -1
	_ = db.QueryRowContext(b.Context(), query, args...).Scan(&n) // not yet
	return n
}

func (b *bench) exec(statement string, args ...any) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+b.db+"?_pragma=busy_timeout(5000)")
	require.NoError(b, err)
	defer func() { require.NoError(b, db.Close()) }()
	_, err = db.ExecContext(b.Context(), statement, args...)
	require.NoError(b, err)
}

// With an address, what the service notifies is in the tables without a walk.
func TestRun_ReceivesWebhooks(t *testing.T) {
	t.Parallel()
	to := &loopback{base: &http.Transport{DisableKeepAlives: true}}
	b := newBench(t, terminal49test.WithWebhookTransport(to))
	demo := b.srv.SeedDemo()
	c := b.start("run", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--url", "https://mirror.example.com/webhook")
	to.address = strings.TrimPrefix(c.address("listen"), "http://")
	c.untilWalked()
	c.until("secret of the webhook", func() bool {
		resp, err := http.Post(c.address("listen")+"/webhook", "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode == http.StatusUnauthorized // 503 until then
	})
	status, _ := get(t.Context(), c.address("listen")+"/metrics")
	require.Equal(t, http.StatusNotFound, status, "--metrics moves them from the public address")
	status, _ = get(t.Context(), c.address("listen")+"/healthz")
	require.Equal(t, http.StatusOK, status)

	container := b.srv.ContainerIDs(demo.Shipments[0])[0]
	b.srv.UpdateContainer(container, func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: "customs", Description: "exam"}}
	})
	tail := b.start("tail", "--follow")
	b.srv.Advance(26 * time.Hour) // until something is notified
	c.until("notification", func() bool {
		_, metrics := get(t.Context(), c.address("metrics")+"/metrics")
		return strings.Contains(metrics, `age_seconds{of="notification"} `)
	})
	for line := range tail.lines {
		if strings.Contains(line, container) && strings.Contains(line, "holds_at_pod_terminal") {
			require.Contains(t, line, `"description":"exam"`)
			break
		}
	}
	require.Zero(t, tail.stop(syscall.SIGINT))
	require.Zero(t, c.stop(syscall.SIGTERM))
}

// Another account's token stops the mirror before it writes.
func TestRun_RefusesAnotherAccount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	other := newBench(t, terminal49test.WithSeed(99))
	other.srv.SeedDemo()
	other.db = b.db
	status, _, log := other.do("run")
	require.Equal(t, exitFailed, status)
	require.Contains(t, log, "another account")
}

func TestRun_RefusesAWrongToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env[0] = "T49_API_TOKEN=wrong-token-of-mine"
	status, out, log := b.do("run")
	require.Equal(t, exitFailed, status)
	require.NotContains(t, out+log, "wrong-token-of-mine")
}

const password = "a-pass+word/49"

// The same command copies into Postgres, and never prints the password of its URL.
func TestRun_PostgresWithoutPrintingThePassword(t *testing.T) {
	t.Parallel()
	postgres := engines.StartPostgres(t)
	b := newBench(t)
	b.srv.SeedDemo()
	b.db = strings.Replace(postgres.DSN(), "postgres://postgres@", "postgres://postgres:a-pass%2Bword%2F49@", 1)
	require.Contains(t, b.db, "%2Bword")
	var printed strings.Builder
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	require.Zero(t, c.stop(syscall.SIGTERM))
	printed.WriteString(c.logged() + b.must("verify") + b.must("status") + b.must("tail"))

	refused := *b
	for _, db := range []string{
		"postgres://postgres:a-pass%2Bword%2F49@127.0.0.1:1/postgres?connect_timeout=2", "postgres://postgres:a-pass+word/49@[::1/postgres",
		"mysql://postgres:a-pass%2Bword%2F49@127.0.0.1/x", "postgres://127.0.0.1:1/x?password=a-pass%2Bword%2F49&connect_timeout=2",
		strings.Replace(b.db, "/postgres?", "/none?", 1),
	} {
		refused.db = db
		status, out, log := refused.do("status")
		require.NotZero(t, status)
		require.NotEmpty(t, log)
		printed.WriteString(out + log)
	}
	for _, secret := range []string{password, "a-pass%2Bword%2F49", b.srv.Token} {
		require.NotContains(t, printed.String(), secret)
	}
	b.srv.CheckViolations(t)
}
