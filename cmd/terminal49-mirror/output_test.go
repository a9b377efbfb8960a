package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/cli"
	"github.com/go-freight/terminal49/mirror"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func exampleStatus() *mirror.Status {
	return &mirror.Status{
		At: noon, Since: noon.Add(-time.Hour), Account: "85c1d6b9-c166-5a34-af3c-c249a00ef503", Poll: noon.Add(-2 * time.Second), Heard: noon.Add(-time.Second),
		ActiveWalk: noon.Add(-4 * time.Minute), Webhook: "active", Inbox: 3, Quarantined: 1, Dead: 5, Marked: 7, Missing: 2, Deleted: 4, Changes: 1234,
		Written:  noon.Add(-3 * time.Second),
		Problems: []string{"containers: 30 of 100 rows were not in the list: nothing is deleted"},
		Rows:     map[string]int64{"shipments": 100, "containers": 250},
		Walks:    []mirror.WalkStatus{{Scope: "shipments", State: "running", PageAt: noon.Add(-time.Second), Seen: 300, Total: 1000}},
	}
}

// Source: Prometheus' text-based format, version 0.0.4: each metric has a HELP and a TYPE line
// before its samples, and a sample is a name, labels and a number.
func TestMetrics_PrometheusTextForm(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeMetrics(&b, exampleStatus(), noon))
	described := map[string]int{}
	sample := regexp.MustCompile(`^([a-z_][a-z0-9_]*)(?:\{[a-z_]+="[^"\\]*"\})? [0-9.e+]+$`)
	for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		fields := strings.Fields(line)
		if fields[0] == "#" {
			described[fields[2]]++
			continue
		}
		found := sample.FindStringSubmatch(line)
		require.NotNil(t, found, line)
		require.Equal(t, 2, described[found[1]], line)
	}
	for _, line := range []string{
		"# HELP terminal49_mirror_rows Rows by table, those that are missing or deleted aside.\n# TYPE terminal49_mirror_rows gauge\n" +
			"terminal49_mirror_rows{table=\"containers\"} 250\nterminal49_mirror_rows{table=\"shipments\"} 100\n",
		"# TYPE terminal49_mirror_changes_total counter\nterminal49_mirror_changes_total 1234\n",
		`terminal49_mirror_age_seconds{of="response"} 1` + "\n" + `terminal49_mirror_age_seconds{of="poll"} 2` + "\n" + `terminal49_mirror_age_seconds{of="active_walk"} 240` + "\n" +
			`terminal49_mirror_age_seconds{of="write"} 3` + "\n#",
		`terminal49_mirror_backlog{of="quarantined"} 1`, `terminal49_mirror_walk_seen{scope="shipments"} 300`,
		"terminal49_mirror_healthy 1\n", "terminal49_mirror_webhook_active 1\n",
	} {
		require.Contains(t, b.String(), line)
	}
}

func TestStatus_IsATable(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, printStatus(&b, exampleStatus()))
	require.Equal(t, `account              85c1d6b9-c166-5a34-af3c-c249a00ef503
last response        1s ago
last poll            2s ago
last active walk     4m0s ago
last whole walk      never
last audit           never
last notification    never
last write           3s ago
webhook              active
inbox                3 to apply, 1 quarantined, 5 dead letters
marked               7 to read again
missing              2 not found, 4 deleted
changes              1234
position of the end  none yet
restore noticed      never
rows of containers   250
rows of shipments    100
walk over shipments  running, 300 of 1000, 1s ago
problem              containers: 30 of 100 rows were not in the list: nothing is deleted
`, b.String())
}

// Done of total, rate, time left.
func TestProgress_Line(t *testing.T) {
	walk := func(seen, total int64) []mirror.WalkStatus {
		return []mirror.WalkStatus{
			{Scope: "shipments.active", State: "done", Seen: 7, Total: 7, PageAt: noon.Add(time.Hour)},
			{Scope: "shipments", State: "running", Seen: seen, Total: total, PageAt: noon},
		}
	}
	var p progress
	require.Equal(t, "shipments: 1,000 of 101,000 (0 %)", p.line(walk(1000, 101_000), noon))
	require.Equal(t, "shipments: 11,000 of 101,000 (10 %), 1,000/s, 1m30s left", p.line(walk(11_000, 101_000), noon.Add(10*time.Second)))
	require.Equal(t, "shipments: 21,000, 1,000/s", p.line(walk(21_000, -1), noon.Add(20*time.Second)))
	require.Equal(t, "shipments: 100 of 200 (50 %)", p.line(walk(100, 200), noon), "a walk that started again")
	require.Empty(t, p.line(walk(1, 1)[:1], noon))
}

