package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a file or a folder of an archive or an image.
type file struct {
	name string
	mode fs.FileMode
	data []byte
	user int // that owns it; in images only
}

// within returns files in a folder.
func within(folder string, files []file) []file {
	files = slices.Clone(files)
	for i := range files {
		files[i].name = path.Join(folder, files[i].name)
	}
	return files
}

// pack returns an archive in the form that a system expects, and its suffix.
func pack(system string, files []file, at time.Time) (archive []byte, suffix string, err error) {
	if system == "windows" {
		archive, err = packZip(files, at)
		return archive, ".zip", err
	}
	archive, err = packTar(files, at)
	if err != nil {
		return nil, "", err
	}
	var packed bytes.Buffer
	compressor, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, "", err
	}
	if _, err = compressor.Write(archive); err != nil {
		return nil, "", err
	}
	err = compressor.Close()
	return packed.Bytes(), ".tar.gz", err
}

func packTar(files []file, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	writer := tar.NewWriter(&packed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: unixMode(f.mode), Size: int64(len(f.data)), ModTime: at, Uid: f.user, Gid: f.user, Format: tar.FormatPAX}
		header.Typeflag = tar.TypeReg
		if f.mode.IsDir() {
			header.Typeflag, header.Name = tar.TypeDir, f.name+"/"
		}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := writer.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return packed.Bytes(), err
}

// unixMode returns the permissions with the sticky bit.
func unixMode(mode fs.FileMode) int64 {
	bits := int64(mode.Perm())
	if mode&fs.ModeSticky != 0 {
		bits |= 0o1000
	}
	return bits
}

func packZip(files []file, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	writer := zip.NewWriter(&packed)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode)
		entry, err := writer.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return packed.Bytes(), err
}

// forSystem leaves out the manual where no program reads it.
func forSystem(system string, files []file) []file {
	if system != "windows" {
		return files
	}
	return slices.DeleteFunc(slices.Clone(files), func(f file) bool { return strings.HasPrefix(f.name, "man/") })
}
