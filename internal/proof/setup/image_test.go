package setup

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// released returns the folder of the archives and images of the work tree, for this system.
func released(t *testing.T) string {
	t.Helper()
	folder, err := release()
	require.NoError(t, err)
	return folder
}

var release = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(scratch, "dist")
	return folder, quiet(tool("bash", filepath.Join(root, ".ci/release"), "build", "-o", folder, "-platforms", "linux/amd64"))
})

// image is what a container engine reads of an image.
type image struct {
	root   string // the folder of its files
	config struct {
		User            string
		Env, Entrypoint []string
		Volumes         map[string]struct{}
	}
}

// descriptor is a part of an image in the layout of the Open Container Initiative.
type descriptor struct {
	MediaType, Digest string
	Manifests, Layers []descriptor
	Config            json.RawMessage
}

// unpackImage unpacks the layers of an image.
func unpackImage(t *testing.T, name string) (i image) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(released(t), name+"_*_image.tar"))
	require.NoError(t, err)
	require.Len(t, archives, 1)
	layout := t.TempDir()
	run(t, tool("tar", "-xf", archives[0], "-C", layout))
	parse := func(path string, to any) {
		text, err := os.ReadFile(filepath.Join(layout, path))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, to))
	}
	blob := func(digest string) string { return filepath.Join("blobs", strings.ReplaceAll(digest, ":", "/")) }
	manifest := descriptor{}
	for parse("index.json", &manifest); len(manifest.Manifests) > 0; {
		require.Len(t, manifest.Manifests, 1)
		next := blob(manifest.Manifests[0].Digest)
		manifest = descriptor{}
		parse(next, &manifest)
	}
	i.root = t.TempDir()
	require.NoError(t, os.Chmod(i.root, 0o755))
	for _, layer := range manifest.Layers {
		run(t, tool("tar", "--same-owner", "-xzpf", filepath.Join(layout, blob(layer.Digest)), "-C", i.root))
	}
	var config descriptor
	require.NoError(t, json.Unmarshal(manifest.Config, &config))
	parse(blob(config.Digest), &struct{ Config any }{&i.config})
	return i
}

// contained returns the command of an image as a container engine runs it with --read-only: with
// the image's files and environment alone, as its user, and with empty volumes.
func contained(t *testing.T, name string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	i := unpackImage(t, name)
	require.Equal(t, "65532:65532", i.config.User)
	script := `mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; `
	for volume := range i.config.Volumes {
		script += `mount -t tmpfs -o uid=65532,gid=65532,mode=0700 tmpfs "$1` + volume + `"; `
	}
	chroot, err := exec.LookPath("chroot")
	require.NoError(t, err)
	return tool("unshare", slices.Concat(
		[]string{"--mount", "bash", "-euc", script + `shift; exec env --ignore-environment "$@"`, "bash", i.root},
		i.config.Env, env, []string{chroot, "--userspec=" + i.config.User, i.root}, i.config.Entrypoint, args)...)
}
