// Package guides_test compiles and runs the code of the pages in docs, and follows their links.
// Each block of Go on a page is part of a Go file of this repository; most are functions of this
// folder's tests. They run in docs, so that paths are those of the pages.
package guides_test

import (
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) {
	if err := os.Chdir("../../docs"); err != nil {
		log.Fatal(err)
	}
	goleak.VerifyTestMain(m)
}

// simulation replaces the service, so that the guides' code runs without an account. It is the
// afternoon of 1 July 2024, and the account has the shipments of [terminal49test.Server.SeedDemo].
func simulation(opts ...terminal49test.Option) (*terminal49test.Server, terminal49test.Demo, *terminal49.Client) {
	service := terminal49test.NewServer(append([]terminal49test.Option{
		terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithSeed(49),
		terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)),
	}, opts...)...)
	demo := service.SeedDemo()
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	return service, demo, client
}

// containerOf returns the id of a shipment's first container.
func containerOf(service *terminal49test.Server, shipment string) string {
	return service.ContainerIDs(shipment)[0]
}

// TestGuides_CodeCompiles looks for each block of Go in a Go file. Indentation may differ.
func TestGuides_CodeCompiles(t *testing.T) {
	var sources []string
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".go" {
			sources = append(sources, "\n"+flat(read(t, path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	everything := strings.Join(sources, "")
	for _, guide := range guides(t) {
		for i, block := range goBlock.FindAllStringSubmatch(read(t, guide), -1) {
			if !strings.Contains(everything, "\n"+flat(block[1])) {
				t.Errorf("%s: block %d is in no Go file:\n%s", guide, i+1, block[1])
			}
		}
	}
}

// TestGuides_LinksLeadSomewhere follows the links between the guides and the pages of the root
// folder, and their anchors.
func TestGuides_LinksLeadSomewhere(t *testing.T) {
	for _, guide := range slices.Concat(guides(t), contributing, []string{"../CHANGELOG.md", "../SECURITY.md"}) {
		for _, link := range localLink.FindAllStringSubmatch(read(t, guide), -1) {
			target := guide
			if link[1] != "" {
				target = filepath.Join(filepath.Dir(guide), link[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", guide, err)
				continue
			}
			if link[2] != "" && !anchors(read(t, target))[link[2]] {
				t.Errorf("%s: %s has no heading #%s", guide, target, link[2])
			}
		}
	}
}

var (
	goBlock   = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	localLink = regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	symbols   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

func guides(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.md")
	if err != nil || len(names) == 0 {
		t.Fatal("no guides", err)
	}
	return append(names, "../cmd/t49/official.md", "../fleet/fleettest/README.md", "../mirror/schema.md", "../terminal49test/verdicttest/README.md", "../README.md", "../AGENTS.md")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// flat removes indentation and empty lines, which a guide may leave out.
func flat(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// anchors returns the names that the headings of a page have on GitHub.
func anchors(page string) map[string]bool {
	names := map[string]bool{}
	for _, title := range heading.FindAllStringSubmatch(page, -1) {
		name := symbols.ReplaceAllString(strings.ToLower(title[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}
