package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// The README's first command: one command without an account shows rows soon, within twenty seconds
// on a busy computer, and proves the copy.
func TestDemo_ShowsRowsAndProvesTheCopy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env, b.db = nil, ""
	took := stopwatch()
	c := b.start("run", "--demo", "--for", "20s")
	appeared, changed, last := false, false, ""
	for line := range c.lines {
		if !appeared && strings.Contains(line, " + ") {
			appeared = true
			t.Logf("figure: first row of the demo after %.1f s", took().Seconds())
		}
		changed = changed || strings.Contains(line, " -> ")
		last = line
	}
	require.Zero(t, c.wait(), c.logged())
	require.True(t, appeared, "rows appear")
	require.True(t, changed, "rows change")
	require.Contains(t, last, "no difference in ")
	for line := range strings.Lines(c.logged()) {
		require.Contains(t, line, "the service delivers it again") // a busy computer may be late
	}
}

// The exit status is that of verify. The row keeps its digest, so no walk repairs it.
func TestDemo_FailsWithADifference(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env = nil
	b.openTables("sqlite", b.file())
	b.exec(`create trigger spoil after insert on shipping_lines begin
  update shipping_lines set raw = json_set(new.raw, '$.attributes.name', 'Nobody''s Line') where id = new.id;
end`)
	c := b.start("run", "--demo", "--for", "1s")
	require.Equal(t, exitDiffers, c.wait(), c.logged())
	printed := ""
	for line := range c.lines {
		printed += line + "\n"
	}
	require.Contains(t, printed, `name is "Nobody's Line" here and `)
}

func TestDemo_EndsOnAnInterrupt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env, b.db = nil, ""
	c := b.start("run", "--demo")
	for line := range c.lines {
		if strings.Contains(line, " + container ") {
			break
		}
	}
	require.Zero(t, c.stop(syscall.SIGINT), c.logged())
	require.Empty(t, c.logged())
}

func TestVerify_ExitsWithOneOnADifference(t *testing.T) {
	b := newBench(t)
	demo := b.srv.SeedDemo()
	b.copy()
	container := b.srv.ContainerIDs(demo.Shipments[0])[0]
	b.srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber = "SEAL-1" })
	status, out, _ := b.here("verify")
	require.Equal(t, exitDiffers, status)
	require.Equal(t, "container "+container+": seal_number is null here and \"SEAL-1\" there\n1 differences\n", out)

	printed := b.must("run", "--once")
	require.Contains(t, printed, "walk over containers")
	require.Contains(t, b.must("verify"), "no difference in ")
	b.srv.CheckViolations(t)
}

// A column that differs from its row's JSON is found, and repaired without the service.
func TestVerify_WrongColumnIsMendedByRebuild(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	demo := b.srv.SeedDemo()
	b.copy()
	container := b.srv.ContainerIDs(demo.Shipments[0])[0]
	b.exec("update containers set seal_number = 'SEAL-1' where id = '" + container + "'")
	status, out, _ := b.do("verify")
	require.Equal(t, exitDiffers, status)
	require.Equal(t, "container "+container+": containers.seal_number is \"SEAL-1\", and raw gives null\n1 differences\n", out)
	b.must("rebuild")
	require.Contains(t, b.must("verify"), "no difference in ")
}

// An interrupt is neither equal nor different.
func TestVerify_ExitsWithThreeOnAnInterrupt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.srv.AddFault(terminal49test.Fault{Operation: "parties.list", Kind: terminal49test.FaultStallHeaders, Times: -1})
	before := len(b.srv.Requests())
	c := b.start("verify")
	c.until("request", func() bool { return len(b.srv.Requests()) > before })
	require.Equal(t, exitFailed, c.stop(syscall.SIGINT))
	require.Contains(t, c.logged(), "interrupted")
}

// Health is the age of the newest reading. Status reports a mirror that stopped, too.
func TestStatus_ExitsWithOneWhenTooOld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.exec("update walks set started_at = '2026-01-01T00:00:00.000000Z', page_at = '2026-01-01T00:00:00.000000Z' where scope = 'shipments.active'")
	b.exec("update cursors set value = '2026-01-01T00:00:00.000000Z' where name = 'begun'") // the walk counts from when a mirror began
	status, out, log := b.do("status")
	require.Equal(t, exitDiffers, status)
	require.Contains(t, out, "rows of containers")
	require.Contains(t, log, "a walk over the active shipments")
	require.Contains(t, log, "the limit is 1h0m0s")
}

func TestTail_ContinuesAfterAPosition(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	all := strings.SplitAfter(b.must("tail"), "\n")
	require.Greater(t, len(all), 20)
	require.Equal(t, strings.Join(all[10:], ""), b.must("tail", "--after", positionOf(t, all[9])))
	require.Equal(t, strings.Join(all, ""), b.must("tail", "--after", ""))
	require.Regexp(t, `^{"seq":1,"position":"1-[0-9a-f]{16}","kind":"`, all[0])
	end := positionOf(t, all[len(all)-2])
	require.Empty(t, b.must("tail", "--after", end))
	require.Empty(t, b.must("tail", "--after", "end"))
	require.Regexp(t, "position of the end +"+end+"\n", b.must("status"))
	require.Regexp(t, "restore noticed +never\n", b.must("status"))
}

// positionOf returns the position of a line of tail.
func positionOf(t *testing.T, line string) string {
	t.Helper()
	var change struct{ Position string }
	require.NoError(t, json.Unmarshal([]byte(line), &change))
	return change.Position
}

