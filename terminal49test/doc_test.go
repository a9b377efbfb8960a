package terminal49test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The package comment lists the routes: a service on a line of its own, then its operations.
func TestDoc_ListsEveryRoute(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	service := regexp.MustCompile(`^\t(\w+)$`)
	operation := regexp.MustCompile(`^\t  ([\w.]+) +(GET|POST|PATCH|DELETE) +(/\S*)$`)
	var documented, routed []string
	name := ""
	for line := range strings.Lines(file.Doc.Text()) {
		line = strings.TrimSuffix(line, "\n")
		if m := service.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if m := operation.FindStringSubmatch(line); m != nil {
			documented = append(documented, name+"."+m[1]+" "+m[2]+" "+m[3])
		}
	}
	for _, r := range routes() {
		routed = append(routed, r.op+" "+r.method+" "+r.path)
	}
	slices.Sort(documented)
	slices.Sort(routed)
	if !slices.Equal(documented, routed) {
		t.Errorf("doc.go lists\n%s\nwant\n%s", strings.Join(documented, "\n"), strings.Join(routed, "\n"))
	}
}

// CONTRIBUTING.md: only the suites for shared stores import the client.
func TestDoc_SimulatorDoesNotUseTheClient(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	suite := regexp.MustCompile(`^(limiter|dedupe)_.*\.go$|_test\.go$`)
	client := []string{`"github.com/go-freight/terminal49"`, `"github.com/go-freight/terminal49/webhook"`}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if slices.Contains(client, spec.Path.Value) && !suite.MatchString(path) {
				t.Errorf("%s imports %s", path, spec.Path.Value)
			}
		}
	}
}
