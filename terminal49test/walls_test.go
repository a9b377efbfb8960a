package terminal49test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No package imports one above it: a document needs no table, a table no request, and none
// of them a resource of the service.
func TestWalls_ArrowsPointDown(t *testing.T) {
	const module = "github.com/go-freight/terminal49/"
	allowed := map[string][]string{
		"wire":    {},
		"state":   {"wire"},
		"service": {"wire", "state"},
	}
	for name, below := range allowed {
		found, err := build.ImportDir("internal/"+name, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found.Imports {
			own, inModule := strings.CutPrefix(path, module)
			if inModule && !slices.Contains(below, strings.TrimPrefix(own, "terminal49test/internal/")) {
				t.Errorf("internal/%s imports %s", name, path)
			}
			if name != "service" && strings.HasPrefix(path, "net") {
				t.Errorf("internal/%s imports %s", name, path)
			}
		}
	}
}

// The state of the simulated service and what a response shows of it do not know HTTP: no method of
// world or view uses a request, a response or package net/http.
func TestWalls_StateKnowsNoHTTP(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods := 0
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !slices.Contains([]string{"world", "view"}, receiverOf(f)) {
				continue
			}
			methods++
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := s.X.(*ast.Ident); ok && (of.Name == "http" || of.Name == "service") {
						t.Errorf("%s: %s uses %s.%s", path, f.Name.Name, of.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if methods < 150 {
		t.Errorf("%d methods were checked", methods)
	}
}

func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
