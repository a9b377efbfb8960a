package docs_test

import (
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

// needsRelease matches lines that get a command, or a module other than the core.
var needsRelease = regexp.MustCompile(`(?m)^go (?:install|get) github\.com/go-freight/terminal49/.*$`)
