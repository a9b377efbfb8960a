package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/licensecheck"
	"golang.org/x/mod/module"
)

var licenceName = regexp.MustCompile(`(?i)^(.*[-_.])?(licen[sc]e|copying|copyright|notice|patents)([-_.].*)?$`)

// licences returns the licence texts of everything that a program links, in folders named like
// modules, and a list that says where each source is.
func licences(info *debug.BuildInfo) ([]file, error) {
	var files []file
	list := &strings.Builder{}
	fmt.Fprintf(list, "This program links the modules below, under the licences in these folders. The source of\neach is at the address.\n\n")
	standard, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := []licensed{{"std", strings.TrimPrefix(info.GoVersion, "go"), standard, "https://go.dev/dl/" + info.GoVersion + ".src.tar.gz"}}
	for _, dep := range info.Deps {
		one, err := licensedModule(dep)
		if err != nil {
			return nil, err
		}
		folders = append(folders, one)
	}
	for _, one := range folders {
		texts, err := one.texts()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(list, "%s %s (%s)\n  %s\n", one.name, one.version, strings.Join(names(texts), ", "), one.source)
		files = append(files, texts...)
	}
	return append(files, file{name: "licenses/README.txt", mode: 0o644, data: []byte(list.String())}), nil
}

// licensed is a folder of sources with licence texts.
type licensed struct{ name, version, folder, source string }

// licensedModule returns the folder of a module in the module cache.
func licensedModule(m *debug.Module) (licensed, error) {
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return licensed{}, err
	}
	version, err := module.EscapeVersion(m.Version)
	folder := filepath.Join(os.Getenv("GOMODCACHE"), escaped+"@"+version)
	return licensed{m.Path, m.Version, folder, "https://proxy.golang.org/" + escaped + "/@v/" + version + ".zip"}, err
}

// texts returns the licence texts. A module without one cannot be published.
func (l licensed) texts() (files []file, err error) {
	entries, err := os.ReadDir(l.folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if entry.IsDir() || !licenceName.MatchString(entry.Name()) || path.Ext(entry.Name()) == ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(l.folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: path.Join("licenses", l.name, entry.Name()), mode: 0o644, data: data})
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no licence text", l.folder)
	}
	return files, nil
}

// names returns the SPDX identifiers of licence texts, sorted. SPDX has none for a grant of
// patents.
func names(texts []file) (ids []string) {
	for _, text := range texts {
		for _, match := range licensecheck.Scan(text.data).Match {
			if !match.IsURL && match.ID != "GooglePatentsFile" {
				ids = append(ids, match.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
