package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLicensed_Texts(t *testing.T) {
	mit, err := os.ReadFile("../../../LICENSE")
	require.NoError(t, err)
	folder := t.TempDir()
	none := licensed{name: "example.com/m", folder: folder}
	_, err = none.texts()
	require.ErrorContains(t, err, "has no licence text")
	for _, name := range []string{"LICENSE-MIT", "NOTICE.txt", "license.go", "README.md"} {
		require.NoError(t, os.WriteFile(folder+"/"+name, mit, 0o600))
	}
	texts, err := none.texts()
	require.NoError(t, err)
	require.Len(t, texts, 2)
	require.Equal(t, "licenses/example.com/m/LICENSE-MIT", texts[0].name)
	require.Equal(t, "licenses/example.com/m/NOTICE.txt", texts[1].name)
	require.Equal(t, []string{"MIT"}, names(texts))
}

func TestCheckLicences_RefusesUnknownAndRestrictiveOnes(t *testing.T) {
	t.Chdir("../../..")
	built, err := buildTools(t.TempDir())
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(folder+"/go.mod", []byte("module example.com/program\n\ngo 1.26.0\n"), 0o600))
	require.NoError(t, os.WriteFile(folder+"/main.go", []byte("package main\n\nfunc main() {}\n"), 0o600))
	require.ErrorContains(t, built.checkLicences(folder, host, "."), "example.com/program")
	require.NoError(t, os.WriteFile(folder+"/LICENSE", []byte("All rights reserved.\n"), 0o600))
	require.ErrorContains(t, built.checkLicences(folder, host, "."), "example.com/program")

	known, err := output("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/licenseclassifier/v2")
	require.NoError(t, err)
	for _, id := range []string{"AGPL-3.0", "GPL-2.0"} {
		text, err := os.ReadFile(filepath.Join(known, "assets", "License", id, "license.txt"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(folder+"/LICENSE", text, 0o600))
		require.ErrorContains(t, built.checkLicences(folder, host, "."), id)
	}
	require.NoError(t, os.WriteFile(folder+"/LICENSE", []byte(content(t, "LICENSE")), 0o600))
	require.NoError(t, built.checkLicences(folder, platform{"windows", "arm64"}, "."))
}
