// Package firsthour_test runs the programs of docs/first-hour.md and README.md as the pages say.
package firsthour_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFirstHour_PagesShowWholePrograms compares the programs with the blocks of the pages.
func TestFirstHour_PagesShowWholePrograms(t *testing.T) {
	page := read(t, guide) + read(t, readme)
	for _, shown := range runs(t, page) {
		_, program, _ := strings.Cut(read(t, filepath.Join(shown[1], "main.go")), "\npackage main\n")
		if !strings.Contains(page, "```go\npackage main\n"+program+"```\n") {
			t.Errorf("no page shows the whole of %s", shown[1])
		}
	}
}

// TestFirstHour_PrintsWhatThePagesShow runs each command of the pages and compares what it prints
// with them. The programs use the clock of this machine, so dates, times and counts of days may
// differ.
func TestFirstHour_PrintsWhatThePagesShow(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("builds programs, and one waits for a shipping line: set PROOF=whole")
	}
	service := terminal49test.NewServer(terminal49test.WithTrackingDelay(time.Millisecond))
	defer service.Close()
	service.SeedDemo()
	t.Setenv("T49_API_BASE_URL", service.URL)
	t.Setenv("T49_API_TOKEN", service.Token)
	t.Setenv("T49_ACCOUNT_ID", "")

	programs := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", programs, "./...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, shown := range runs(t, read(t, readme)+read(t, guide)) { // one of the guide tracks another shipment
		name, args, want := shown[1], strings.Fields(shown[2]), shown[3]
		got, err := exec.CommandContext(t.Context(), filepath.Join(programs, name), args...).CombinedOutput()
		if err != nil || !shows(dates.ReplaceAllString(want, "#"), dates.ReplaceAllString(string(got), "#")) {
			t.Errorf("%s: %v\n%s\nThe page shows:\n%s", name, err, got, want)
		}
	}
}

// shows reports whether a page shows an output. Lines are left out where it has "...".
func shows(page, output string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(page), regexp.QuoteMeta("...\n"), "(?s:.*)")
	return regexp.MustCompile("^" + pattern + "$").MatchString(output)
}

const (
	guide  = "../../docs/first-hour.md"
	readme = "../../README.md"
)

// runs returns the commands of the pages, each with its program, arguments and output.
func runs(t *testing.T, page string) [][]string {
	t.Helper()
	found := run.FindAllStringSubmatch(page, -1)
	if len(found) != 4 {
		t.Fatalf("the pages show %d runs", len(found))
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	run   = regexp.MustCompile("(?m)^go run ./examples/firsthour/(\\w+)(.*)\n```\n\n```\n((?:[^`].*\n)+)```$")
	dates = regexp.MustCompile(`\d{4}-\d\d-\d\d|\d\d:\d\d -0[78]:00|\b\d+ days?`)
)
