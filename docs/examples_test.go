package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// packages are the folders of the packages that programs use.
var packages = []string{
	"..", "../webhook", "../documentschema", "../demurrage", "../jsonapi", "../fleet", "../terminal49test", "../redisstore", "../sqlstore",
	"../otelterminal49", "../mirror", "../mirror/dispute", "../mirror/mcpserver", "../doctor",
}

// TestExamples_ShowEverything looks for each method of a service and each function, such as an
// option, in a file with Examples.
func TestExamples_ShowEverything(t *testing.T) {
	used := map[string]bool{}
	for _, file := range goFiles(t, append(packages, ".")...) {
		if strings.HasSuffix(file, "_test.go") && strings.Contains(read(t, file), "\nfunc Example") {
			ast.Inspect(parse(t, file), func(n ast.Node) bool { use(used, n); return true })
		}
	}
	for _, file := range goFiles(t, packages...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed := parse(t, file)
		for _, decl := range parsed.Decls {
			if name := wanted(parsed.Name.Name, decl); name != "" && !used[name] {
				t.Errorf("%s: no Example shows %s", file, name)
			}
		}
	}
}

// TestExamples_OneForEachMethod looks for an Example of each method of a service that go test runs,
// so that the method's documentation shows one.
func TestExamples_OneForEachMethod(t *testing.T) {
	runs := map[string]bool{}
	for _, file := range goFiles(t, "..") {
		for _, found := range example.FindAllStringSubmatch(read(t, file), -1) {
			runs[found[1]+"."+found[2]] = strings.Contains(found[3], "// Output:") || strings.Contains(found[3], "// Unordered output:")
		}
	}
	for _, file := range goFiles(t, "..") {
		for _, decl := range parse(t, file).Decls {
			if name := wanted("", decl); !strings.HasPrefix(name, ".") && name != "" && !runs[name] {
				t.Errorf("%s: %s has no Example of its own with an output", file, name)
			}
		}
	}
}

// example is an Example of a method of a service.
var example = regexp.MustCompile(`(?ms)^func Example(\w+)Service_(\w+)\(\) \{\n(.*?)^\}`)

// TestGuides_CountLines counts the lines of each program whose length a guide states.
func TestGuides_CountLines(t *testing.T) {
	stated := 0
	for _, guide := range guides(t) {
		for _, found := range length.FindAllStringSubmatch(read(t, guide), -1) {
			if lines := strings.Count(read(t, found[1]), "\n"); strconv.Itoa(lines) != found[2] {
				t.Errorf("%s: %s has %d lines, not %s", guide, found[1], lines, found[2])
			}
			stated++
		}
	}
	if stated != 2 {
		t.Errorf("%d lengths are stated", stated)
	}
}

var length = regexp.MustCompile(`\]\(([\w./]+\.go)\) is a whole program of (\d+) lines`)

// use notes a selector such as client.Shipments.Get or terminal49.WithRateLimitShare.
func use(used map[string]bool, n ast.Node) {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch of := selector.X.(type) {
	case *ast.SelectorExpr:
		used[of.Sel.Name+"."+selector.Sel.Name] = true
	case *ast.Ident:
		used[of.Name+"."+selector.Sel.Name] = true
	}
}

// wanted returns the name of what an Example must show: Shipments.Get,
// terminal49.WithRateLimitShare.
func wanted(pkg string, decl ast.Decl) string {
	f, ok := decl.(*ast.FuncDecl)
	if !ok || !f.Name.IsExported() {
		return ""
	}
	service, isService := strings.CutSuffix(receiverOf(f), "Service")
	switch {
	case isService:
		return service + "." + f.Name.Name
	case f.Recv == nil:
		return pkg + "." + f.Name.Name
	}
	return ""
}

func goFiles(t *testing.T, folders ...string) (files []string) {
	t.Helper()
	for _, folder := range folders {
		found, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
