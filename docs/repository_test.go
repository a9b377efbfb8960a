package docs_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRepository_UpdatesCoverEveryModule compares the folders with a go.mod with those for which
// updates of dependencies are configured, and with those of go.work.
func TestRepository_UpdatesCoverEveryModule(t *testing.T) {
	var modules []string
	for path := range sources(t) {
		if filepath.Base(path) == "go.mod" {
			folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "..")
			modules = append(modules, "/"+strings.TrimPrefix(folder, "/"))
		}
	}
	slices.Sort(modules)
	if updates := listed(t, "../.github/dependabot.yml", "      - /"); !slices.Equal(updates, modules) {
		t.Errorf("dependabot.yml lists %v, the modules are %v", updates, modules)
	}
	if uses := listed(t, "../go.work", "\t."); !slices.Equal(uses, modules) {
		t.Errorf("go.work uses %v, the modules are %v", uses, modules)
	}
}

// listed returns the folders on the lines of a file that begin with a prefix.
func listed(t *testing.T, path, prefix string) (folders []string) {
	t.Helper()
	for line := range strings.Lines(read(t, path)) {
		if folder, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), prefix); ok {
			folders = append(folders, "/"+strings.TrimPrefix(folder, "/"))
		}
	}
	slices.Sort(folders)
	return folders
}
