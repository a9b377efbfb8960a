package compatibility_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPage_HasEverySurface compares the table of README.md with the surfaces, and
// requires that each row says what is promised.
func TestPage_HasEverySurface(t *testing.T) {
	page := string(must(os.ReadFile("README.md"))(t))
	var listed []string
	for _, row := range tableRow.FindAllStringSubmatch(page, -1) {
		listed = append(listed, row[2])
		if strings.TrimSpace(row[1]) == "" {
			t.Errorf("%s: the page does not say what is promised", row[2])
		}
	}
	var names []string
	for _, s := range surfaces {
		names = append(names, s.name)
	}
	if slices.Sort(listed); !slices.Equal(listed, sorted(names)) {
		t.Errorf("README.md lists %q, the surfaces are %q", listed, sorted(names))
	}
}

// tableRow has the promise and the name of the surface.
var tableRow = regexp.MustCompile("(?m)^\\|[^|]+\\|([^|]+)\\|[^|]*\\| `([a-z0-9-]+)` \\|$")
