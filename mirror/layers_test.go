package mirror

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers are the packages of the mirror, and those of them that they may import.
var layers = map[string][]string{
	"model":  {},
	"schema": {"model"},
	"plan":   {"model"},
	"notice": {},
	"store":  {"model", "plan", "schema"},
	"worker": {"model", "notice", "plan", "schema", "store"},
	"push":   {"model", "notice", "plan", "store", "worker"},
}

const internalPath = "github.com/go-freight/terminal49/mirror/internal/"

// Every package of the mirror imports only those below it, and nothing that is internal to another
// module.
func TestLayers_ImportDownwards(t *testing.T) {
	all := importsOfPackages(t)
	for name, below := range layers {
		require.NotEmpty(t, all[name], "package %s has files", name)
		for _, path := range all[name] {
			if in, internal := strings.CutPrefix(path, internalPath); internal {
				assert.Contains(t, below, in, "%s imports %s", name, in)
			}
			if pure := slices.Contains([]string{"model", "schema", "plan", "notice"}, name); pure {
				assert.NotContains(t, []string{"context", "database/sql", "net/http"}, path, "%s is pure", name)
			}
		}
	}
	for name, paths := range all {
		for _, path := range paths {
			assert.False(t, strings.HasPrefix(path, "github.com/go-freight/terminal49/internal/"), "%s imports %s", name, path)
		}
	}
}

// importsOfPackages returns what the files of each package of the module import, for whichever
// system they are, by its folder: without "internal/", if it is in there.
func importsOfPackages(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"mcpserver", "testdata"}, entry.Name()): // another module
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "internal/")
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			all[name] = append(all[name], imported)
		}
		return nil
	}))
	return all
}

// statement matches the beginning of a statement in a string.
var statement = regexp.MustCompile("[\"`]\\s*(?i:select|insert into|update|delete from|create (?:table|index|view))\\s+[a-z(*]")

// Statements are in package store, and in the migrations of schema.
func TestLayers_SQLIsInTheStore(t *testing.T) {
	found := 0
	for _, pattern := range []string{"*.go", "internal/*/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all := statement.FindAll(text, -1)
			if strings.HasPrefix(file, filepath.Join("internal", "store")) {
				found += len(all)
				continue
			}
			assert.Empty(t, all, "%s: %s", file, bytes.Join(all, []byte(", ")))
		}
	}
	assert.Greater(t, found, 50)
}
