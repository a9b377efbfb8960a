// Next prints the version that the next release must have at least, and why. It compares each
// promised surface with what the last release promised:
//
//	go run ./internal/proof/compatibility/next
//
// A break makes a minor version, after v1 a major one; an addition makes a minor version, and
// anything else a patch. It fails if CHANGELOG.md does not name a break. Its first line is the
// version alone.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-freight/terminal49/internal/proof/timelimit"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "next:", err)
		os.Exit(1)
	}
}

func run() error {
	scratch, err := os.MkdirTemp("", "next")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // it is the system's folder for temporary files
	file := filepath.Join(scratch, "changes")
	test := exec.Command("go", "test", "-count=1", timelimit.Flag, "-run=^TestSurfaces_", "github.com/go-freight/terminal49/internal/proof/compatibility", "-changes", file)
	test.Env = append(os.Environ(), "T49_ENGINES=required") // no surface is skipped
	if output, err := test.CombinedOutput(); err != nil {
		return timelimit.Explain("the surfaces do not keep their promises", output, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	version, reasons, err := next(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
	if err != nil {
		return err
	}
	fmt.Println(version)
	for _, reason := range reasons {
		fmt.Println(reason)
	}
	return nil
}

// next returns the version after the one that the first line names, "released\t" and a version or
// nothing. Each other line is a kind, a surface and a promise.
func next(lines []string) (version string, reasons []string, err error) {
	released, ok := strings.CutPrefix(lines[0], "released\t")
	if !ok {
		return "", nil, fmt.Errorf("%q does not name the last release", lines[0])
	}
	if released == "" {
		return "v0.1.0", []string{"nothing is released yet"}, nil
	}
	var major, minor, patch int
	if _, err := fmt.Sscanf(released, "v%d.%d.%d", &major, &minor, &patch); err != nil {
		return "", nil, fmt.Errorf("%q is not a version", released)
	}
	breaks, additions := 0, 0
	for _, line := range lines[1:] {
		kind, promise, _ := strings.Cut(line, "\t")
		if kind == "break" {
			breaks++
		} else {
			additions++
		}
		reasons = append(reasons, kind+" in "+strings.Replace(promise, "\t", ": ", 1))
	}
	switch {
	case breaks > 0 && major > 0:
		major, minor, patch = major+1, 0, 0
	case breaks+additions > 0:
		minor, patch = minor+1, 0
	default:
		patch++
	}
	summary := fmt.Sprintf("since %s: breaks: %d, additions: %d", released, breaks, additions)
	return fmt.Sprintf("v%d.%d.%d", major, minor, patch), append([]string{summary}, reasons...), nil
}
