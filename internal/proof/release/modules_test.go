package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A new module must be in the list of the workflow too.
func TestReleasedModules_RequiredOnesComeFirst(t *testing.T) {
	t.Chdir("../../..")
	modules, err := releasedModules()
	require.NoError(t, err)
	var folders []string
	for _, m := range modules {
		folders = append(folders, m.folder)
	}
	require.Equal(t, []string{"", "otelterminal49", "redisstore", "sqlstore", "mirror", "cmd"}, folders)
	workflow, err := os.ReadFile(".github/workflows/release.yml")
	require.NoError(t, err)
	for _, folder := range folders[1:] {
		require.Contains(t, string(workflow), " /"+folder)
	}
}

func TestInOrder_GoesByRequirements(t *testing.T) {
	a := ownModule{folder: "a", requires: []string{modulePath, modulePath + "/b"}}
	b := ownModule{folder: "b", requires: []string{modulePath}}
	core := ownModule{}
	require.Equal(t, []ownModule{core, b, a}, inOrder([]ownModule{a, b, core}))
}

func TestOwnModule_Names(t *testing.T) {
	require.Equal(t, modulePath, ownModule{}.path())
	require.Equal(t, "v0.2.0", ownModule{}.tag("v0.2.0"))
	require.Equal(t, "cmd/v0.2.0", ownModule{folder: "cmd"}.tag("v0.2.0"))
}

func TestSetVersions_InEveryFile(t *testing.T) {
	repository(t)
	require.NoError(t, setVersions("v0.2.0"))
	require.Equal(t, "package x\n\n// Version is.\nconst Version = \"0.2.0\"\n", content(t, "doc.go"))
	require.Equal(t, "module "+modulePath+"/sqlstore\n\nrequire "+modulePath+" v0.2.0\n\nrequire example.com/other v0.1.0 // indirect\n", content(t, "sqlstore/go.mod"))
	require.Equal(t, "# from v0.1.0 on\nT49_VERSION=0.2.0\nT49_API_TOKEN=\n", content(t, "deploy/env.example"))
	require.Equal(t, "T49_VERSION=0.2.0\n", content(t, "docs/install.md"))
	require.Contains(t, content(t, "go.work"), "replace "+modulePath+" v0.2.0 => .\n")
}

func TestSums_AreAddedAndRemoved(t *testing.T) {
	const others = "example.com/a v1.3.0 h1:a=\nexample.com/a v1.12.0 h1:b=\nhub.example.com/z v1.0.0 h1:z=\n" // Go's order
	with := withLines(others, []string{modulePath + " v0.2.0 h1:x=", modulePath + "/mirror v0.2.0/go.mod h1:y="})
	require.Equal(t, "example.com/a v1.3.0 h1:a=\nexample.com/a v1.12.0 h1:b=\n"+modulePath+" v0.2.0 h1:x=\n"+modulePath+"/mirror v0.2.0/go.mod h1:y=\nhub.example.com/z v1.0.0 h1:z=\n", with)
	require.Equal(t, others, withoutOwn(with))
	require.Equal(t, "example.com/a v1.0.0 h1:a=\n"+modulePath+" v0.2.0 h1:x=\n", withLines("example.com/a v1.0.0 h1:a=\n", []string{modulePath + " v0.2.0 h1:x="}))
}

// repository makes a small repository with two modules the folder of a test.
func repository(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"doc.go":             "package x\n\n// Version is.\nconst Version = \"0.1.0\"\n",
		"deploy/env.example": "# from v0.1.0 on\nT49_VERSION=0.1.0\nT49_API_TOKEN=\n",
		"docs/install.md":    "T49_VERSION=0.1.0\n",
		"go.mod":             "module " + modulePath + "\n",
		"go.work":            "go 1.26.0\n\nuse (\n\t.\n\t./sqlstore\n)\n\nreplace " + modulePath + " v0.1.0 => .\n",
		"sqlstore/go.mod":    "module " + modulePath + "/sqlstore\n\nrequire " + modulePath + " v0.1.0\n\nrequire example.com/other v0.1.0 // indirect\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for _, arguments := range []string{"init -q", "config user.name test", "config user.email test@example.com", "add --all", "commit -q -m first"} {
		_, err := output("git", strings.Fields(arguments)...)
		require.NoError(t, err)
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}
