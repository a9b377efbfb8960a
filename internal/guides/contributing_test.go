package guides_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestContributing_NamesRealFiles looks for each file and folder that CONTRIBUTING.md and the pages
// it leads to name.
func TestContributing_NamesRealFiles(t *testing.T) {
	for _, page := range contributing {
		for _, span := range codeSpan.FindAllString(read(t, page), -1) {
			for _, path := range strings.Fields(strings.Trim(span, "`")) {
				if !namedFile.MatchString(path) {
					continue
				}
				if found, err := filepath.Glob(filepath.Join("..", path)); err != nil || len(found) == 0 {
					t.Errorf("%s names %s, which does not exist", page, path)
				}
			}
		}
	}
}

var (
	contributing = []string{
		"../CONTRIBUTING.md", "../.ci/README.md", "../internal/README.md", "../internal/bench/README.md", "../internal/proof/README.md", "../internal/proof/reliability.md",
		"../mirror/internal/proof/protocol.md", "../mirror/internal/proof/measured.md", "../internal/proof/board/README.md", "../internal/proof/compatibility/README.md", "../internal/proof/release/README.md",
	}
	codeSpan = regexp.MustCompile("`[^`\n]+`")
	// A file or a folder of the repository, such as mirror/internal/schema, .ci/run or containers.go,
	// but not a path of Go's library, such as encoding/json.
	namedFile = regexp.MustCompile(`^(?:(?:\.ci|\.github|cmd|docs|demurrage|documentschema|examples|fleet|internal|jsonapi|` +
		`mirror|otelterminal49|redisstore|sqlstore|terminal49test|testdata|webhook)/[\w./*-]*|[\w*]+\.(?:go|md))$`)
)
