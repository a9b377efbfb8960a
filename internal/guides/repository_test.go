package guides_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRepository_UpdatesCoverEveryModule compares the folders with a go.mod with those for which
// updates of dependencies are configured, and with those of go.work.
func TestRepository_UpdatesCoverEveryModule(t *testing.T) {
	var modules []string
	for path := range sources(t) {
		if filepath.Base(path) == "go.mod" {
			folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "..")
			modules = append(modules, "/"+strings.TrimPrefix(folder, "/"))
		}
	}
	slices.Sort(modules)
	if updates := listed(t, "../.github/dependabot.yml", "      - /"); !slices.Equal(updates, modules) {
		t.Errorf("dependabot.yml lists %v, the modules are %v", updates, modules)
	}
	if uses := listed(t, "../go.work", "\t."); !slices.Equal(uses, modules) {
		t.Errorf("go.work uses %v, the modules are %v", uses, modules)
	}
}

// listed returns the folders on the lines of a file that begin with a prefix.
func listed(t *testing.T, path, prefix string) (folders []string) {
	t.Helper()
	for line := range strings.Lines(read(t, path)) {
		if folder, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), prefix); ok {
			folders = append(folders, "/"+strings.TrimPrefix(folder, "/"))
		}
	}
	slices.Sort(folders)
	return folders
}

// TestRepository_ServersEndSlowRequests checks that no server of this repository waits for ever for
// headers, for a body or for the next request.
func TestRepository_ServersEndSlowRequests(t *testing.T) {
	found := 0
	for path, text := range sources(t) {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		literals, others := 0, 0
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StarExpr: // a pointer to a server that is made elsewhere
				return !isOfHTTP(n.X, "Server")
			case *ast.CompositeLit:
				if isOfHTTP(n.Type, "Server") {
					literals++
					others--
					requireTimeouts(t, path, n)
				}
			case *ast.SelectorExpr:
				if isOfHTTP(n, "Server", "Serve", "ListenAndServe", "ServeTLS", "ListenAndServeTLS") {
					others++
				}
			}
			return true
		})
		if others != 0 {
			t.Errorf("%s: a server that is not a literal with its timeouts", path)
		}
		found += literals
	}
	if found < 5 {
		t.Errorf("%d servers found, of at least 5", found)
	}
}

func requireTimeouts(t *testing.T, path string, server *ast.CompositeLit) {
	t.Helper()
	for _, name := range []string{"ReadHeaderTimeout", "ReadTimeout", "IdleTimeout"} {
		if !slices.ContainsFunc(server.Elts, func(e ast.Expr) bool {
			pair, ok := e.(*ast.KeyValueExpr)
			return ok && pair.Key.(*ast.Ident).Name == name
		}) {
			t.Errorf("%s: a server without %s", path, name)
		}
	}
}

// isOfHTTP reports whether an expression is one of these names of net/http.
func isOfHTTP(e ast.Expr, names ...string) bool {
	of, ok := e.(*ast.SelectorExpr)
	if !ok || !slices.Contains(names, of.Sel.Name) {
		return false
	}
	pkg, ok := of.X.(*ast.Ident)
	return ok && pkg.Name == "http"
}
