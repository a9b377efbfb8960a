package compatibility_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// declarations are each compared with what it becomes. TestGoAPI_AgreesWithApidiff checks the
// verdicts.
var declarations = []struct {
	name, before, after string
	breaks              bool
}{
	{"a method is removed", "type T struct{}; func (T) M() {}", "type T struct{}", true},
	{"a parameter is added", "func F(a int) {}", "func F(a int, b string) {}", true},
	{"a parameter becomes variadic", "func F(a []int) {}", "func F(a ...int) {}", true},
	{"a parameter is renamed", "func F(a int) {}", "func F(b int) {}", false},
	{"a result is added", "func F() error { return nil }", "func F() (int, error) { return 0, nil }", true},
	{"a field changes its type", "type T struct{ A int }", "type T struct{ A int64 }", true},
	{"a field is renamed", "type T struct{ A int }", "type T struct{ B int }", true},
	{"a field is added", "type T struct{ A int }", "type T struct{ A, B int }", false},
	{"a struct cannot be compared any more", "type T struct{ a int }", "type T struct{ a []int }", true},
	{"a field's JSON name changes", "type T struct{ A int `json:\"a\"` }", "type T struct{ A int `json:\"b\"` }", true},
	{"an interface gets a method", "type I interface{ M() }", "type I interface{ M(); N() }", true},
	{"a sealed interface gets a method", "type I interface{ M(); m() }", "type I interface{ M(); N(); m() }", false},
	{"an interface is sealed", "type I interface{ M() }", "type I interface{ M(); m() }", true},
	{"a constant changes its value", "const C = 1", "const C = 2", true},
	{"a constant changes its type", "const C = 1", "const C int = 1", true},
	{"a variable changes its type", "var V error", "var V any", true},
	{"a method needs a pointer", "type T struct{}; func (T) M() {}", "type T struct{}; func (*T) M() {}", true},
	{"a method needs no pointer", "type T struct{}; func (*T) M() {}", "type T struct{}; func (T) M() {}", false},
	{"a method of an embedded type goes", "type e struct{}; func (e) M() {}; type T struct{ e }", "type e struct{}; type T struct{ e }", true},
	{"a field of an embedded type goes", "type e struct{ A int }; type T struct{ e }", "type e struct{}; type T struct{ e }", true},
	{"a constraint is narrower", "func F[P any](P) {}", "func F[P comparable](P) {}", true},
	{"a type parameter is renamed", "type T[P any] struct{ A P }", "type T[Q any] struct{ A Q }", false},
	{"a type is another", "type T string", "type T int", true},
	{"a type becomes an alias", "type T string", "type T = string", true},
	{"an alias is another", "type T = string", "type T = int", true},
	{"the method of a value without a type name goes", "type r struct{}; func (r) M() {}; func F() *r { return nil }",
		"type r struct{}; func F() *r { return nil }", true},
	{"the parameter of an option is renamed", "type o struct{}; type Option func(*o)", "type p struct{}; type Option func(*p)", false},
	{"something is unexported", "func F() {}", "func f() {}", true},
}

func TestGoAPI_WhatBreaksPrograms(t *testing.T) {
	for _, test := range declarations {
		d := compare(linesOf(declared(t, test.before)), linesOf(declared(t, test.after)))
		if (len(d.gone) > 0) != test.breaks {
			t.Errorf("%s: gone %q, added %q", test.name, d.gone, d.added)
		}
	}
}

// declared returns a package with the declarations.
func declared(t *testing.T, text string) *types.Package {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", "package p; "+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{Importer: importer.Default()}).Check(module+"/p", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGoAPI_AgreesWithApidiff has Go's own comparison judge the same declarations. It finds nothing
// that is not found here, and misses three.
func TestGoAPI_AgreesWithApidiff(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("downloads apidiff; PROOF=whole runs it")
	}
	folder := t.TempDir()
	run := func(in string, arguments ...string) string {
		line := append([]string{"run", "golang.org/x/exp/cmd/apidiff@v0.0.0-20261014143641-f0251eb4aa3e", "-m"}, arguments...)
		return must(tool{filepath.Join(folder, in), []string{"GOWORK=off"}}.run("go", line...))(t)
	}
	for _, side := range []string{"before", "after"} {
		write(t, filepath.Join(folder, side, "go.mod"), "module example.com/m\n\ngo 1.26.0\n")
		for i, test := range declarations {
			text := map[string]string{"before": test.before, "after": test.after}[side]
			write(t, filepath.Join(folder, side, fmt.Sprintf("p%02d", i), "p.go"), "package p; "+text)
		}
		run(side, "-w", "../"+side+".api", "example.com/m")
	}
	incompatible, _, _ := strings.Cut(run(".", "before.api", "after.api"), "\nCompatible changes:")
	var ours []string
	for i, test := range declarations {
		switch breaks := strings.Contains(incompatible, fmt.Sprintf("./p%02d.", i)); {
		case breaks && !test.breaks:
			t.Errorf("%s: apidiff finds a break", test.name)
		case test.breaks && !breaks:
			ours = append(ours, test.name)
		}
	}
	if wanted := []string{"a field's JSON name changes", "a constraint is narrower", "a type becomes an alias"}; !slices.Equal(ours, wanted) {
		t.Errorf("apidiff does not find %q", ours)
	}
}
