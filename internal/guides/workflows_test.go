package guides_test

import (
	"os"
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
	installed(t, "awk")
	log := filepath.Join(t.TempDir(), "log")
	output := `{"Time":"2026-11-28T13:00:00Z","Action":"start","Package":"example.com/a"}
{"Action":"run","Package":"example.com/a","Test":"TestRan"}
{"Action":"output","Package":"example.com/a","Test":"TestRan","Output":"    a_test.go:7: figure: 3 \u003c 4 of \"b\"\n"}
{"Action":"pass","Package":"example.com/a","Test":"TestRan","Elapsed":0}
{"Action":"output","Package":"example.com/a","Test":"TestSides","Output":"=== PAUSE TestSides\n"}
{"Action":"output","Package":"example.com/a","Test":"TestEngines/redis","Output":"    process.go:30: redis-server is not installed; the Debian package redis-server has it\n"}
{"Action":"output","Package":"example.com/a","Test":"TestSides","Output":"    sides_test.go:9: PROOF=whole runs it\n"}
{"Action":"output","Package":"example.com/a","Test":"TestEngines/redis","Output":"    --- SKIP: TestEngines/redis (0.00s)\n"}
{"Action":"skip","Package":"example.com/a","Test":"TestEngines/redis","Elapsed":0}
{"Action":"pass","Package":"example.com/a","Test":"TestEngines","Elapsed":0}
{"Action":"skip","Package":"example.com/a","Test":"TestSides","Elapsed":0}
{"Action":"pass","Package":"example.com/a","Elapsed":0.1}
{"Action":"skip","Package":"example.com/b","Test":"TestOther","Elapsed":0}
`
	if err := os.WriteFile(log, []byte(output), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, "", nil, "awk", "-f", "../.ci/tests.awk", log)
	want := "figure\t3 < 4 of \"b\"\n" +
		"ran\texample.com/a TestRan\n" +
		"skipped\texample.com/a TestEngines/redis\tredis-server is not installed; the Debian package redis-server has it\n" +
		"ran\texample.com/a TestEngines\n" +
		"skipped\texample.com/a TestSides\tPROOF=whole runs it\n" +
		"skipped\texample.com/b TestOther\tno reason\n"
	if err != nil || out != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
