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
	for _, data := range slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(rule(a), rule(b)), cmp.Compare(names[a][0], names[b][0])) // similar ones pack well
	}) {
		packed := differences(data)
		for _, name := range names[data] {
			write(w, name)
			write(w, packed)
			packed = "" // the next one has the same
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("zones.bin", packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// rule returns the last line of the data of a zone: how its clocks change in the future.
func rule(data string) string {
	data = strings.TrimSuffix(data, "\n")
	return data[strings.LastIndexByte(data, '\n')+1:]
}

// differences replaces the times at which the clocks change, as zones.go reads them.
func differences(data string) string {
	all := []byte(data)
	var last uint64
	for times := transitions(all); len(times) > 0; times = times[8:] {
		at := binary.BigEndian.Uint64(times)
		binary.BigEndian.PutUint64(times, at-last)
		last = at
	}
	return string(all)
}

// transitions is that of zones.go.
func transitions(data []byte) []byte {
	count := func(i int) int { return int(binary.BigEndian.Uint32(data[20+4*i:])) }
	data = data[44+count(0)+count(1)+8*count(2)+5*count(3)+6*count(4)+count(5):]
	return data[44:][:8*count(3)]
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
