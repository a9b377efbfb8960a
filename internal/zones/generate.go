//go:build ignore

// Generate packs the time zone database of the Go distribution into zones.bin.
package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	database, err := zip.OpenReader(filepath.Join(runtime.GOROOT(), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		log.Fatal(err)
	}
	defer database.Close()
	names := map[string][]string{} // by the data that they share
	for _, f := range database.File {
		if !strings.HasSuffix(f.Name, "/") {
			data := read(f)
			names[data] = append(names[data], f.Name)
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	for _, data := range slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Compare(names[a][0], names[b][0]) }) {
		for _, name := range names[data] {
			write(w, name)
			write(w, data)
			data = "" // the next one has the same
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("zones.bin", packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

func write(w io.Writer, value string) {
	length := binary.BigEndian.AppendUint16(nil, uint16(len(value)))
	if _, err := w.Write(append(length, value...)); err != nil {
		log.Fatal(err)
	}
}

func read(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	return string(data)
}
