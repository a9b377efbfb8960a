package worklist_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The package imports the standard library, the root, and the decoder that the root is linked with,
// so every program may link it.
func TestLayers_TheRootAlone(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			if strings.Contains(spec.Path.Value, ".") {
				assert.Contains(t, []string{`"github.com/go-freight/terminal49"`, `"github.com/go-freight/terminal49/internal/jsonapi"`}, spec.Path.Value, name)
			}
		}
	}
}
