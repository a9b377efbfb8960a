package terminal49_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the documents say a test proves has to be a test that exists.
func TestDocs_NameRealTests(t *testing.T) {
	declared := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range declaration.FindAllStringSubmatch(string(text), -1) {
			declared[match[1]] = true
		}
		return err
	}))
	for _, page := range []string{"SECURITY.md", "docs/reliability.md"} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		named := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`).FindAllString(string(text), -1)
		require.NotEmpty(t, named, page)
		for _, name := range named {
			require.True(t, declared[name], "%s names %s, which does not exist", page, name)
		}
	}
}
