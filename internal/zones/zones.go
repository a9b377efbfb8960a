// Package zones finds time zones by their IANA names, even on machines that have no time zone
// database. It embeds one, as time/tzdata does, in 34 KB rather than 450.
package zones

//go:generate go run generate.go

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Load returns the time zone with an IANA name, legacy names such as US/Eastern included. It
// prefers the database of the machine, which may be newer. It reads each zone once and keeps it.
func Load(name string) (*time.Location, error) {
	found, ok := loaded.Load(name)
	if !ok {
		zone, err := load(name)
		found = result{zone, err}
		if err == nil || unknown.Add(1) <= maxUnknown {
			loaded.Store(strings.Clone(name), found) // the name may be a part of a whole document
		}
	}
	return found.(result).zone, found.(result).err
}

// loaded holds the result for each name. There are about 600 names of zones; of others, which take
// longest to look for, only the first are kept.
var (
	loaded  sync.Map
	unknown atomic.Int64
)

const maxUnknown = 1000

type result struct {
	zone *time.Location
	err  error
}

func load(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err == nil {
		return zone, nil
	}
	data, ok := embedded()[name]
	if !ok {
		return nil, err
	}
	return time.LoadLocationFromTZData(name, data)
}

//go:embed zones.bin
var packed []byte

// embedded returns the time zones of zones.bin by name. It unpacks them once, when the machine
// lacks one.
//
// Unpacked, the file is the name and the data of each zone, both after their length in two bytes.
// The data of a zone that shares the data of the one before is empty. Each transition is the
// seconds since the one before, which take half the space: many are a year or half a year.
var embedded = sync.OnceValue(func() map[string][]byte {
	file, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil // zones_test.go reads every zone
	}
	next := func() []byte {
		length := binary.BigEndian.Uint16(file)
		value := file[2 : 2+length]
		file = file[2+length:]
		return value
	}
	zones := map[string][]byte{}
	var data []byte
	for len(file) > 0 {
		name := string(next())
		if other := next(); len(other) > 0 {
			data = other
			restore(transitions(data))
		}
		zones[name] = data
	}
	return zones
})

// transitions returns the times in the data of a zone at which its clocks change, eight bytes each.
// The data is a header of 44 bytes, with six counts at its end, and a body with times of four
// bytes; then comes another header, and a body that begins with the times of eight bytes (RFC
// 9636).
func transitions(data []byte) []byte {
	count := func(i int) int { return int(binary.BigEndian.Uint32(data[20+4*i:])) }
	data = data[44+count(0)+count(1)+8*count(2)+5*count(3)+6*count(4)+count(5):]
	return data[44:][:8*count(3)]
}

// restore makes times of differences.
func restore(times []byte) {
	for at := uint64(0); len(times) > 0; times = times[8:] {
		at += binary.BigEndian.Uint64(times)
		binary.BigEndian.PutUint64(times, at)
	}
}
