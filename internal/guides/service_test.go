package guides_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// servicePages have the facts about the service.
var servicePages = []string{"service.md", "service-tracking.md", "service-containers.md"}

// TestService_EverySectionNamesItsSource requires that each section on the service names its
// sources, and that the contents of the first page list each of its sections.
func TestService_EverySectionNamesItsSource(t *testing.T) {
	for _, page := range servicePages {
		text := read(t, page)
		_, contents, listed := strings.Cut(text, "\n## Contents\n")
		contents, _, _ = strings.Cut(contents, "\n## ")
		for _, section := range strings.Split(text, "\n## ")[1:] {
			title, facts, _ := strings.Cut(section, "\n")
			if title == "Contents" {
				continue
			}
			for anchor := range anchors("# " + title) {
				if listed && !strings.Contains(contents, "["+title+"](#"+anchor+")") {
					t.Errorf("the contents of %s do not list %q", page, title)
				}
			}
			if !serviceSource.MatchString(facts) {
				t.Errorf("%s: %q has no line that begins with Documented, Observed or Assumed", page, title)
			}
		}
	}
}

// TestService_CitationsExist follows every link to a section of a page on the service, in all files
// of the repository.
func TestService_CitationsExist(t *testing.T) {
	sections := map[string]bool{}
	for _, page := range servicePages {
		for anchor := range anchors(read(t, page)) {
			sections[page+"#"+anchor] = true
		}
	}
	cited := 0
	for path, text := range sources(t) {
		for _, citation := range serviceCitation.FindAllString(text, -1) {
			cited++
			if !sections[citation] {
				t.Errorf("%s: there is no docs/%s", path, citation)
			}
		}
	}
	if cited < 100 {
		t.Errorf("%d citations found, of at least 100", cited)
	}
}

// TestService_NoOtherPaperIsCited fails if a file cites a fact of the service by a paper that is
// not in the repository.
func TestService_NoOtherPaperIsCited(t *testing.T) {
	for path, text := range sources(t) {
		text = strings.ToLower(text)
		for _, paper := range otherPapers {
			if strings.Contains(text, paper) {
				t.Errorf("%s cites %s; the facts are in docs/service*.md", path, paper)
			}
		}
	}
}

var (
	// The parts keep this file from matching itself.
	otherPapers     = []string{"service-" + "facts", "service " + "facts", "fleet-" + "mirror", "inter" + "face.md", "sam" + "ples.md", "anch" + "ors.md"}
	serviceSource   = regexp.MustCompile(`(?m)^(?:Documented|Observed|Assumed)[:, ]`)
	serviceCitation = regexp.MustCompile(`service[\w-]*\.md#[\w-]+`)
)

// sources returns the text files of the repository by path.
func sources(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git":
			return skip(entry)
		case entry.Type().IsRegular() && (sourceFile[filepath.Ext(path)] || filepath.Base(filepath.Dir(path)) == ".ci"):
			text, err := os.ReadFile(path)
			texts[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// skip is for .git, which is a file in a work tree of git.
func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

var sourceFile = map[string]bool{".go": true, ".mod": true, ".md": true, ".sql": true, ".json": true, ".yml": true, ".js": true, ".html": true, ".css": true}
