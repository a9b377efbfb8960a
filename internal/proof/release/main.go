// Release makes a release: one version of all modules, and the files that users download. It works
// without a network if the module cache is filled, and pushes only what push says.
//
//	bash .ci/release v0.2.0     # a commit, the tags of all modules, and dist/; nothing is pushed
//	bash .ci/release build      # only dist/, from the work tree at the version that it has
//	bash .ci/release compare    # builds linux/amd64 twice; fails if a byte differs
//	bash .ci/release notes      # the newest section of CHANGELOG.md: the text of the release
//	bash .ci/release push       # pushes the branch and the tags
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := execute(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

const usage = "usage: bash .ci/release VERSION [-platforms LIST] | build [-platforms LIST] [-o FOLDER] | compare | notes | push"

// execute runs a subcommand in the root folder of the repository.
func execute(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("it needs an argument\n%s", usage)
	}
	name, rest := args[0], args[1:]
	switch {
	case name == "build":
		return runBuild(rest)
	case strings.HasPrefix(name, "v"):
		return prepare(name, rest)
	case len(rest) > 0:
		return fmt.Errorf("%s takes no further argument; it got %q", name, rest)
	case name == "compare":
		return compareBuilds()
	case name == "notes":
		return printNotes(os.Stdout)
	case name == "push":
		return push()
	}
	return fmt.Errorf("%q is neither a version such as v0.2.0 nor a command\n%s", name, usage)
}

// runBuild builds what its flags select.
func runBuild(args []string) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	into := flags.String("o", "dist", "`folder` to write into; the files of a release in it are replaced")
	selected := flags.String("platforms", strings.Join(allPlatforms, ","), "`list` of systems and architectures")
	if err := flags.Parse(args); err != nil {
		return err
	}
	platforms, err := parsePlatforms(*selected)
	if err != nil {
		return err
	}
	return build(*into, platforms)
}
