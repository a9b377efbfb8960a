package main

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
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
