package setup

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

var (
	getLine     = regexp.MustCompile(`(?m)^go get github\.com/go-freight/terminal49\S*`)
	installLine = regexp.MustCompile(`(?m)^go install github\.com/go-freight/terminal49\S*`)
	inClone     = regexp.MustCompile(`(?m)in a clone: (go install \S+)$`)
	goBlock     = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```$")
	shBlock     = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
)

// pages returns the text of the pages that begin with commands.
func pages() string {
	paths, _ := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	var all strings.Builder
	for _, path := range append(paths, filepath.Join(root, "README.md"), filepath.Join(root, "AGENTS.md")) {
		text, _ := os.ReadFile(path) // without a page a program or module is missing
		all.Write(text)
	}
	return all.String()
}

// usesModules is a program that needs what a page gets with go get.
const usesModules = `package main

import (
	_ "github.com/go-freight/terminal49/mirror"
	_ "github.com/go-freight/terminal49/mirror/mcpserver"
	_ "github.com/go-freight/terminal49/otelterminal49"
	_ "github.com/go-freight/terminal49/redisstore"
	_ "github.com/go-freight/terminal49/sqlstore"
)

func main() {}
`

// once returns the lines, of which several pages have the same, each once.
func once(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

// newModule returns the commands that make a module with a program.
func newModule(name, program string) string {
	return "mkdir -p " + name + " && cat >" + name + "/main.go <<'END'\n" + program + "\nEND\n(cd " + name + " && go mod init example.com/" + name + ")\n"
}

// readme returns the whole program of README.md.
func readme() string {
	text, _ := os.ReadFile(filepath.Join(root, "README.md"))
	return goBlock.FindStringSubmatch(string(text))[1]
}

// installed returns the folder of the programs that the lines of the pages install, without a
// clone, from a module proxy that serves the work tree as the new version. That of README.md is
// among them. This newcomer has no C compiler, which no program needs: a release is built without
// one too, from the same versions, so that what one of both has compiled is in the other's cache.
func installed(t *testing.T) string {
	t.Helper()
	folder, err := install()
	require.NoError(t, err)
	return folder
}

var install = sync.OnceValues(func() (string, error) {
	script := "export CGO_ENABLED=0\n" + newModule("readme", readme()) + newModule("modules", usesModules)
	for _, line := range once(getLine.FindAllString(pages(), -1)) {
		module := "modules"
		if strings.HasSuffix(line, "/terminal49") {
			module = "readme"
		}
		script += "(cd " + module + " && " + line + ")\n"
	}
	script += "(cd readme && go install .) && (cd modules && go install .)\n" + strings.Join(once(installLine.FindAllString(pages(), -1)), "\n")
	return filepath.Join(scratch, "after", "bin"), newcomer("after", script, "bash", filepath.Join(root, ".ci/proxy"))
})

// newcomer runs commands in an empty folder, with an empty home. Programs are installed there.
func newcomer(name, script string, prefix ...string) error {
	folder := filepath.Join(scratch, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	args := append(prefix, "bash", "-euc", script)
	cmd := tool(args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+folder, "GOBIN="+filepath.Join(folder, "bin"), "T49_API_TOKEN=", "GOCACHE="+goEnv("GOCACHE"),
		"GOMODCACHE="+goEnv("GOMODCACHE"), "GOFLAGS=")
	return quiet(cmd)
}

func goEnv(name string) string {
	value, _ := tool("go", "env", name).Output() // go build fails without it
	return strings.TrimSpace(string(value))
}

// install.md names the version that a release has just made, which .ci/release writes.
func TestGuides_NameTheVersion(t *testing.T) {
	require.Contains(t, read(t, "docs/install.md"), "\nT49_VERSION="+terminal49.Version+"\n")
}

// The first commands of the pages work from v0.1.0 on.
func TestGuides_AfterTheFirstRelease(t *testing.T) {
	whole(t)
	folder := installed(t)
	for _, name := range commands {
		require.FileExists(t, filepath.Join(folder, name), "a page has a line that installs it")
	}
	require.Contains(t, run(t, command(t, simulator(t), filepath.Join(folder, "readme"))), "Ready for pickup.")
}

// They work before: the commands of install.md and what the others name, in a clone of the work
// tree, which replaces the repository. Its modules have no version there. What they depend on has
// been compiled for the other tests of the work tree: the same versions, with the same flags.
func TestGuides_BeforeTheFirstRelease(t *testing.T) {
	whole(t)
	if run(t, tool("git", "-C", root, "tag", "--list", "v*")) != "" {
		t.Skip("there is a release")
	}
	page := read(t, "docs/install.md")
	before := page[strings.Index(page, "\n## Until"):strings.Index(page, "\n## From")]
	script := `git config --global url."` + root + `".insteadOf https://github.com/go-freight/terminal49
go env -w GOPROXY="file://` + goEnv("GOMODCACHE") + `/cache/download,` + goEnv("GOPROXY") + `" GOPRIVATE=github.com/go-freight/terminal49
` + newModule("readme", readme()) + newModule("myprogram", usesModules) + "cd readme\n"
	for _, block := range shBlock.FindAllStringSubmatch(before, -1) {
		script += block[1]
		if strings.HasPrefix(block[1], "go get ") {
			script += "go install .\ncd ..\n"
		}
	}
	script += "go install .\ncd ../terminal49\nunset GOWORK\n"
	for _, line := range inClone.FindAllStringSubmatch(pages(), -1) {
		script += line[1] + "\n"
	}
	require.NoError(t, newcomer("before", script))
	for _, name := range append([]string{"readme", "myprogram"}, commands...) {
		require.FileExists(t, filepath.Join(scratch, "before", "bin", name))
	}
}
