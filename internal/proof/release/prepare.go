package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/go-freight/terminal49/internal/proof/timelimit"
)

// prepare makes a release in this repository and its files in dist. Until all of it is done, it
// works in another worktree, so that a failure changes nothing here. The flags are those of build.
func prepare(version string, flags []string) error {
	if err := checkVersion(version); err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // it is the system's folder for temporary files
	tree := filepath.Join(folder, "terminal49")
	if _, err := output("git", "worktree", "add", "--quiet", "--detach", tree); err != nil {
		return err
	}
	defer exec.Command("git", "-C", here, "worktree", "remove", "--force", tree).Run() //nolint:errcheck // it is only a copy
	if err := os.Chdir(tree); err != nil {
		return err
	}
	released, next, err := commitRelease(version, append([]string{"-o", filepath.Join(here, "dist")}, flags...))
	if err != nil {
		return err
	}
	if err := os.Chdir(here); err != nil {
		return err
	}
	return adopt(version, released, next)
}

// checkVersion returns what speaks against releasing the work tree as a version.
func checkVersion(version string) error {
	if semver.Canonical(version) != version {
		return fmt.Errorf("%q is not a version such as v0.2.0", version)
	}
	changed, err := output("git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the work tree has changes that are not committed; commit them or put them aside:\n%s", changed)
	}
	modules, err := releasedModules()
	if err != nil {
		return err
	}
	for _, m := range modules {
		found, err := output("git", "tag", "--list", m.tag(version))
		if err != nil {
			return err
		}
		if found != "" {
			return fmt.Errorf("there is a tag %s: a published version stays as it is; choose the next one", found)
		}
	}
	return checkNewer(version)
}

// checkNewer compares a version with the newest tag.
func checkNewer(version string) error {
	listed, err := output("git", "tag", "--list", "v*")
	if err != nil {
		return err
	}
	for tag := range strings.FieldsSeq(listed) {
		if semver.Compare(version, tag) < 0 {
			return fmt.Errorf("%s is older than %s, which is tagged", version, tag)
		}
	}
	return nil
}

// checkDemanded compares a version with the least that the promised surfaces allow.
func checkDemanded(version string) error {
	out, err := output("go", "run", "./internal/proof/compatibility/next")
	if err != nil {
		return err
	}
	fmt.Println(out)
	least, _, _ := strings.Cut(out, "\n")
	if semver.Compare(version, least) < 0 {
		return fmt.Errorf("%s is not enough: by what changed since the last release, the version must be %s or more", version, least)
	}
	return nil
}

// commitRelease commits the release in the worktree that it runs in, builds its files, and commits
// what the work after the release needs. It returns both commits.
func commitRelease(version string, flags []string) (released, next string, err error) {
	step := func(title string, do func() error) {
		if err == nil {
			fmt.Println("==", title)
			err = do()
		}
	}
	commit := func(into *string, message string) func() error {
		return func() (err error) {
			if _, err = output("git", "commit", "--quiet", "--all", "--message", message); err == nil {
				*into, err = output("git", "rev-parse", "HEAD")
			}
			return err
		}
	}
	step("what the comparison demands", func() error { return checkDemanded(version) })
	step("versions of all modules", func() error { return setVersions(version) })
	step("CHANGELOG.md", func() error { return cutChangelog(version) })
	step("migrations stay as they are", freeze)
	step("baselines of promised surfaces", writeBaselines)
	step("sums of the modules", func() error { return writeSums(version) })
	step("each module has all sums", checkComplete)
	step("commit", func() error { return run("git", "add", "--all") })
	step("commit of the release", commit(&released, "Release "+version))
	step("files", func() error { return buildServed(flags) })
	step("sums are removed", removeSums)
	step("commit for the work after it", commit(&next, "Modules name no sums of each other after "+version+
		"\n\nThe next change of a module makes its sum another. A release writes them."))
	return released, next, err
}

// writeBaselines writes what the release promises.
func writeBaselines() error {
	test := exec.Command("go", "test", "-C", "internal/proof/compatibility", timelimit.Flag, "-update", ".")
	test.Env = append(os.Environ(), "T49_ENGINES=required")
	out, err := test.CombinedOutput()
	if err != nil {
		return timelimit.Explain("the baselines could not be written", out, err)
	}
	fmt.Printf("%s", out)
	return nil
}

func cutChangelog(version string) error {
	var failed error
	err := edit("CHANGELOG.md", func(text string) string {
		after, err := cut(text, version, time.Now().UTC())
		failed = err
		return after
	})
	return errors.Join(failed, err)
}

// freeze writes the hashes of the mirror's migrations, in the form of sha256sum.
func freeze() error {
	const folder = "mirror/internal/schema/migrations"
	var sums bytes.Buffer
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".sql" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		return err
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll("mirror/testdata", 0o755); err != nil {
		return err
	}
	return os.WriteFile("mirror/testdata/released.sha256", sums.Bytes(), 0o644)
}

// buildServed builds from the modules as .ci/proxy serves them.
func buildServed(flags []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return run("bash", append([]string{".ci/proxy", program, "build"}, flags...)...)
}

// adopt moves the branch to the commit after the release, and tags the release.
func adopt(version, released, next string) error {
	if _, err := output("git", "merge", "--quiet", "--ff-only", next); err != nil {
		return err
	}
	modules, err := releasedModules()
	if err != nil {
		return err
	}
	for _, m := range modules {
		tag := m.tag(version)
		if _, err := output("git", "tag", "--annotate", "--message", tag, tag, released); err != nil {
			return err
		}
	}
	fmt.Printf("\n%s is commit %.12s with %d tags, and its files are in dist. Nothing was pushed; this pushes it:\n  bash .ci/release push\n", version, released, len(modules))
	return nil
}

// push pushes the branch and the tags of the newest release. The tag of the core comes last and
// alone, because GitHub starts no workflow for more than three tags at once.
func push() error {
	version, err := treeVersion()
	if err != nil {
		return err
	}
	modules, err := releasedModules()
	if err != nil {
		return err
	}
	arguments, core := []string{"push", "--atomic", "origin", "HEAD:main"}, "refs/tags/v"+version
	for _, m := range modules {
		if tag := "refs/tags/" + m.tag("v"+version); tag != core {
			arguments = append(arguments, tag)
		}
	}
	if err := run("git", arguments...); err != nil {
		return err
	}
	return run("git", "push", "origin", core)
}

// run runs a program that prints for itself.
func run(name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
