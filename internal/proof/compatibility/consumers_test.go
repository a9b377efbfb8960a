package compatibility_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
)

// consumers are programs as users write them, in .ci. testdata keeps them as they were at each
// version.
var consumers = []string{"consumer", "consumer-stores"}

// consumersOf compiles and runs the programs of each version with today's code: a comparison of
// signatures does not see a new required option. If CHANGELOG.md names the break, change the
// program as its users must.
func consumersOf(t *testing.T) (lines []string) {
	if *update {
		for _, name := range consumers {
			keepConsumer(t, name)
		}
	}
	versions, err := filepath.Glob("testdata/v*")
	if err != nil || len(versions) == 0 {
		t.Fatalf("versions %q, %v", versions, err)
	}
	for _, version := range versions {
		folder := t.TempDir()
		programs := must(filepath.Glob(version + "/*"))(t)
		version = filepath.Base(version)
		if _, err := (tool{}).run("go", append([]string{"build", "-o", folder}, local(programs)...)...); err != nil {
			t.Errorf("surface consumers: programs of %s do not compile: %v", version, err)
			continue
		}
		for _, program := range programs {
			none := tool{env: []string{"T49_API_TOKEN=", "T49_API_BASE_URL=", "T49_ACCOUNT_ID="}}
			if _, err := none.run(filepath.Join(folder, filepath.Base(program))); err != nil {
				t.Errorf("surface consumers: %s of %s fails: %v", filepath.Base(program), version, err)
			}
			lines = append(lines, filepath.Base(program)+": of "+version+" compiles and runs")
		}
	}
	return lines
}

// local returns paths that go build takes for folders.
func local(folders []string) (paths []string) {
	for _, folder := range folders {
		paths = append(paths, "./"+filepath.ToSlash(folder))
	}
	return paths
}

// keepConsumer copies a program of .ci as that of the version of doc.go.
func keepConsumer(t *testing.T, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, ".ci", name, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", name, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			write(t, filepath.Join("testdata", "v"+terminal49.Version, name, filepath.Base(file)), string(text))
		}
	}
}

// TestConsumers_CreateEverything looks in the programs for each function that creates something,
// and for each option.
func TestConsumers_CreateEverything(t *testing.T) {
	var text strings.Builder
	for _, file := range must(filepath.Glob("testdata/v*/*/*.go"))(t) {
		text.Write(must(os.ReadFile(file))(t))
	}
	for _, line := range goAPI(t) {
		name := nameOf(line)
		if of := constructor.FindStringSubmatch(line); of != nil && !strings.HasSuffix(of[1], "test.") && !strings.Contains(text.String(), "."+of[2]+"(") {
			t.Errorf("no program of testdata calls %s: add it to testdata/v%s/least", name, terminal49.Version)
		}
	}
}

var constructor = regexp.MustCompile(`^(\w+\.)?(New\w*|With\w+): func`)
