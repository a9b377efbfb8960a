package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/terminal49test"
)

// pageBlock is a block of commands of a page.
var pageBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// notFor is what a block has that is only for the other database.
var notFor = map[bool]*regexp.Regexp{
	true:  regexp.MustCompile(`sqlite3|backup\.db`),
	false: regexp.MustCompile(`pg_dump|pg_restore|psql`),
}

// The commands of the page for operators do what it says, on both databases: after the restore, a
// reader that was ahead of the backup gets an error, and the copy is equal again.
func TestOperations_CommandsOfThePage(t *testing.T) {
	t.Parallel()
	onBoth(t, testOperations)
}

// onBoth runs f with SQLite, for whose commands sqlite3 must be installed, and with Postgres.
func onBoth(t *testing.T, f func(t *testing.T, b *bench, postgres bool)) {
	t.Run("SQLite", func(t *testing.T) {
		if _, err := exec.LookPath("sqlite3"); err != nil && os.Getenv("T49_ENGINES") != "required" {
			t.Skip("it needs the Debian package sqlite3")
		}
		f(t, newBench(t), false)
	})
	t.Run("Postgres", func(t *testing.T) {
		b := newBench(t)
		b.db = engines.SharedPostgres(t).NewDatabase(t)
		f(t, b, true)
	})
}

// commands are those of a page.
type commands struct {
	t      *testing.T
	b      *bench
	folder string   // in which they run
	path   string   // PATH
	blocks []string // without those for the other database
}

// commandsOf returns those of the page for operators, or those of its part about sheets.
func commandsOf(t *testing.T, b *bench, sheets, postgres bool) *commands {
	page, err := os.ReadFile("../../docs/mirror-operations.md")
	require.NoError(t, err)
	shown, recipes, found := strings.Cut(string(page), "\n## Sheets and warehouses\n")
	require.True(t, found)
	if sheets {
		shown = recipes
	}
	programs := t.TempDir()
	require.NoError(t, os.Symlink(clitest.Path(), filepath.Join(programs, "terminal49-mirror")))
	c := &commands{t: t, b: b, folder: t.TempDir(), path: programs + ":" + os.Getenv("PATH")}
	for _, block := range pageBlock.FindAllStringSubmatch(shown, -1) {
		if !notFor[postgres].MatchString(block[1]) {
			c.blocks = append(c.blocks, block[1])
		}
	}
	return c
}

// A shell reads every block of commands of the pages, also those that no test can run.
func TestPages_ShellReadsTheBlocks(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "../../README.md", "../../SECURITY.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, block := range pageBlock.FindAllStringSubmatch(string(text), -1) {
			out, err := clitest.Other(t, "bash", "-n", "-c", block[1]).CombinedOutput()
			require.NoError(t, err, "%s: %s\n%s", page, block[1], out)
		}
	}
}

func (c *commands) run(block string) {
	c.t.Helper()
	cmd := clitest.Other(c.t, "bash", "-euo", "pipefail", "-c", block)
	cmd.Dir = c.folder
	cmd.Env = append(append(os.Environ(), c.b.env...), "T49_MIRROR_DB="+c.b.db, "PATH="+c.path)
	out, err := cmd.CombinedOutput()
	require.NoError(c.t, err, "%s\n%s", block, out)
}

// lines returns the lines of a file that the commands have written.
func (c *commands) lines(name string) []string {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.folder, name))
	require.NoError(c.t, err)
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func testOperations(t *testing.T, b *bench, postgres bool) {
	page := commandsOf(t, b, false, postgres)
	b.srv.SeedDemo()
	b.copy()
	ahead := ""
	for _, block := range page.blocks {
		page.run(block)
		switch {
		case strings.Contains(block, "backup") && ahead == "": // the reader goes ahead of the backup
			b.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "AHEAD1"})
			b.must("run", "--once")
			lines := strings.Split(strings.TrimSpace(b.must("tail")), "\n")
			ahead = position.FindString(lines[len(lines)-1])
			require.NotEmpty(t, ahead)
		case strings.Contains(block, "restored"):
			status, out, log := b.do("tail", "--after", ahead)
			require.Equal(t, 4, status, "%s\n%s", out, log)
			require.Contains(t, b.must("status"), "restore noticed")
		}
	}
	require.Len(t, page.blocks, map[bool]int{true: 6, false: 5}[postgres])
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
}

// The commands of the part about sheets write what it says: all rows, and each change once, also if
// they run again.
func TestRecipes_CommandsOfThePage(t *testing.T) {
	t.Parallel()
	onBoth(t, testRecipes)
}

func testRecipes(t *testing.T, b *bench, postgres bool) {
	page := commandsOf(t, b, true, postgres)
	require.Len(t, page.blocks, 3)
	b.srv.SeedDemo()
	b.copy()
	for range 2 {
		for _, block := range page.blocks {
			page.run(block)
		}
		changes := strings.Split(strings.TrimSpace(b.must("tail")), "\n")
		require.Equal(t, changes, page.lines("changes.jsonl"))
		containers := 0
		for _, change := range changes {
			if strings.Contains(change, `"kind":"container","id":`) && strings.Contains(change, `"attribute":"id","old":null`) {
				containers++
			}
		}
		require.Len(t, page.lines("containers.csv"), containers+1)
		require.Len(t, page.lines("containers.jsonl"), containers)
		require.Contains(t, page.lines("containers.jsonl")[0], `"final_destination_timezone"`)
		b.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "LATER1"})
		b.must("run", "--once")
	}
}

// position is that of a change, as tail prints it.
var position = regexp.MustCompile(`[1-9][0-9]*-[0-9a-f]{16}`)
