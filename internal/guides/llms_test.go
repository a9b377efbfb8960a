package guides_test

import (
	"flag"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/llms.txt, the list of the pages for language models")

// TestLLMs_IsCurrent compares llms.txt with the pages, packages and programs that it lists. Its
// form is that of https://llmstxt.org: a title, a quote, and lists of links with a sentence each.
func TestLLMs_IsCurrent(t *testing.T) {
	want := llms(t)
	if *update {
		if err := os.WriteFile("llms.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, "llms.txt") != want {
		t.Error("llms.txt is not current: run go test ./internal/guides -run TestLLMs -update")
	}
}

// TestLLMs_LinksEachPageOnce looks for the pages and packages themselves, not for those that the
// list was made from.
func TestLLMs_LinksEachPageOnce(t *testing.T) {
	list := read(t, "llms.txt")
	var pages []string
	for path := range sources(t) {
		switch path = filepath.ToSlash(strings.TrimPrefix(path, "../")); {
		case filepath.Ext(path) == ".md" && !strings.Contains(path, "testdata/") && !strings.HasPrefix(path, ".") && !strings.Contains("/"+path, "/internal/"):
			pages = append(pages, rawPages+path+")")
		case filepath.Base(path) == "doc.go" && !strings.Contains("/"+path, "/internal/"):
			pages = append(pages, strings.TrimSuffix(packagePages+"/"+filepath.ToSlash(filepath.Dir(path)), "/.")+")")
		}
	}
	if len(pages) < 35 {
		t.Fatalf("%d pages", len(pages))
	}
	for _, page := range pages {
		if n := strings.Count(list, page); n != 1 {
			t.Errorf("llms.txt has %d links to %s", n, strings.TrimSuffix(page, ")"))
		}
	}
	for _, line := range strings.Split(list, "\n") {
		if strings.HasPrefix(line, "-") && !listItem.MatchString(line) {
			t.Errorf("llms.txt: not a link with a sentence: %s", line)
		}
	}
}

const (
	rawPages     = "https://raw.githubusercontent.com/go-freight/terminal49/main/"
	packagePages = "https://pkg.go.dev/github.com/go-freight/terminal49"
)

var (
	listItem    = regexp.MustCompile(`^- \[[^\]]+\]\(https://[^)\s]+\): .+\.$`)
	lead        = regexp.MustCompile(`^# (.*)\n\n((?:\x60[^\x60]|[^\x60#|\n]).*\n(?:.+\n)*)`)
	docBrackets = strings.NewReplacer("[", "", "]", "") // of doc links
	pageLink    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// llms returns what llms.txt must be.
func llms(t *testing.T) string {
	title, summary := titleAndLead(t, "../README.md")
	first := []string{"../AGENTS.md", "../README.md", "first-hour.md", "which-way.md", "rules.md", "errors.md", "testing.md"}
	optional := []string{"../CHANGELOG.md", "../CONTRIBUTING.md", "../SECURITY.md"}
	var others []string
	for _, page := range guides(t) {
		if !slices.Contains(slices.Concat(first, optional), page) {
			others = append(others, page)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s.\n\nAGENTS.md is for those who write code with the package: read it first.\n", title, summary)
	section := func(title string, items []string) {
		fmt.Fprintf(&b, "\n## %s\n\n%s", title, strings.Join(items, ""))
	}
	section("Begin here", pageItems(t, first))
	section("Guides", pageItems(t, others))
	section("Packages", packageItems(t))
	section("Programs", programItems(t))
	section("Optional", pageItems(t, optional))
	return b.String()
}

func pageItems(t *testing.T, pages []string) (items []string) {
	for _, page := range pages {
		title, sentence := titleAndLead(t, page)
		items = append(items, item(title, rawPages+filepath.ToSlash(filepath.Join("docs", page)), sentence))
	}
	return items
}

// packageItems returns the packages that programs use, and those that test what programs write.
func packageItems(t *testing.T) (items []string) {
	for _, folder := range append(slices.Clone(packages), "../terminal49test/control", "../terminal49test/verdicttest", "../fleet/fleettest",
		"../webhook/webhooktest") {
		path := strings.TrimPrefix(folder, "..")
		items = append(items, item("terminal49"+path, packagePages+path, synopsis(t, folder)))
	}
	return items
}

// programItems returns the commands and the examples.
func programItems(t *testing.T) (items []string) {
	for _, pattern := range []string{"../cmd/*/main.go", "../examples/*/main.go", "../examples/*/*/main.go"} {
		mains, err := filepath.Glob(pattern)
		if err != nil || len(mains) == 0 {
			t.Fatal("no programs", err)
		}
		for _, main := range mains {
			path := strings.TrimPrefix(filepath.ToSlash(main), "../")
			items = append(items, item(strings.TrimSuffix(path, "/main.go"), rawPages+path, synopsis(t, filepath.Dir(main))))
		}
	}
	return items
}

func item(title, address, sentence string) string {
	return fmt.Sprintf("- [%s](%s): %s\n", title, address, strings.TrimRight(sentence, ".: ")+".")
}

// titleAndLead returns the title of a page and its first sentence, which follows the title.
func titleAndLead(t *testing.T, page string) (title, sentence string) {
	t.Helper()
	found := lead.FindStringSubmatch(read(t, page))
	if found == nil {
		t.Fatalf("%s: a sentence on what the page is about must follow its title", page)
	}
	text := pageLink.ReplaceAllString(strings.Join(strings.Fields(found[2]), " "), "$1")
	sentence, _, _ = strings.Cut(text+" ", ". ")
	return found[1], sentence
}

// synopsis returns the first sentence of a package's documentation.
func synopsis(t *testing.T, folder string) string {
	t.Helper()
	for _, file := range goFiles(t, folder) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && parsed.Doc != nil {
			return docBrackets.Replace((&doc.Package{}).Synopsis(parsed.Doc.Text()))
		}
	}
	t.Fatalf("%s has no documentation", folder)
	return ""
}
