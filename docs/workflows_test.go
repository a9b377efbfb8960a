package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// A commit and its version, or a version with the reason why it is not a commit.
	pinnedAction = regexp.MustCompile(`^[\w./-]+@(?:[0-9a-f]{40} # v[\d.]+|v[\d.]+ # .+)$`)
	usedAction   = regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.+)$`)
	jobOrKey     = regexp.MustCompile(`(?m)^  [\w-]+:$`)
	coreGoLine   = regexp.MustCompile(`(?m)^go (\d+\.\d+)`)
)

// TestWorkflows_GrantLittle checks that actions are pinned, that tokens are read-only and are not
// left on the disk, that jobs end, and that no text of a pull request becomes a command.
func TestWorkflows_GrantLittle(t *testing.T) {
	paths, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no workflows", err)
	}
	for _, path := range paths {
		text := read(t, path)
		for _, used := range usedAction.FindAllStringSubmatch(text, -1) {
			if !pinnedAction.MatchString(used[1]) {
				t.Errorf("%s: %s is not pinned by its commit", path, used[1])
			}
		}
		if !strings.Contains(text, "\npermissions:\n  contents: read\n") && !strings.Contains(text, "\npermissions: {}\n") {
			t.Errorf("%s: the permissions of all jobs must be contents: read or none", path)
		}
		_, jobs, _ := strings.Cut(text, "\njobs:\n")
		for what, want := range map[string]int{
			"timeout-minutes:":           len(jobOrKey.FindAllString(jobs, -1)),
			"persist-credentials: false": strings.Count(jobs, "uses: actions/checkout@"),
		} {
			if got := strings.Count(jobs, what); got != want {
				t.Errorf("%s has %s %d times, want %d", path, what, got, want)
			}
		}
		for line := range strings.Lines(text) {
			if strings.Contains(line, "run:") && strings.Contains(line, "${{") {
				t.Errorf("%s: pass it in env: %s", path, strings.TrimSpace(line))
			}
		}
		if strings.Contains(text, "pull_request_target") {
			t.Errorf("%s: pull_request_target runs with the secrets of the repository", path)
		}
	}
}

// TestWorkflows_TestTheOldestGo compares the oldest Go of the workflow with the core's go line.
func TestWorkflows_TestTheOldestGo(t *testing.T) {
	line := coreGoLine.FindStringSubmatch(read(t, "../go.mod"))
	if want := `go: [stable, oldstable, "` + line[1] + `"]`; !strings.Contains(read(t, "../.github/workflows/ci.yml"), want) {
		t.Errorf("ci.yml does not have %s", want)
	}
}

// TestGate_ListsSkippedTests reads the output of a test that ran and of others that were skipped.
func TestGate_ListsSkippedTests(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("awk is missing")
	}
	log := filepath.Join(t.TempDir(), "log")
	output := `=== RUN   TestRan
--- PASS: TestRan (0.00s)
=== RUN   TestSides
=== PAUSE TestSides
=== RUN   TestEngines
=== RUN   TestEngines/redis
    process.go:30: redis-server is not installed; the Debian package redis-server has it
--- PASS: TestEngines (0.00s)
    --- SKIP: TestEngines/redis (0.00s)
=== NAME  TestSides
    sides_test.go:9: PROOF=whole runs it
--- SKIP: TestSides (0.00s)
PASS
ok  	example.com/a	0.1s
=== RUN   TestOther
--- SKIP: TestOther (0.00s)
ok  	example.com/b	(cached)
`
	if err := os.WriteFile(log, []byte(output), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("awk", "-f", "../.ci/tests.awk", log).CombinedOutput()
	want := "ran\texample.com/a TestRan\n" +
		"ran\texample.com/a TestEngines\n" +
		"skipped\texample.com/a TestEngines/redis\tredis-server is not installed; the Debian package redis-server has it\n" +
		"skipped\texample.com/a TestSides\tPROOF=whole runs it\n" +
		"skipped\texample.com/b TestOther\tno reason\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