// Where changes are missing after a position, tail prints none, and its status says so.
func TestTail_RefusesAPositionThatIsLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	lines := strings.Split(b.must("tail"), "\n")
	first, second := positionOf(t, lines[0]), positionOf(t, lines[1])
	b.exec("update changes set kind = '', source = 'pruned' where seq = 2")
	b.exec("delete from changes where seq = 1")
	for after, want := range map[string]string{
		"":                        "the beginning is asked for, and what is left begins after seq 2",
		first:                     "the position is " + first + ", and what is left begins after seq 2",
		"999999-0123456789abcdef": "a backup was restored",
		"7-0123456789abcdef":      "a restore undid",
	} {
		status, out, log := b.do("tail", "--after", after)
		require.Equal(t, exitLost, status, after)
		require.Empty(t, out)
		require.Contains(t, log, want)
		require.Contains(t, log, "to go on, take the position of the end")
	}
	require.Equal(t, strings.Join(lines[2:], "\n"), b.must("tail", "--after", second))
	for _, after := range []string{"10", "0", "-1", "abc", "07-0123456789abcdef"} {
		status, out, log := b.do("tail", "--after", after)
		require.Equal(t, exitUsage, status, after)
		require.Empty(t, out)
		require.Contains(t, log, "such as 31543-9f3c2a7be01d44aa")
	}
}

// A restore ends tail --follow, and the command restored has everything read again.
func TestTail_FollowEndsAtARestore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	c := b.start("tail", "--follow")
	<-c.lines
	b.exec("delete from changes where seq > 10")
	require.Equal(t, exitLost, c.wait(), c.logged())
	require.Contains(t, c.logged(), "a backup was restored")

	b.must("restored")
	require.Regexp(t, "restore noticed +[0-9]+s ago\n", b.must("status"))
	sent := len(b.srv.Requests())
	c = b.start("run")
	c.until("whole walk", func() bool {
		return b.count("select count(*) from walks w join cursors c on c.name = 'reconcile' and w.id > cast(c.value as integer) where w.scope = 'containers' and w.state = 'done'") == 1
	})
	require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
	require.Greater(t, len(b.srv.Requests()), sent)
}

// The columns are made from the stored JSON, without a request.
func TestRebuild_FillsColumns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	numbers := "select count(*) from containers where number is not null"
	before := b.count(numbers)
	require.Positive(t, before)
	b.exec("update containers set number = null")
	sent := len(b.srv.Requests())
	b.must("rebuild")
	require.Equal(t, before, b.count(numbers))
	require.Len(t, b.srv.Requests(), sent)
}

func TestForget_DeletesForGood(t *testing.T) {
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	var party string
	for r := range b.srv.Snapshot("party") {
		party = r.ID
	}
	b.must("forget", "party", party)
	require.Zero(t, b.count("select count(*) from parties where id = ?", party))
	b.must("run", "--once")
	require.Zero(t, b.count("select count(*) from parties where id = ?", party), "the service still has it")
	status, out, log := b.here("verify")
	require.Zero(t, status, log)
	require.Contains(t, out, "no difference")
	require.Zero(t, b.count("select count(*) from changes where id = ? and attribute <> 'id'", party))
}

// The statements create in an empty database what run creates.
func TestPrintSQL_CreatesTheTables(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.copy()
	objects := "select count(*) from sqlite_master where name not like 'sqlite_%'"
	want := b.count(objects)
	b.db = ""
	statements := b.must("print-sql", "--dialect", "sqlite")
	b.db = b.TempDir() + "/empty.db"
	db, err := sql.Open("sqlite", "file:"+b.db)
	require.NoError(t, err)
	_, err = db.Exec(statements)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.Equal(t, want, b.count(objects))
	require.True(t, strings.Contains(b.must("print-sql"), `create schema "t49"`))
}

func TestCommand_MistakesExitWithTwo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rules := filepath.Join(t.TempDir(), "rules.json")
	require.NoError(t, os.WriteFile(rules, []byte(`{"eta_slip_hours": "2d"}`), 0o600))
	for _, c := range []struct {
		want string
		args []string
	}{
		{`rules.json: eta_slip_hours must be a whole number of hours`, []string{"run", "--situations", rules}},
		{"--situations: open none.json", []string{"run", "--demo", "--situations", "none.json"}},
		{"unknown command", []string{"copy"}},
		{"unknown flag", []string{"run", "--fast"}},
		{"--for must be at least 1s, and needs --demo", []string{"run", "--for", "30s"}},
		{"--url needs --listen", []string{"run", "--url", "https://mirror.example.com/webhook"}},
		{"--url must be an https address", []string{"run", "--listen", "127.0.0.1:0", "--url", "http://mirror.example.com"}},
		{"--url must have another path", []string{"run", "--listen", "127.0.0.1:0", "--url", "https://mirror.example.com/healthz"}},
		{"--demo cannot be combined", []string{"run", "--demo", "--listen", "127.0.0.1:0"}},
		{"--share must be", []string{"run", "--share", "2"}},
		{"--log must be", []string{"run", "--log", "xml"}},
		{"--dialect must be", []string{"print-sql", "--dialect", "oracle"}},
		{"--schema must have lower-case letters", []string{"print-sql", "--schema", `acct"a`}},
		{"--schema needs Postgres", []string{"run", "--schema", "acct_a"}},
		{"--dialect sqlite has no --schema", []string{"print-sql", "--dialect", "sqlite", "--writer", "w"}},
		{"--owner must begin with a letter", []string{"print-sql", "--owner", "it's"}},
		{"at least 2 arg", []string{"forget", "container"}},
		{"there is no database", []string{"status"}},
		{"there is no database", []string{"verify"}},
		{"Retention.Inbox must be 0, to keep everything, or at least 360 hours", []string{"run", "--demo", "--keep-inbox", "24h"}},
	} {
		status, _, log := b.do(c.args...)
		require.Equal(t, exitUsage, status, "%s: %s", c.args, log)
		require.Contains(t, log, c.want, "%s", c.args)
	}
}
