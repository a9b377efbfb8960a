package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// SECURITY: mistakes get a sentence with what to do, and a password is in none of them.
func TestCommand_Mistakes(t *testing.T) {
	t.Setenv("T49_API_TOKEN", "")
	missing := filepath.Join(t.TempDir(), "none.db")
	for want, args := range map[string][]string{
		"T49_API_TOKEN is not set; set it to an API key, or try a simulated account: terminal49-board --demo": {},
		"choose one of them":                                      {"--demo", "--mirror", "sqlite:x.db"},
		"--shipments must be 0 to 10000":                          {"--demo", "--shipments", "10001"},
		"--speed must be 0 to 86400":                              {"--demo", "--speed", "NaN"},
		"there is no file " + missing:                             {"--mirror", "sqlite:" + missing},
		"--mirror must be sqlite:PATH":                            {"--mirror", "hunter2@db"},
		"--mirror is not a Postgres URL":                          {"--mirror", "postgres://me:hunter2/x@db/freight"},
		"--schema needs --mirror with a Postgres URL":             {"--mirror", "sqlite:x.db", "--schema", "freight"},
		"cannot listen; choose another --addr":                    {"--demo", "--shipments", "0", "--addr", "nowhere"},
		"unknown flag: --port":                                    {"--port", "1"},
		`unknown command "board" for "terminal49-board"`:          {"board"},
		"the database has no mirror; start terminal49-mirror run": {"--mirror", "sqlite:" + emptyFile(t), "--addr", "127.0.0.1:0"},
	} {
		var out, log bytes.Buffer
		require.Equal(t, exitUsage, execute(t.Context(), args, &out, &log), args)
		require.Contains(t, log.String(), want)
		require.NotContains(t, log.String(), "hunter2")
	}
}

// A database that cannot be reached is a failure, and its password is not shown.
func TestCommand_HidesThePassword(t *testing.T) {
	var out, log bytes.Buffer
	args := []string{"--mirror", "postgres://me:hunter2@127.0.0.1:1/freight?connect_timeout=1", "--addr", "127.0.0.1:0"}
	require.Equal(t, exitFailed, execute(t.Context(), args, &out, &log))
	require.Contains(t, log.String(), "127.0.0.1")
	require.NotContains(t, log.String(), "hunter2")
}

func emptyFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	return name
}