func TestLines_LogForPeople(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(&lines{to: &b})
	log.Debug("mirror: unseen")
	log.With("scope", "containers").Warn("mirror: the service ignores a filter", "id", "7\x1b[2J")
	require.Regexp(t, `^\r\x1b\[K\d\d:\d\d:\d\d warn: the service ignores a filter scope=containers id=7\?\[2J\n$`, b.String())
}

// SECURITY: a secret is not printed, even if an error contains it.
func TestSecrets_AreHidden(t *testing.T) {
	var b bytes.Buffer
	s := &cli.Secrets{}
	out := s.Hide(&b)
	s.Add("", "abc", "pass word")
	n, err := out.Write([]byte("abc: cannot connect with pass word or PASS%20word, pass+word\n"))
	require.NoError(t, err)
	require.Equal(t, 61, n)
	require.Equal(t, "abc: cannot connect with [secret] or [secret], [secret]\n", b.String())
}

// SECURITY: the token may be pasted with its scheme or spaces. What the service may repeat is the
// token without them.
func TestSecrets_TheTokenInEveryFormOfTheVariable(t *testing.T) {
	for _, form := range []string{"my-own-token", " my-own-token\n", "Token my-own-token", "bearer   my-own-token ", "\tBEARER my-own-token"} {
		t.Setenv("T49_API_TOKEN", form)
		var b bytes.Buffer
		a := &app{secrets: &cli.Secrets{}}
		a.err = a.secrets.Hide(&b)
		_, err := a.client()
		require.NoError(t, err, "%q", form)
		a.complain("the service sent my-own-token")
		require.Equal(t, "the service sent [secret]\n", b.String(), "%q", form)
	}
}

func TestFeed_ValuesFitOnALine(t *testing.T) {
	for value, want := range map[string]string{
		"": "null", `"on_ship"`: `"on_ship"`, `true`: "true", `[]`: "[]",
		`[{"name":"customs","status":"hold","description":"exam"},{"name":"freight","status":"pending","description":null}]`: "[customs hold, freight pending]",
		`[{"type":"demurrage","amount":740.5,"currency_code":"USD"}]`:                                                        "[demurrage 740.5 USD]",
		`"` + strings.Repeat("x", 80) + `"`:                                                                                  `"` + strings.Repeat("x", 56) + "...",
	} {
		var raw json.RawMessage
		if value != "" {
			raw = json.RawMessage(value)
		}
		require.Equal(t, want, short(raw))
	}
}

// fullDevice is an output that cannot be written.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// Each command whose output cannot be written says so, with the status that t49 has for it.
func TestOutput_FailuresEndTheCommand(t *testing.T) {
	b := newBench(t)
	b.srv.SeedDemo()
	b.copy()
	b.must("run", "--once")
	for _, variable := range b.env {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	for _, args := range [][]string{
		{"--help"}, {"help", "tail"}, {"--version"}, {"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"completion", "powershell"}, {"__complete", "re"},
		{"status"}, {"verify"}, {"run", "--once"}, {"confirm-deletions"}, {"tail", "--after="}, {"worklist", "ready"}, {"worklist", "ready", "--json"},
		{"dispute", "MEDU3309188"}, {"dispute", "MEDU3309188", "--format", "json"}, {"dispute", "MEDU3309188", "--format", "html"}, {"print-sql"}, {"board", "--addr", "127.0.0.1:0"},
	} {
		if args[0][0] != '-' && args[0] != "help" && args[0] != "completion" && args[0] != "__complete" && args[0] != "print-sql" {
			args = append(args, "--db", b.db)
		}
		var log bytes.Buffer
		require.Equal(t, exitUsage, (&app{settle: time.Millisecond}).execute(t.Context(), args, fullDevice{}, &log), "%v: %s", args, log.String())
		require.Contains(t, log.String(), "terminal49-mirror: the output cannot be written: write /dev/stdout: no space left on device\n", args)
	}
}
