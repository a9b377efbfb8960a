package main

import (
	"fmt"
	"os"
	"os/exec"
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

// checkLicences returns an error if go-licenses does not know a licence of what packages link on a
// platform, or if that licence forbids or restricts what we publish. It runs in the module in a
// folder. The texts are not those that it saves: it leaves out Go's own and, for example,
// LICENSE-3RD-PARTY.md of modernc.org/libc, and its report asks the network for addresses.
func (t tools) checkLicences(folder string, p platform, packages ...string) error {
	standard, err := output("go", "env", "GOROOT") // without it go-licenses takes every module for Go's own, and accepts it
	if err != nil {
		return err
	}
	command := t.command("go-licenses", append([]string{"check", "--disallowed_types=unknown,forbidden,restricted"}, packages...)...)
	command.Dir, command.Env = folder, append(command.Env, "GOROOT="+standard, "GOOS="+p.os, "GOARCH="+p.arch)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("licences of what the commands link on %s/%s: %w\n%s", p.os, p.arch, err, out)
	}
	return nil
}

// checkAllLicences checks the licences of all commands on all platforms.
func (r *release) checkAllLicences(platforms []platform) error {
	var packages []string
	for _, c := range commands {
		packages = append(packages, modulePath+"/cmd/"+c.name)
	}
	folder, err := r.consumer(packages)
	if err != nil {
		return err
	}
	for _, p := range platforms {
		if err := r.tools.checkLicences(folder, p, packages...); err != nil {
			return err
		}
	}
	return nil
}

// consumer returns the folder of a module that requires packages of this version, as a user's does.
func (r *release) consumer(packages []string) (string, error) {
	folder := filepath.Join(r.scratch, "licences")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	get := []string{"get"}
	for _, name := range packages {
		get = append(get, name+"@v"+r.version)
	}
	for _, arguments := range [][]string{{"mod", "init", "licences"}, get} {
		command := exec.Command("go", arguments...)
		command.Dir, command.Env = folder, append(os.Environ(), "GOFLAGS=-modcacherw", "GOSUMDB=off") // checkSums compares with go.sum
		if out, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, out)
		}
	}
	return folder, nil
}
