package compatibility_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// changelog is what CHANGELOG.md says about its newest section and the last release.
type changelog struct {
	newest   string // the version of the newest section
	unready  bool   // it is not released yet
	released string // the version of the last release, or ""
	code     string // the code under "### Incompatible changes" of the newest section
}

func readChangelog(t *testing.T) changelog {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	return parseChangelog(string(text))
}

var (
	heading = regexp.MustCompile(`(?m)^## .*$`)
	version = regexp.MustCompile(`v\d+\.\d+\.\d+`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`]+`")
)

func parseChangelog(text string) (log changelog) {
	starts := append(heading.FindAllStringIndex(text, -1), []int{len(text), len(text)})
	for i := range len(starts) - 1 {
		title, section := text[starts[i][0]:starts[i][1]], text[starts[i][1]:starts[i+1][0]]
		unready := strings.Contains(section, "Not released yet") || strings.Contains(title, "Unreleased")
		if i == 0 {
			log.newest, log.unready = version.FindString(title), unready
			_, breaks, _ := strings.Cut(section, "\n### Incompatible changes")
			breaks, _, _ = strings.Cut(breaks, "\n### ")
			log.code = strings.Join(code.FindAllString(breaks, -1), "\n")
		}
		if !unready {
			log.released = version.FindString(title)
			break
		}
	}
	return log
}

// open reports whether baselines may be written: nothing is released, or a release is being cut.
func (log changelog) open() bool { return log.released == "" || !log.unready }

// names reports whether the code names something. `Client.Get` does not name Client.GetAll or Get.
func (log changelog) names(name string) bool {
	found, err := regexp.MatchString(`(^|[^\w.])`+regexp.QuoteMeta(name)+`($|[^\w.]|\.($|\W))`, log.code)
	return err == nil && found
}

func TestChangelog_SectionsAndNames(t *testing.T) {
	const first = "# Changelog\n\n## v0.1.0\n\nNot released yet. Text.\n"
	released := strings.ReplaceAll(first, "Not released yet", "2026-12-01")
	next := strings.Replace(released, "## ", "## v0.2.0\n\nNot released yet.\n\n### Incompatible changes\n\n- `Client.Get` takes `id`.\n\n```go\nwebhook.New()\n```\n\n"+
		"### Other\n\n`Other`\n\n## ", 1)
	for _, test := range []struct {
		name, text, released string
		open                 bool
	}{
		{"before the first release", first, "", true},
		{"a release is cut", released, "v0.1.0", true},
		{"after it", next, "v0.1.0", false},
		{"without a version", strings.Replace(next, "v0.2.0\n\nNot released yet.", "Unreleased", 1), "v0.1.0", false},
	} {
		if log := parseChangelog(test.text); log.released != test.released || log.open() != test.open {
			t.Errorf("%s: %+v", test.name, log)
		}
	}
	log := parseChangelog(next)
	for name, wanted := range map[string]bool{"Client.Get": true, "webhook.New": true, "Client": false, "Get": false, "Client.Ge": false, "Other": false} {
		if log.names(name) != wanted {
			t.Errorf("%s is named: %t", name, !wanted)
		}
	}
}
