package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckVersion_Refuses(t *testing.T) {
	repository(t)
	require.NoError(t, checkVersion("v0.1.0"))
	for _, version := range []string{"v0.2", "v0.2.0.1", "version"} {
		require.ErrorContains(t, checkVersion(version), "is not a version such as v0.2.0")
	}
	_, err := output("git", "tag", "sqlstore/v0.1.0")
	require.NoError(t, err)
	require.ErrorContains(t, checkVersion("v0.1.0"), "there is a tag sqlstore/v0.1.0")
	_, err = output("git", "tag", "v0.1.0")
	require.NoError(t, err)
	require.ErrorContains(t, checkVersion("v0.0.9"), "v0.0.9 is older than v0.1.0")
	require.NoError(t, checkVersion("v0.2.0"))
	require.NoError(t, os.WriteFile("new.go", nil, 0o600))
	require.ErrorContains(t, checkVersion("v0.2.0"), "new.go")
}

func TestExecute_RefusesWhatItDoesNotKnow(t *testing.T) {
	repository(t)
	require.ErrorContains(t, execute(nil), "usage: bash .ci/release VERSION")
	require.ErrorContains(t, execute([]string{"0.2.0"}), `"0.2.0" is neither a version such as v0.2.0 nor a command`)
	require.ErrorContains(t, execute([]string{"push", "now"}), "push takes no further argument")
	require.ErrorContains(t, execute([]string{"build", "-platforms", "plan9/amd64"}), `-platforms: "plan9/amd64" is not one of linux/amd64`)
	require.ErrorContains(t, execute([]string{"build"}), "the modules must be served by .ci/proxy")
}

func TestFreeze_IsWhatSha256sumWrites(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("mirror/internal/schema/migrations/sqlite", 0o755))
	require.NoError(t, os.WriteFile("mirror/internal/schema/migrations/sqlite/0001.sql", []byte("abc"), 0o600))
	require.NoError(t, freeze())
	// FIPS 180-2, B.1: the hash of "abc".
	require.Equal(t, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  sqlite/0001.sql\n", content(t, "mirror/testdata/released.sha256"))
}

func TestCut_NewestSection(t *testing.T) {
	const text = "# Changelog\n\n## Unreleased\n\nNot released yet. News.\n\n## v0.1.0\n\n2026-11-01. Old.\n"
	after, err := cut(text, "v0.2.0", day)
	require.NoError(t, err)
	require.Equal(t, "# Changelog\n\n## v0.2.0\n\n2026-11-26. News.\n\n## v0.1.0\n\n2026-11-01. Old.\n", after)
	_, err = cut(after, "v0.3.0", day)
	require.ErrorContains(t, err, `must say "Not released yet"`)
	_, err = cut("## v0.2.0\n\nNot released yet.\n", "v0.3.0", day)
	require.ErrorContains(t, err, `must be "## Unreleased" or "## v0.3.0"`)
	_, section, err := newestSection(after)
	require.NoError(t, err)
	require.Equal(t, "\n2026-11-26. News.\n\n", section)
}

func TestCompareFolders_NamesWhatDiffers(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, folder := range []string{first, second} {
		require.NoError(t, os.WriteFile(folder+"/equal", []byte("a"), 0o600))
		require.NoError(t, os.WriteFile(folder+"/other", []byte(folder), 0o600))
	}
	require.EqualError(t, compareFolders(first, second), "other is not equal in both builds")
	require.NoError(t, os.Remove(second+"/other"))
	require.Error(t, compareFolders(first, second))
	require.NoError(t, os.Remove(first+"/other"))
	require.NoError(t, compareFolders(first, second))
}

func TestEmptied_OnlyOfARelease(t *testing.T) {
	folder := t.TempDir() + "/dist"
	require.NoError(t, emptied(folder))
	for _, name := range []string{"checksums.txt", "t49_0.1.0_linux_amd64.tar.gz", "terminal49-mirror_0.1.0_image.tar", "t49_0.1.0_windows_arm64.zip.sbom.json"} {
		require.NoError(t, os.WriteFile(folder+"/"+name, nil, 0o600))
	}
	require.NoError(t, emptied(folder))
	require.NoFileExists(t, folder+"/checksums.txt")
	require.NoError(t, os.WriteFile(folder+"/thesis.txt", nil, 0o600))
	require.ErrorContains(t, emptied(folder), "contains thesis.txt, which is not of a release: choose another folder")
	require.FileExists(t, folder+"/thesis.txt")
}
