package mirror

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	"facts":  {},
	"notice": {},
	"store":  {"facts", "model", "plan", "schema"},
	"worker": {"facts", "model", "notice", "plan", "schema", "store"},
	"push":   {"model", "notice", "plan", "store", "worker"},
}

const internalPath = "github.com/go-freight/terminal49/mirror/internal/"

// Every package of the mirror imports only those below it, and nothing that is internal to another
// module.
func TestLayers_ImportDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...").Output()
	require.NoError(t, err)
	seen := 0
	for line := range strings.Lines(string(out)) {
		all := strings.Fields(line)
		name := strings.TrimPrefix(all[0], internalPath)
		below, isLayer := layers[name]
		if isLayer {
			seen++
		}
		for _, path := range all[1:] {
			if in, internal := strings.CutPrefix(path, internalPath); internal && isLayer {
				assert.Contains(t, below, in, "%s imports %s", name, in)
			}
			assert.False(t, strings.HasPrefix(path, "github.com/go-freight/terminal49/internal/"), "%s imports %s", name, path)
			if pure := slices.Contains([]string{"model", "schema", "plan", "facts", "notice"}, name); pure {
				assert.NotContains(t, []string{"context", "database/sql", "net/http"}, path, "%s is pure", name)
			}
		}
	}
	require.Equal(t, len(layers), seen)
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
