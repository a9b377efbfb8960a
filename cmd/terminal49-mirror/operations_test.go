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

	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
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
	t.Run("SQLite", func(t *testing.T) {
		if _, err := exec.LookPath("sqlite3"); err != nil && os.Getenv("T49_ENGINES") != "required" {
			t.Skip("it needs the Debian package sqlite3")
		}
		testOperations(t, newBench(t), false)
	})
	t.Run("Postgres", func(t *testing.T) {
		b := newBench(t)
		b.db = sqlstoretest.SharedPostgres(t).NewDatabase(t)
		testOperations(t, b, true)
	})
}

func testOperations(t *testing.T, b *bench, postgres bool) {
	page, err := os.ReadFile("../../docs/mirror-operations.md")
	require.NoError(t, err)
	folder, programs := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(programPath, filepath.Join(programs, "terminal49-mirror")))
	run := func(block string) {
		cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", block)
		cmd.Dir = folder
		cmd.Env = append(append(os.Environ(), b.env...), "T49_MIRROR_DB="+b.db, "PATH="+programs+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", block, out)
	}
	b.srv.SeedDemo()
	b.copy()
	ran, ahead := 0, ""
	for _, block := range pageBlock.FindAllStringSubmatch(string(page), -1) {
		if notFor[postgres].MatchString(block[1]) {
			continue
		}
		ran++
		run(block[1])
		switch {
		case strings.Contains(block[1], "backup") && ahead == "": // the reader goes ahead of the backup
			b.srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "AHEAD1"})
			b.must("reconcile")
			lines := strings.Split(strings.TrimSpace(b.must("tail")), "\n")
			ahead = position.FindString(lines[len(lines)-1])
			require.NotEmpty(t, ahead)
		case strings.Contains(block[1], "restored"):
			status, out, log := b.do("tail", "--after", ahead)
			require.Equal(t, 4, status, "%s\n%s", out, log)
			require.Contains(t, b.must("status"), "restore noticed")
		}
	}
	require.Equal(t, map[bool]int{true: 6, false: 5}[postgres], ran)
	c := b.start("run", "--metrics", "127.0.0.1:0")
	c.untilWalked()
	require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
}

// position is that of a change, as tail prints it.
var position = regexp.MustCompile(`[1-9][0-9]*-[0-9a-f]{16}`)
