package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// SECURITY: mistakes get a sentence with what to do, and a password is in none of them.
func TestBoard_Mistakes(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "")
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	missing := filepath.Join(t.TempDir(), "none.db")
	for want, args := range map[string][]string{
		"T49_API_TOKEN is not set; set it to an API key":          {"--account"},
		"choose one of them":                                      {"--demo", "--account"},
		"cannot be combined with --db and --schema":               {"--demo", "--db", "x.db"},
		"--shipments must be 0 to 10000":                          {"--demo", "--shipments", "10001"},
		"--speed must be 0 to 86400":                              {"--demo", "--speed", "NaN"},
		"there is no database " + missing:                         {"--db", missing},
		"--db must be a path":                                     {"--db", "hunter2@db"},
		"--db is not a Postgres URL":                              {"--db", "postgres://me:hunter2/x@db/freight"},
		"--schema needs Postgres":                                 {"--db", empty, "--schema", "freight"},
		"cannot listen; choose another --addr":                    {"--demo", "--shipments", "0", "--addr", "nowhere"},
		"unknown flag: --port":                                    {"--port", "1"},
		"the database has no mirror; start terminal49-mirror run": {"--db", empty, "--addr", "127.0.0.1:0"},
	} {
		var out, log bytes.Buffer
		require.Equal(t, exitUsage, execute(t.Context(), append([]string{"board"}, args...), &out, &log), args)
		require.Contains(t, log.String(), want)
		require.NotContains(t, log.String(), "hunter2")
	}
}

// Without a copy, the error names the ways that need none.
func TestBoard_WithoutACopy(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, db := range []string{empty, filepath.Join(t.TempDir(), "none.db")} {
		var out, log bytes.Buffer
		require.Equal(t, exitUsage, execute(t.Context(), []string{"board", "--db", db, "--addr", "127.0.0.1:0"}, &out, &log))
		require.Contains(t, log.String(), "; --account and --demo need no copy\n")
	}
}

// A database that cannot be reached is a failure, and its password is not shown.
func TestBoard_HidesThePassword(t *testing.T) {
	var out, log bytes.Buffer
	args := []string{"board", "--db", "postgres://me:hunter2@127.0.0.1:1/freight?connect_timeout=1", "--addr", "127.0.0.1:0"}
	require.Equal(t, exitFailed, execute(t.Context(), args, &out, &log))
	require.Contains(t, log.String(), "127.0.0.1")
	require.NotContains(t, log.String(), "hunter2")
}

// The board of a copy shows it, and does not write it.
func TestBoard_ShowsTheCopy(t *testing.T) {
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	c := b.start("board", "--addr", "127.0.0.1:0")
	address := <-c.lines
	c.until("container on the page", func() bool {
		_, page := get(t.Context(), address)
		return strings.Contains(page, "MEDU3309188")
	})
	require.Zero(t, c.stop(syscall.SIGTERM), c.logged())

	db, err := (&app{db: b.db, reading: true}).open(false)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("delete from containers")
	require.ErrorContains(t, err, "readonly")
}

// SECURITY: the copy for an account, real or simulated, is in a folder that only its user can read,
// and is gone afterwards.
func TestBoard_DeletesItsCopy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = ""
	b.srv.SeedDemo()
	folder := t.TempDir()
	b.env = append(b.env, "TMPDIR="+folder)
	for _, source := range []string{"--account", "--demo"} {
		c := b.start("board", "--addr", "127.0.0.1:0", source)
		address := <-c.lines
		c.until("container on the page", func() bool {
			_, page := get(t.Context(), address)
			return strings.Contains(page, "MEDU3309188")
		})
		all, err := filepath.Glob(filepath.Join(folder, "*"))
		require.NoError(t, err)
		require.Len(t, all, 1)
		info, err := os.Stat(all[0])
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		require.Zero(t, c.stop(syscall.SIGTERM), c.logged())
		require.NoDirExists(t, all[0])
	}
}

// A token that is refused is a mistake of the environment.
func TestBoard_RefusedToken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.db = ""
	b.srv.AddFault(terminal49test.Fault{Status: 401, Times: -1})
	status, _, log := b.do("board", "--account", "--addr", "127.0.0.1:0")
	require.Equal(t, exitUsage, status)
	require.Contains(t, log, "Terminal49 refuses the token: it is wrong or was revoked.")
}
