package main

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

func TestImage_OfTheMirror(t *testing.T) {
	r := &release{version: "1.2.3", time: day, revision: "9857e2b", root: []file{{name: "LICENSE", mode: 0o644, data: []byte("MIT")}}}
	p := &program{command: command{"terminal49-mirror", "Keep a copy", true}, platform: platform{"linux", "arm64"}, data: []byte("program")}
	system, err := systemFiles()
	require.NoError(t, err)
	base, err := r.layer(system)
	require.NoError(t, err)
	image, err := r.image(p, base)
	require.NoError(t, err)

	config, err := image.ConfigFile()
	require.NoError(t, err)
	require.Equal(t, "linux/arm64", config.Platform().String())
	require.Equal(t, "65532:65532", config.Config.User)
	require.Equal(t, []string{"/terminal49-mirror"}, config.Config.Entrypoint)
	require.Contains(t, config.Config.Volumes, "/data")
	require.Equal(t, "https://github.com/go-freight/terminal49", config.Config.Labels["org.opencontainers.image.source"])
	require.Equal(t, "1.2.3", config.Config.Labels["org.opencontainers.image.version"])
	require.True(t, config.Created.Equal(day))

	headers := contents(t, image)
	require.Equal(t, fs.FileMode(0o755), headers["terminal49-mirror"].FileInfo().Mode())
	require.Equal(t, nobody, headers["data/"].Uid)
	require.Equal(t, fs.ModeDir|fs.ModeSticky|0o777, headers["tmp/"].FileInfo().Mode())
	for _, name := range []string{"etc/ssl/certs/ca-certificates.crt", "usr/share/zoneinfo/America/Los_Angeles", "etc/passwd", "usr/share/licenses/terminal49-mirror/LICENSE"} {
		require.Contains(t, headers, name)
		require.Positive(t, headers[name].Size, name)
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		require.True(t, headers[name].ModTime.Equal(day), name)
	}
}

// The layout is read by the library of the registries' tools, which checks every digest and size.
func TestWriteImage_ForTwoArchitectures(t *testing.T) {
	r := &release{into: t.TempDir(), scratch: t.TempDir(), version: "1.2.3", time: day}
	c := command{name: "t49", title: "Track"}
	var programs []*program
	for _, arch := range []string{"amd64", "arm64"} {
		programs = append(programs, &program{command: c, platform: platform{"linux", arch}, data: []byte(arch)})
	}
	require.NoError(t, r.writeImage(c, programs))

	folder := t.TempDir()
	unpack(t, filepath.Join(r.into, "t49_1.2.3_image.tar"), folder)
	outer, err := layout.ImageIndexFromPath(folder)
	require.NoError(t, err)
	require.NoError(t, validate.Index(outer))
	manifest, err := outer.IndexManifest()
	require.NoError(t, err)
	require.Equal(t, "ghcr.io/go-freight/t49:1.2.3", manifest.Manifests[0].Annotations["io.containerd.image.name"])
	index, err := outer.ImageIndex(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	manifest, err = index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 2)
	require.Equal(t, "linux/amd64", manifest.Manifests[0].Platform.String())
	require.Equal(t, "linux/arm64", manifest.Manifests[1].Platform.String())
}

// unpack writes the files of an archive into a folder.
func unpack(t *testing.T, archive, folder string) {
	t.Helper()
	file, err := os.Open(archive)
	require.NoError(t, err)
	defer file.Close() //nolint:errcheck // it was read
	for reader := tar.NewReader(file); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(header.Name), header.Name)
		path := filepath.Join(folder, header.Name)
		if header.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.Equal(t, byte(tar.TypeReg), header.Typeflag, header.Name)
		data, err := io.ReadAll(reader)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
}

// contents returns the entries of all layers.
func contents(t *testing.T, image v1.Image) map[string]*tar.Header {
	t.Helper()
	headers := map[string]*tar.Header{}
	layers, err := image.Layers()
	require.NoError(t, err)
	for _, layer := range layers {
		content, err := layer.Uncompressed()
		require.NoError(t, err)
		reader := tar.NewReader(content)
		for {
			header, err := reader.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			headers[header.Name] = header
		}
		require.NoError(t, content.Close())
	}
	return headers
}
