package leaks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit/gosource"
)

// Every package with tests must have a TestMain that checks for leaked goroutines.
func TestLeaks_EveryPackageChecksForThem(t *testing.T) {
	root := gosource.Root(t)
	checks := map[string]bool{} // by directory, of those with tests
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != root &&
			(strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		directory := filepath.Dir(path)
		checks[directory] = checks[directory] || verifiesLeaks(file)
		return nil
	}))
	require.Greater(t, len(checks), 5, "the walk found the packages")
	for directory, ok := range checks {
		require.True(t, ok, "the tests in %s need func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }", directory)
	}
}

// verifiesLeaks reports whether the file has a TestMain that calls goleak.VerifyTestMain.
func verifiesLeaks(file *ast.File) (found bool) {
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Name.Name != "TestMain" {
			continue
		}
		ast.Inspect(function, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if ok && call.Sel.Name == "VerifyTestMain" {
				library, _ := call.X.(*ast.Ident)
				found = found || library != nil && library.Name == "goleak"
			}
			return true
		})
	}
	return found
}
