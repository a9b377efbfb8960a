package compatibility_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// surface is something that users rely on. gather returns its promises of today, in any order.
type surface struct {
	name   string // of the file in baseline, and in README.md
	gather func(*testing.T) []string
}

// surfaces has every promised surface.
var surfaces = []surface{
	{"go-api", goAPI},
	{"stored-json", storedJSON},
	{"mirror-tables", mirrorTablesOf},
}

var (
	update  = flag.Bool("update", false, "write the baselines")
	changes = flag.String("changes", "", "append the last release and each difference to this file; package next reads it")
)

const root = "../../.." // of the repository

// TestSurfaces_KeepTheirPromises compares each surface with its baseline. It runs one surface with
// -run 'TestSurfaces_KeepTheirPromises/^go-api$'.
func TestSurfaces_KeepTheirPromises(t *testing.T) {
	if _, err := os.ReadFile(touched); err != nil {
		t.Fatal(err)
	}
	log := readChangelog(t)
	if *update && !log.open() {
		t.Fatalf("CHANGELOG.md: %s is released and the newest section is not: the baselines are written when the next release is cut. "+
			"Name a break in CHANGELOG.md instead", log.released)
	}
	report(t, "released\t"+log.released)
	for _, s := range surfaces {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if t.Failed() {
					t.Logf("surface %s does not keep its promises", s.name)
				}
			}()
			today := sorted(s.gather(t))
			if t.Failed() {
				return
			}
			if *update {
				write(t, filepath.Join("baseline", s.name+".txt"), strings.Join(today, "\n")+"\n")
				return
			}
			baseline, err := readBaseline("baseline", s.name)
			if err != nil {
				t.Fatal(err)
			}
			difference := compare(baseline, today)
			report(t, difference.lines(s.name)...)
			if text := difference.failure(s.name, log); text != "" {
				t.Error(text)
			}
		})
	}
}

// readBaseline returns the promises of a surface in a folder. There must be one at least.
func readBaseline(folder, surface string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, surface+".txt"))
	if err != nil {
		return nil, fmt.Errorf("surface %s has no baseline (-update writes it): %w", surface, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] == "" {
		return nil, fmt.Errorf("surface %s has an empty baseline", surface)
	}
	return lines, nil
}

func TestReadBaseline_MissingAndEmpty(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "empty.txt"), "\n")
	for _, name := range []string{"missing", "empty"} {
		if _, err := readBaseline(folder, name); err == nil || !strings.Contains(err.Error(), "surface "+name+" has") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSurfaces_HaveTheOnlyBaselines fails for the baseline of a surface that is checked no more.
func TestSurfaces_HaveTheOnlyBaselines(t *testing.T) {
	files, err := filepath.Glob("baseline/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if !slices.ContainsFunc(surfaces, func(s surface) bool { return s.name == name }) {
			t.Errorf("%s: no surface has this name", file)
		}
	}
}

var reporting sync.Mutex

// report appends lines to the file that -changes names.
func report(t *testing.T, lines ...string) {
	if *changes == "" || len(lines) == 0 {
		return
	}
	reporting.Lock()
	defer reporting.Unlock()
	file, err := os.OpenFile(*changes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fmt.Fprintln(file, strings.Join(lines, "\n"))
}

// sorted returns the lines in order, each once.
func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return slices.Compact(lines)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
