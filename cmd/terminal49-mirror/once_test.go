package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// One call makes the whole copy, also where there is no database yet, prints the status, and ends;
// the next one reads what has changed.
func TestOnce_CopiesAndEnds(t *testing.T) {
	b := newBench(t)
	demo := b.srv.SeedDemo()
	require.Regexp(t, `rows of containers +8\n`, b.must("run", "--once", "--share", "1"))
	status, out, log := b.here("verify")
	require.Zero(t, status, log)
	require.Contains(t, out, "no difference in ")

	container := b.srv.ContainerIDs(demo.Shipments[0])[0]
	b.srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber = "SEAL-1" })
	require.Contains(t, b.must("run", "--once"), "walk over containers")
	require.Equal(t, 1, b.count("select count(*) from containers where id = ? and seal_number = 'SEAL-1'", container))
	b.srv.CheckViolations(t)
}

// A job that was interrupted has not done its work: unlike run, it does not exit with 0.
func TestOnce_ExitsWithThreeOnAnInterrupt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	b.srv.AddFault(terminal49test.Fault{Operation: "parties.list", Kind: terminal49test.FaultStallHeaders, Times: -1})
	c := b.start("run", "--once")
	c.until("rows", func() bool { return b.count("select count(*) from containers") > 0 })
	require.Equal(t, exitFailed, c.stop(syscall.SIGTERM))
	require.Contains(t, c.logged(), "terminal49-mirror: interrupted")
}

// The numbers of --situations decide which notices are made, as they do in run.
func TestOnce_ReadsTheRules(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.srv.SeedDemo()
	rules := filepath.Join(t.TempDir(), "rules.json")
	require.NoError(t, os.WriteFile(rules, []byte(`{"eta_slip_hours": 37}`), 0o600))
	b.must("run", "--once", "--situations", rules)
	require.Equal(t, 1, b.count("select count(*) from cursors where name = 'situations.notices' and value like '%37%'"))
}

// What has no effect with --once, or without it, is refused by name with what to do.
func TestOnce_RefusesFlagsWithoutEffect(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for flags, want := range map[string]string{
		"--once --listen 127.0.0.1:0":               "--listen cannot be combined with --once, which serves nothing: leave out one of them",
		"--once --url https://mirror.example.com/w": "--url cannot be combined with --once, which receives no webhooks",
		"--once --metrics 127.0.0.1:0":              "--metrics cannot be combined with --once, which serves nothing",
		"--once --demo":                             "--demo cannot be combined with --once, which reads an account: try run --demo --for 30s",
		"--once --for 30s":                          "--for cannot be combined with --once, which ends when everything is read",
		"--once --keep-changes 2160h":               "--keep-changes cannot be combined with --once, which deletes no old rows: use it with a run that goes on",
		"--once --keep-inbox 720h":                  "--keep-inbox cannot be combined with --once",
		"--once --keep-facts 8760h":                 "--keep-facts cannot be combined with --once",
		"--once --share 2":                          "--share must be above 0",
		"--demo --share 0.3":                        "--share cannot be combined with --demo, which has no rate limit",
	} {
		status, out, log := b.do(append([]string{"run"}, strings.Fields(flags)...)...)
		require.Equal(t, exitUsage, status, "%s: %s", flags, log)
		require.Empty(t, out)
		require.Contains(t, log, "terminal49-mirror: "+want)
	}
	require.Empty(t, b.srv.Requests())
	require.NoFileExists(t, b.db)
}

// Every flag of run works with --once or is refused.
func TestOnce_KnowsEveryFlagOfRun(t *testing.T) {
	known := map[string]bool{"once": true, "share": true, "situations": true, "help": true}
	for _, refused := range notOnce {
		known[refused.name] = true
	}
	run, _, err := (&app{}).root().Find([]string{"run"})
	require.NoError(t, err)
	flags := regexp.MustCompile(`--[a-z-]+`).FindAllString(run.LocalFlags().FlagUsages(), -1)
	require.Greater(t, len(flags), len(notOnce))
	for _, flag := range flags {
		require.True(t, known[strings.TrimPrefix(flag, "--")], "%s: does it have an effect with --once?", flag)
	}
}

// Whoever types the verb of earlier commits reads what took its place.
func TestOnce_UnknownVerbSaysWhatTookItsPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	status, _, log := b.do("reconcile", "--share", "0.5")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, `terminal49-mirror: unknown command "reconcile"; use run --once`)
}
