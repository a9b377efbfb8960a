package guides_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestInstall_LinesNameTheirVersion looks for commands that work only after the first release. Each
// names what to do before.
func TestInstall_LinesNameTheirVersion(t *testing.T) {
	found := 0
	for _, guide := range append(guides(t), "../AGENTS.md", "../SECURITY.md") {
		for _, line := range needsRelease.FindAllString(read(t, guide), -1) {
			found++
			if !strings.Contains(line, "# from v0.1.0; before") {
				t.Errorf("%s: add \"# from v0.1.0; before, in a clone: ...\" or \"; before: docs/install.md\" to %s", guide, line)
			}
		}
	}
	if found < 8 {
		t.Errorf("%d commands found, of at least 8", found)
	}
}

// TestInstall_RunsAreInAClone looks for go run of a folder of this repository. It exists, and the
// page says that a clone is needed.
func TestInstall_RunsAreInAClone(t *testing.T) {
	found := 0
	for _, guide := range guides(t) {
		text := read(t, guide)
		for _, run := range runsFolder.FindAllStringSubmatch(text, -1) {
			found++
			if _, err := os.Stat("../" + run[1]); err != nil {
				t.Errorf("%s: %v", guide, err)
			}
			if !strings.Contains(text, "clone") {
				t.Errorf("%s: say that %s needs a clone", guide, run[0])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d commands found, of at least 10", found)
	}
}

// runsFolder matches the start of a program of this repository.
var runsFolder = regexp.MustCompile(`go run (?:\./|-C )([\w/-]+)`)

// needsRelease matches lines that get a command, or a module other than the core.
var needsRelease = regexp.MustCompile(`(?m)^go (?:install|get) github\.com/go-freight/terminal49/.*$`)
