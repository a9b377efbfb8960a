package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// ownModule is a module of this repository that users get.
type ownModule struct {
	folder   string // "" for the core
	requires []string
}

func (m ownModule) path() string { return path.Join(modulePath, m.folder) }

func (m ownModule) tag(version string) string { return path.Join(m.folder, version) }

// releasedModules returns the modules that users get, each after those that it requires.
func releasedModules() ([]ownModule, error) {
	data, err := os.ReadFile("go.work")
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, err
	}
	var modules []ownModule
	for _, use := range work.Use {
		folder := strings.TrimPrefix(path.Clean(use.Path), ".")
		if folder == "examples" || strings.HasPrefix(folder, "internal/") {
			continue
		}
		m := ownModule{folder: folder}
		if m.requires, err = ownRequirements(folder); err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return inOrder(modules), nil
}

// inOrder sorts modules by what they require. Modules that wait for nothing go by their names.
func inOrder(modules []ownModule) (sorted []ownModule) {
	slices.SortFunc(modules, func(a, b ownModule) int { return strings.Compare(a.folder, b.folder) })
	has := func(required string) bool {
		return slices.ContainsFunc(sorted, func(m ownModule) bool { return m.path() == required })
	}
	for len(modules) > 0 {
		next := slices.IndexFunc(modules, func(m ownModule) bool {
			return !slices.ContainsFunc(m.requires, func(required string) bool { return !has(required) })
		})
		next = max(next, 0) // Go refuses modules that require each other
		sorted = append(sorted, modules[next])
		modules = slices.Delete(modules, next, next+1)
	}
	return sorted
}

// ownRequirements returns the modules of this repository that the go.mod in a folder requires.
func ownRequirements(folder string) (paths []string, err error) {
	name := filepath.Join(folder, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return nil, err
	}
	for _, required := range file.Require {
		if isOwn(required.Mod.Path) {
			paths = append(paths, required.Mod.Path)
		}
	}
	return paths, nil
}

var ownVersion = regexp.MustCompile(`(` + regexp.QuoteMeta(modulePath) + `(?:/\S+)?) v\d\S*`)

// downloads are the files that name the version that users download.
var downloads = []string{"deploy/env.example", "docs/install.md"}

var downloadLine = regexp.MustCompile(`(?m)^(T49_VERSION=).*$`)

// setVersions writes a version, such as v0.2.0, into doc.go, go.work, every go.mod and downloads.
func setVersions(version string) error {
	listed, err := output("git", "ls-files", "--", "go.work", "go.mod", "*/go.mod")
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(listed) {
		if err := edit(name, func(text string) string { return ownVersion.ReplaceAllString(text, "$1 "+version) }); err != nil {
			return err
		}
	}
	for _, name := range downloads {
		if err := edit(name, func(text string) string {
			return downloadLine.ReplaceAllString(text, "${1}"+strings.TrimPrefix(version, "v"))
		}); err != nil {
			return err
		}
	}
	constant := fmt.Sprintf("const Version = %q", strings.TrimPrefix(version, "v"))
	return edit("doc.go", func(text string) string { return versionLine.ReplaceAllString(text, constant) })
}

// writeSums adds to each go.sum of a released module the sums of the modules of this repository.
// The sum of a module covers its go.sum, so that each is served again with what was written before.
func writeSums(version string) error {
	modules, err := releasedModules()
	if err != nil {
		return err
	}
	for _, m := range modules {
		if len(m.requires) == 0 {
			continue
		}
		lines, err := servedSums(m.requires, version)
		if err != nil {
			return err
		}
		if err := edit(filepath.Join(m.folder, "go.sum"), func(text string) string { return withLines(withoutOwn(text), lines) }); err != nil {
			return err
		}
	}
	return nil
}

// servedSums returns the lines of a go.sum for modules as .ci/proxy serves them.
func servedSums(paths []string, version string) (lines []string, err error) {
	arguments := []string{".ci/proxy", "go", "mod", "download", "-json"}
	for _, one := range paths {
		arguments = append(arguments, one+"@"+version)
	}
	out, err := output("bash", arguments...)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(strings.NewReader(out)); decoder.More(); {
		var module struct{ Path, Version, Sum, GoModSum string }
		if err := decoder.Decode(&module); err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", module.Path, module.Version, module.Sum), fmt.Sprintf("%s %s/go.mod %s", module.Path, module.Version, module.GoModSum))
	}
	return lines, nil
}

// withLines returns the text of a go.sum with the lines of modules of this repository at their
// place.
func withLines(text string, lines []string) string {
	slices.Sort(lines)
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	place := slices.IndexFunc(all, func(line string) bool { return line > modulePath })
	if place < 0 {
		place = len(all)
	}
	return strings.Join(slices.Insert(all, place, lines...), "\n") + "\n"
}

// checkComplete has Go load every package and test of each released module with the sums of its own
// go.sum, as in a folder that was downloaded.
func checkComplete() error {
	modules, err := releasedModules()
	if err != nil {
		return err
	}
	script := "set -e"
	for _, m := range modules {
		script += "\ngo list -C ./" + m.folder + " -mod=readonly -deps -test ./... >/dev/null"
	}
	return run("bash", ".ci/proxy", "bash", "-c", script)
}

var ownSum = regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(modulePath) + `[ /].*\n`)

// withoutOwn returns the text of a go.sum without the modules of this repository.
func withoutOwn(text string) string { return ownSum.ReplaceAllString(text, "") }

// removeSums takes away what writeSums wrote: the next change makes it wrong.
func removeSums() error {
	modules, err := releasedModules()
	if err != nil {
		return err
	}
	for _, m := range modules {
		if err := edit(filepath.Join(m.folder, "go.sum"), withoutOwn); err != nil {
			return err
		}
	}
	return nil
}

// edit replaces the text of a file.
func edit(name string, change func(string) string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(change(string(data))), 0o644)
}
