package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// command is a program that users install.
type command struct {
	name  string
	title string // of its image
	data  bool   // it keeps a database in a volume
}

var commands = []command{
	{"t49", "Track ocean shipments and containers with Terminal49", false},
	{"terminal49-mirror", "Keep a copy of a Terminal49 account in a database, and show it", true},
}

// release is what all files of a version have in common.
type release struct {
	into     string
	version  string    // without v
	time     time.Time // of every file
	revision string    // the commit, with -dirty if the work tree differs
	scratch  string
	tools    tools
	root     []file // README.md and the like
}

// build writes archives, their lists of contents, images and checksums into a folder.
func build(into string, platforms []platform) error {
	r, err := newRelease(into)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.scratch) //nolint:errcheck // it is the system's folder for temporary files
	if err := r.checkAllLicences(platforms); err != nil {
		return err
	}
	for _, c := range commands {
		if err := r.buildCommand(c, platforms); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return r.writeChecksums()
}

func newRelease(into string) (*release, error) {
	if os.Getenv("GOWORK") != "off" || !strings.HasPrefix(os.Getenv("GOPROXY"), "file://") {
		return nil, fmt.Errorf("the modules must be served by .ci/proxy: run bash .ci/release build")
	}
	version, err := treeVersion()
	if err != nil {
		return nil, err
	}
	at, err := commitTime()
	if err != nil {
		return nil, err
	}
	revision, err := output("git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")
	if err != nil {
		return nil, err
	}
	r := &release{into: into, version: version, time: at, revision: revision}
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		r.root = append(r.root, file{name: name, mode: 0o644, data: data})
	}
	if err := emptied(into); err != nil {
		return nil, err
	}
	if r.scratch, err = os.MkdirTemp("", "release"); err != nil {
		return nil, err
	}
	r.tools, err = buildTools(filepath.Join(r.scratch, "tools"))
	return r, err
}

// emptied makes an empty folder, of one with the files of a release too, but of no other.
func emptied(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	isRelease := func(entry fs.DirEntry) bool { return releaseFile.MatchString(entry.Name()) }
	if other := slices.IndexFunc(entries, func(entry fs.DirEntry) bool { return !isRelease(entry) }); other >= 0 {
		return fmt.Errorf("-o: %s contains %s, which is not of a release: choose another folder", folder, entries[other].Name())
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.MkdirAll(folder, 0o755)
}

var releaseFile = regexp.MustCompile(`^(checksums\.txt|(t49|terminal49-\w+)_[^/]+\.(tar|tar\.gz|zip|sbom\.json))$`)

// buildCommand writes the archives of a command and its image.
func (r *release) buildCommand(c command, platforms []platform) error {
	here, err := r.compile(c, host)
	if err != nil {
		return err
	}
	manual, err := r.manual(here)
	if err != nil {
		return err
	}
	var programs []*program
	for _, p := range platforms {
		built := here
		if p != host {
			if built, err = r.compile(c, p); err != nil {
				return err
			}
		}
		if err := r.writeArchive(built, manual); err != nil {
			return err
		}
		if p.os == "linux" {
			programs = append(programs, built)
		}
	}
	return r.writeImage(c, programs)
}

// writeArchive writes the archive of a program, and the list of what it is made of.
func (r *release) writeArchive(p *program, manual []file) error {
	name := fmt.Sprintf("%s_%s_%s_%s", p.name, r.version, p.os, p.arch)
	files := slices.Concat([]file{{name: p.fileName(), mode: 0o755, data: p.data}}, r.root, p.licences, forSystem(p.os, manual))
	archive, suffix, err := pack(p.os, within(name, files), r.time)
	if err != nil {
		return err
	}
	if err := r.write(name+suffix, archive); err != nil {
		return err
	}
	materials, err := r.materials(p)
	if err != nil {
		return err
	}
	return r.write(name+suffix+".sbom.json", materials)
}

func (r *release) write(name string, data []byte) error {
	fmt.Printf("%9d %s\n", len(data), name)
	return os.WriteFile(filepath.Join(r.into, name), data, 0o644)
}

// writeChecksums writes checksums.txt, which sha256sum -c reads.
func (r *release) writeChecksums() error {
	entries, err := os.ReadDir(r.into)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(r.into, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), entry.Name())
	}
	return r.write("checksums.txt", []byte(sums.String()))
}
