package guides_test

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
	"..", "../webhook", "../documentschema", "../demurrage", "../worklist", "../jsonapi", "../fleet", "../terminal49test", "../redisstore", "../sqlstore",
	"../otelterminal49", "../mirror", "../mirror/dispute", "../mirror/mcpserver",
}

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
