package terminal49_test

import (
	"go/ast"
	"go/doc"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
)

// Every test that the documents name must exist.
func TestDocs_NameRealTests(t *testing.T) {
	declared := map[string]bool{}
	declaration := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range declaration.FindAllStringSubmatch(string(text), -1) {
			declared[match[1]] = true
		}
		return err
	}))
	for _, page := range []string{"SECURITY.md", "docs/reliability.md"} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		named := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`).FindAllString(string(text), -1)
		require.NotEmpty(t, named, page)
		for _, name := range named {
			require.True(t, declared[name], "%s names %s, which does not exist", page, name)
		}
	}
}

// Examples are documentation that is checked: each has an output, so that it runs.
func TestExamples_Run(t *testing.T) {
	for _, example := range doc.Examples(gosource.Examples(t, ".")...) {
		require.True(t, example.Output != "" || example.EmptyOutput, "Example%s has no output", example.Name)
	}
}

// Each method of a service must occur in one of the service's examples.
func TestExamples_ShowEveryServiceMethod(t *testing.T) {
	shown := map[string]bool{} // by "ShipmentsService.Get"
	services := reflect.TypeFor[terminal49.Client]()
	for _, example := range doc.Examples(gosource.Examples(t, ".")...) {
		ast.Inspect(example.Code, func(node ast.Node) bool {
			if field, method, ok := serviceSelector(node); ok {
				of, isField := services.FieldByName(field)
				owner, _, _ := strings.Cut(example.Name, "_")
				if isField && of.Type.Elem().Name() == owner {
					shown[owner+"."+method] = true
				}
			}
			return true
		})
	}
	methods, missing := 0, []string{}
	for _, field := range reflect.VisibleFields(services) {
		if !field.IsExported() || field.Type.Kind() != reflect.Pointer {
			continue
		}
		for i := range field.Type.NumMethod() {
			name := field.Type.Elem().Name() + "." + field.Type.Method(i).Name
			if methods++; !shown[name] {
				missing = append(missing, name)
			}
		}
	}
	require.Empty(t, missing, "methods that no example of their service shows")
	require.Greater(t, methods, 100)
}

// serviceSelector returns the names in client.<Service>.<Method>.
func serviceSelector(node ast.Node) (service, method string, ok bool) {
	outer, ok := node.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	inner, ok := outer.X.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	client, ok := inner.X.(*ast.Ident)
	return inner.Sel.Name, outer.Sel.Name, ok && client.Name == "client"
}
