package guides_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPages_AreShort keeps the first pages to what one can read before one begins.
func TestPages_AreShort(t *testing.T) {
	for page, most := range map[string]int{"../AGENTS.md": 150, "../CONTRIBUTING.md": 150, "../CHANGELOG.md": 60} {
		if lines := strings.Count(read(t, page), "\n"); lines > most {
			t.Errorf("%s has %d lines, of at most %d", page, lines, most)
		}
	}
	if words := len(strings.Fields(read(t, "../README.md"))); words > 600 {
		t.Errorf("README.md has %d words, of at most 600", words)
	}
}

// TestPages_AreFew keeps the guides what one person can know. Lookups and proofs are beside what
// they are about.
func TestPages_AreFew(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	words := 0
	pages = append(pages, "../README.md")
	for _, page := range pages {
		words += len(strings.Fields(read(t, page)))
	}
	if len(pages) > 26 || words > 40_000 {
		t.Errorf("%d pages of %d words, of at most 26 and 40,000", len(pages), words)
	}
}

// TestPages_LinksExist looks for doc links of the packages' pages that lead nowhere. go/doc leaves
// the text of a link without a target as it is.
func TestPages_LinksExist(t *testing.T) {
	links := 0
	for _, folder := range []string{"..", "../webhook", "../fleet", "../documentschema", "../demurrage", "../terminal49test", "../mirror"} {
		fset, files := token.NewFileSet(), []*ast.File{}
		for _, path := range goFiles(t, folder) {
			file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		page, err := doc.NewFromFiles(fset, files, "p", doc.PreserveAST)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range docTexts(page) {
			walkTexts(page.Parser().Parse(text).Content, func(text comment.Text) {
				switch text := text.(type) {
				case *comment.DocLink:
					links++
					if path, ours := strings.CutPrefix(text.ImportPath, "github.com/go-freight/terminal49/"); ours {
						if _, err := os.Stat("../" + path); err != nil {
							t.Errorf("%s: a doc link: %v", folder, err)
						}
					}
				case comment.Plain:
					for _, link := range docLink.FindAllString(string(text), -1) {
						t.Errorf("%s: the doc link %s leads nowhere", folder, link)
					}
				}
			})
		}
	}
	if links < 500 {
		t.Errorf("only %d doc links were found", links)
	}
}

// docLink is the text of a link to an exported name.
var docLink = regexp.MustCompile(`\[\*?(?:[\w./]+\.)?[A-Z]\w*[a-z]\w*(?:\.[A-Z]\w*)?\]`)

// docTexts returns the doc comments of a package and its exported names.
func docTexts(page *doc.Package) []string {
	texts := []string{page.Doc}
	values := func(lists ...[]*doc.Value) {
		for _, list := range lists {
			for _, v := range list {
				texts = append(texts, v.Doc)
			}
		}
	}
	functions := func(lists ...[]*doc.Func) {
		for _, list := range lists {
			for _, f := range list {
				texts = append(texts, f.Doc)
			}
		}
	}
	values(page.Consts, page.Vars)
	functions(page.Funcs)
	for _, typ := range page.Types {
		texts = append(texts, typ.Doc)
		values(typ.Consts, typ.Vars)
		functions(typ.Funcs, typ.Methods)
	}
	return texts
}

// walkTexts calls visit with every text of a doc comment.
func walkTexts(blocks []comment.Block, visit func(comment.Text)) {
	for _, block := range blocks {
		switch block := block.(type) {
		case *comment.Paragraph:
			for _, text := range block.Text {
				visit(text)
			}
		case *comment.List:
			for _, item := range block.Items {
				walkTexts(item.Content, visit)
			}
		}
	}
}
