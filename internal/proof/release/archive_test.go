package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
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
