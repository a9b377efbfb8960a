package guides_test

import (
	"go/ast"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGuides_NamesExist looks for each Go name in the text of the guides, such as `SumFees` and
// `Time.Date`, among the exported names of the packages.
func TestGuides_NamesExist(t *testing.T) {
	names := exported(t, "..", "../webhook", "../webhook/webhooktest", "../fleet", "../fleet/fleettest", "../terminal49test", "../documentschema", "../demurrage", "../mirror", "../mirror/dispute", "../mirror/mcpserver", "../sqlstore", "../redisstore", "../otelterminal49", "../internal/proof/*")
	for _, guide := range guides(t) {
		text := codeBlock.ReplaceAllString(read(t, guide), "")
		for _, name := range goName.FindAllStringSubmatch(text, -1) {
			if !names[name[1]] {
				t.Errorf("%s: there is no exported name %s", guide, name[1])
			}
		}
	}
}

var (
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```$")
	// A name with a lower case letter: `TEST` and `HTTP` are words.
	goName = regexp.MustCompile("`\\*?(?:terminal49\\.|webhook\\.|terminal49test\\.|fleet\\.|client\\.|mirror\\.)?((?:[A-Z]\\w*\\.)?[A-Z]\\w*[a-z]\\w*)(?:\\([^`]*\\))?`")
)

// TestDocs_NameRealTests looks for each test that a page names among the tests of the repository. A
// subject alone, as in `TestPagination_...`, must have one.
func TestDocs_NameRealTests(t *testing.T) {
	texts := sources(t)
	declared := map[string]bool{}
	for path, text := range texts {
		if filepath.Ext(path) == ".go" {
			for _, function := range testFunction.FindAllStringSubmatch(text, -1) {
				declared[function[1]] = true
				subject, _, _ := strings.Cut(function[1], "_")
				declared[subject] = true
			}
		}
	}
	for path, text := range texts {
		if filepath.Ext(path) != ".md" {
			continue
		}
		named := testName.FindAllString(otherBlock.ReplaceAllString(text, ""), -1)
		if page := filepath.Base(path); len(named) == 0 && (page == "SECURITY.md" || page == "reliability.md") {
			t.Errorf("%s names no test", path)
		}
		for _, name := range named {
			if !declared[strings.TrimSuffix(name, "_")] {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
	}
}

var (
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)[(\[]`)
	testName     = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
)

// exported returns the exported names of packages: Name, and Type.Member for fields and methods.
// Methods of the client's services are also named by its fields, as in Containers.Get.
func exported(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range goFiles(t, folders...) {
		for _, decl := range parse(t, file).Decls {
			collect(names, decl)
		}
	}
	for name := range maps.Clone(names) { // a verdict has the fields of its standing
		if field, ok := strings.CutPrefix(name, "Standing."); ok {
			names["Verdict."+field] = true
		}
	}
	return names
}

func collect(names map[string]bool, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		names[d.Name.Name] = true
		if receiver := receiverOf(d); receiver != "" {
			names[receiver+"."+d.Name.Name] = true
			names[strings.TrimSuffix(receiver, "Service")+"."+d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names[name.Name] = true
				}
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				collectFields(names, s)
			}
		}
	}
}

func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	for {
		switch v := of.(type) {
		case *ast.StarExpr:
			of = v.X
		case *ast.IndexExpr:
			of = v.X
		case *ast.Ident:
			return v.Name
		default:
			return ""
		}
	}
}

func collectFields(names map[string]bool, s *ast.TypeSpec) {
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range fields.Fields.List {
		for _, name := range field.Names {
			names[name.Name] = true
			names[s.Name.Name+"."+name.Name] = true
		}
	}
}
