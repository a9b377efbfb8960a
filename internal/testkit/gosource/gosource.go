// Package gosource finds and parses the Go files of this module, for tests that check the code
// itself.
package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the first line of the core's go.mod.
const module = "module github.com/go-freight/terminal49\n"

// Root returns the directory of the core, which is the working directory of the test or above it.
// Between them there may be a nested module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if file, _ := os.ReadFile(filepath.Join(dir, "go.mod")); strings.HasPrefix(string(file), module) {
			return dir
		}
		above := filepath.Dir(dir)
		require.NotEqual(t, dir, above, "the core's go.mod is not above the working directory")
		dir = above
	}
}

// Files returns the syntax of the Go files in a directory of the module, without its tests.
func Files(t testing.TB, dir string) []*ast.File {
	t.Helper()
	return parse(t, dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
}

// Examples returns the syntax of the example files in a directory of the module.
func Examples(t testing.TB, dir string) []*ast.File {
	t.Helper()
	return parse(t, dir, func(name string) bool {
		return strings.HasPrefix(name, "example_") && strings.HasSuffix(name, "_test.go")
	})
}

// parse returns the syntax of the Go files in a directory whose names want accepts.
func parse(t testing.TB, dir string, want func(name string) bool) []*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Root(t), dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, path := range paths {
		if !want(filepath.Base(path)) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	require.NotEmpty(t, files)
	return files
}

// Constants returns the string constants of the package in a directory of the module, by their
// type.
func Constants(t testing.TB, dir string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, file := range Files(t, dir) {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				typ, ok := value.Type.(*ast.Ident)
				if !ok || len(value.Values) != 1 {
					continue
				}
				if literal, ok := value.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					found[typ.Name] = append(found[typ.Name], text)
				}
			}
		}
	}
	return found
}
