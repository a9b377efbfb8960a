package main

import (
	"archive/zip"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// systemFiles are what a program expects of a system: certificates, time zones, the name of its
// user, a folder for temporary files, and one for data.
func systemFiles() ([]file, error) {
	files := []file{
		{name: "data", mode: fs.ModeDir | 0o700, user: nobody},
		{name: "tmp", mode: fs.ModeDir | fs.ModeSticky | 0o777},
		{name: "etc/passwd", mode: 0o644, data: fmt.Appendf(nil, "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:%d:%d:nonroot:/data:/sbin/nologin\n", nobody, nobody)},
		{name: "etc/group", mode: 0o644, data: fmt.Appendf(nil, "root:x:0:\nnonroot:x:%d:\n", nobody)},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: certificates()},
	}
	zones, err := timeZones()
	return append(files, zones...), err
}

// certificates returns Mozilla's roots. It leaves out those that Mozilla trusts with a condition,
// because a file of certificates cannot hold one.
func certificates() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes all
		}
	}
	return out.Bytes()
}

// timeZones returns Go's database of time zones, in the folder where programs look for it.
func timeZones() ([]file, error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	database, err := zip.OpenReader(filepath.Join(root, "lib", "time", "zoneinfo.zip"))
	if err != nil {
		return nil, err
	}
	defer database.Close() //nolint:errcheck // it was only read
	var files []file
	for _, zone := range database.File {
		if strings.HasSuffix(zone.Name, "/") {
			continue
		}
		data, err := read(zone)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "usr/share/zoneinfo/" + zone.Name, mode: 0o644, data: data})
	}
	return files, nil
}

func read(f *zip.File) ([]byte, error) {
	reader, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer reader.Close() //nolint:errcheck // it was only read
	return io.ReadAll(reader)
}
