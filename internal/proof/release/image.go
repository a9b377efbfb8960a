package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// registry is where images are published.
const registry = "ghcr.io/go-freight/"

// nobody is the user of an image. It has no name on most machines, and owns nothing but /data.
const nobody = 65532

// writeImage writes one image of a command for all its Linux programs, as an archive of the OCI's
// layout, which docker load, podman load, skopeo and crane read.
func (r *release) writeImage(c command, programs []*program) error {
	if len(programs) == 0 {
		return nil
	}
	system, err := systemFiles()
	if err != nil {
		return err
	}
	base, err := r.layer(system)
	if err != nil {
		return err
	}
	index := v1.ImageIndex(empty.Index)
	for _, p := range programs {
		image, err := r.image(p, base)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: p.os, Architecture: p.arch},
		}})
		if err := report(p, image); err != nil {
			return err
		}
	}
	index = mutate.IndexMediaType(index, types.OCIImageIndex)
	index = mutate.Annotations(index, r.labels(c)).(v1.ImageIndex)
	outer := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{Add: index, Descriptor: v1.Descriptor{
		Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": registry + c.name + ":" + r.version},
	}})
	folder := filepath.Join(r.scratch, c.name+"_image")
	if _, err := layout.Write(folder, outer); err != nil {
		return err
	}
	return r.writeLayout(c.name+"_"+r.version+"_image.tar", folder)
}

// writeLayout packs a folder in the form of the OCI's layout.
func (r *release) writeLayout(name, folder string) error {
	var files []file
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		f := file{name: path, mode: 0o644}
		if entry.IsDir() {
			f.mode = fs.ModeDir | 0o755
		} else if f.data, err = os.ReadFile(filepath.Join(folder, path)); err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return err
	}
	archive, err := packTar(files, r.time)
	if err != nil {
		return err
	}
	return r.write(name, archive)
}

// image returns the image of a program: what every program needs, then the program with licences.
func (r *release) image(p *program, base v1.Layer) (v1.Image, error) {
	files := append([]file{{name: p.name, mode: 0o755, data: p.data}}, within("usr/share/licenses/"+p.name, p.licences)...)
	for _, f := range r.root {
		if f.name == "LICENSE" {
			files = append(files, within("usr/share/licenses/"+p.name, []file{f})...)
		}
	}
	top, err := r.layer(files)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.AppendLayers(image, base, top); err != nil {
		return nil, err
	}
	config := v1.Config{
		User:       fmt.Sprintf("%d:%d", nobody, nobody),
		Entrypoint: []string{"/" + p.name},
		Env:        []string{"PATH=/"},
		WorkingDir: "/data",
		Labels:     r.labels(p.command),
	}
	if p.command.data { // SQLite and --demo need a folder that can be written
		config.Volumes = map[string]struct{}{"/data": {}}
		config.Env = append(config.Env, "TMPDIR=/data")
	}
	described, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	described = described.DeepCopy()
	described.Created, described.OS, described.Architecture, described.Config = v1.Time{Time: r.time}, p.os, p.arch, config
	for i, by := range []string{"certificates and time zones", p.name + " and licences"} {
		described.History[i] = v1.History{Created: v1.Time{Time: r.time}, CreatedBy: by}
	}
	return mutate.ConfigFile(image, described)
}

// layer returns a compressed layer.
func (r *release) layer(files []file) (v1.Layer, error) {
	data, err := packTar(files, r.time)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
		tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithMediaType(types.OCILayer))
}

// report prints how large an image is, as a registry keeps it and as a machine does.
func report(p *program, image v1.Image) error {
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	var packed, unpacked int64
	for _, layer := range layers {
		size, err := layer.Size()
		if err != nil {
			return err
		}
		content, err := layer.Uncompressed()
		if err != nil {
			return err
		}
		whole, err := io.Copy(io.Discard, content)
		if err != nil {
			return err
		}
		packed, unpacked = packed+size, unpacked+whole
	}
	fmt.Printf("image of %s for %s/%s: %.1f MB, unpacked %.1f MB\n", p.name, p.os, p.arch, float64(packed)/1e6, float64(unpacked)/1e6)
	return nil
}

// labels are the annotations that registries show.
func (r *release) labels(c command) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":         c.name,
		"org.opencontainers.image.description":   c.title,
		"org.opencontainers.image.version":       r.version,
		"org.opencontainers.image.revision":      r.revision,
		"org.opencontainers.image.created":       r.time.Format(time.RFC3339),
		"org.opencontainers.image.source":        "https://" + modulePath,
		"org.opencontainers.image.documentation": "https://" + modulePath + "/tree/v" + r.version + "/docs",
		"org.opencontainers.image.licenses":      "MIT",
	}
}
