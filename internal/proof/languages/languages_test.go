package languages

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// least is how many cases each language has at least.
const least = 20

// writeGuide writes the test of docs/testing.md to a file, because it runs too.
func writeGuide(t *testing.T, file string) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/testing.md")
	require.NoError(t, err)
	found := regexp.MustCompile("(?ms)^```python\n(.*?)^```$").FindSubmatch(page)
	require.NotNil(t, found)
	require.NoError(t, os.WriteFile(file, found[1], 0o600))
}

// The cases in Python use only its standard library.
func TestPython_CasesPass(t *testing.T) {
	t.Parallel()
	whole(t)
	environment := startSimulator(t)
	environment = append(environment, "PYTHONDONTWRITEBYTECODE=1")
	python := []string{"-W", "error", "-m", "unittest", "-v"}
	count(t, run(t, "python", environment, "python3", python...), `Ran (\d+) tests? in`)
	folder := t.TempDir()
	writeGuide(t, filepath.Join(folder, "test_dispatch.py"))
	run(t, folder, environment, "python3", python...)
}

// The types of the cases in TypeScript are those of the service's OpenAPI document, which is not
// part of the repository. The cases run with the Node.js that npm itself needs.
func TestTypeScript_CasesPass(t *testing.T) {
	t.Parallel()
	whole(t)
	document, err := filepath.Abs(cmp.Or(os.Getenv("OPENAPI"), "../../../../shared/openapi.json"))
	require.NoError(t, err)
	if _, err := os.Stat(document); errors.Is(err, fs.ErrNotExist) {
		t.Skip("set OPENAPI to the service's OpenAPI document")
	}
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("typescript")))
	run(t, folder, nil, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=6", "--fetch-retry-mintimeout=2000")
	run(t, folder, nil, "node", "types.mjs", document, "terminal49.d.ts")
	run(t, folder, nil, "node", "node_modules/typescript/bin/tsc")
	files, err := filepath.Glob(filepath.Join(folder, "out/*.test.js"))
	require.NoError(t, err)
	out := run(t, folder, startSimulator(t), "node", append([]string{"--test", "--test-reporter=tap"}, files...)...)
	count(t, out, `(?m)^# pass (\d+)`)
}

// whole skips a test that builds and installs, unless the whole proof is wanted.
func whole(t *testing.T) {
	t.Helper()
	if os.Getenv("PROOF") != "whole" {
		t.Skip("PROOF=whole runs it")
	}
}

// count checks that enough cases passed, by the number that a pattern finds.
func count(t *testing.T, out, pattern string) {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(out)
	require.NotNil(t, found, "%s", out)
	n, err := strconv.Atoi(found[1])
	require.NoError(t, err)
	assert.GreaterOrEqual(t, n, least, "%s", out)
	t.Logf("figure: languages: %d cases pass", n)
}
