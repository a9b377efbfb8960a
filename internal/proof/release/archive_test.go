package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	day    = time.Date(2026, 11, 26, 5, 54, 31, 0, time.UTC)
	sample = within("t49_1.2.3", []file{{name: "t49", mode: 0o755, data: []byte("program")}, {name: "man/man1/t49.1", mode: 0o644, data: []byte("page")}})
)

func TestPack_Tar(t *testing.T) {
	archive, suffix, err := pack("linux", sample, day)
	require.NoError(t, err)
	require.Equal(t, ".tar.gz", suffix)
	again, _, err := pack("linux", sample, day)
	require.NoError(t, err)
	require.Equal(t, archive, again)
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	require.NoError(t, err)
	reader := tar.NewReader(unzipped)
	for _, want := range sample {
		header, err := reader.Next()
		require.NoError(t, err)
		require.Equal(t, want.name, header.Name)
		require.Equal(t, want.mode, header.FileInfo().Mode())
		require.True(t, header.ModTime.Equal(day))
		data, err := io.ReadAll(reader)
		require.NoError(t, err)
		require.Equal(t, want.data, data)
	}
}

func TestPack_Zip(t *testing.T) {
	archive, suffix, err := pack("windows", sample, day)
	require.NoError(t, err)
	require.Equal(t, ".zip", suffix)
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	require.NoError(t, err)
	require.Len(t, reader.File, len(sample))
	for i, want := range sample {
		require.Equal(t, want.name, reader.File[i].Name)
		require.True(t, reader.File[i].Modified.Equal(day))
		data, err := read(reader.File[i])
		require.NoError(t, err)
		require.Equal(t, want.data, data)
	}
}

func TestPack_FoldersKeepTheirMode(t *testing.T) {
	archive, err := packTar([]file{{name: "tmp", mode: fs.ModeDir | fs.ModeSticky | 0o777}, {name: "data", mode: fs.ModeDir | 0o700, user: nobody}}, day)
	require.NoError(t, err)
	reader := tar.NewReader(bytes.NewReader(archive))
	header, err := reader.Next()
	require.NoError(t, err)
	require.Equal(t, fs.ModeDir|fs.ModeSticky|0o777, header.FileInfo().Mode())
	header, err = reader.Next()
	require.NoError(t, err)
	require.Equal(t, nobody, header.Uid)
}

func TestForSystem_WindowsHasNoManual(t *testing.T) {
	files := []file{{name: "man/man1/t49.1"}, {name: "completions/t49.ps1"}}
	require.Equal(t, files, forSystem("darwin", files))
	require.Equal(t, files[1:], forSystem("windows", files))
}

// What a user and a scanner read of an archive: the program is that of this test.
func TestWriteArchive_ListsAndLicensesWhatIsLinked(t *testing.T) {
	t.Chdir("../../..")
	p := thisProgram(t)
	built, err := buildTools(t.TempDir())
	require.NoError(t, err)
	r := &release{into: t.TempDir(), version: "1.2.3", time: day, tools: built}
	require.NoError(t, r.writeArchive(p, nil))
	name := fmt.Sprintf("t49_1.2.3_%s_%s", p.os, p.arch)
	listed, materials := listedModules(t, r.into+"/"+name+".tar.gz.sbom.json")
	require.Contains(t, materials, fmt.Sprintf("%x", sha256.Sum256(p.data)))
	packed := strings.Join(packedFiles(t, r.into+"/"+name+".tar.gz"), "\n")
	require.Contains(t, packed, name+"/licenses/std/LICENSE")
	require.Contains(t, strings.Join(listed, "\n"), "std ")
	require.NotEmpty(t, p.info.Deps)
	for _, linked := range p.info.Deps {
		require.Contains(t, listed, linked.Path+" "+linked.Version)
		require.Regexp(t, "(?im)^"+name+"/licenses/"+linked.Path+"/.*licen[sc]e", packed)
	}
}

// thisProgram returns the program of this test, as if it were a command.
func thisProgram(t *testing.T) *program {
	t.Helper()
	cache, err := output("go", "env", "GOMODCACHE")
	require.NoError(t, err)
	t.Setenv("GOMODCACHE", cache)
	p := &program{command: commands[0], platform: platform{"linux", "amd64"}}
	p.path, err = os.Executable()
	require.NoError(t, err)
	p.data, err = os.ReadFile(p.path)
	require.NoError(t, err)
	p.info, err = buildinfo.ReadFile(p.path)
	require.NoError(t, err)
	p.licences, err = licences(p.info)
	require.NoError(t, err)
	return p
}

// listedModules returns the modules of a bill of materials with their versions, and its text.
func listedModules(t *testing.T, name string) (listed []string, text string) {
	t.Helper()
	text = content(t, name)
	var read struct {
		Components []struct{ Name, Version string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	for _, component := range read.Components {
		listed = append(listed, component.Name+" "+component.Version)
	}
	return listed, text
}

// packedFiles returns the names of the files of an archive.
func packedFiles(t *testing.T, name string) (names []string) {
	t.Helper()
	unzipped, err := gzip.NewReader(strings.NewReader(content(t, name)))
	require.NoError(t, err)
	reader := tar.NewReader(unzipped)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		require.NoError(t, err)
		names = append(names, header.Name)
	}
}
