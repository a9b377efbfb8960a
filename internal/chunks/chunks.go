// Package chunks reads bodies of unknown length.
package chunks

import (
	"bytes"
	"io"
)

// Body is a body as it arrived. A growing buffer would take several times the length of a hostile
// body before that is refused; chunks take the length once.
type Body [][]byte

// Read reads r to its end, or until it has limit bytes. The first chunk has room for the expected
// length, and each further one for as much as was read before.
func Read(r io.Reader, expected, limit int64) (c Body, length int64, err error) {
	return ReadInto(nil, nil, r, expected, limit)
}

// ReadInto is Read that fills chunk first, which is empty, unless it has no capacity. It appends
// the chunks to none, which is empty too.
func ReadInto(none Body, chunk []byte, r io.Reader, expected, limit int64) (c Body, length int64, err error) {
	c = none
	if chunk = chunk[:0:min(int64(cap(chunk)), limit)]; cap(chunk) > 0 {
		c = append(c, chunk)
	}
	for err == nil && length < limit {
		if len(chunk) == cap(chunk) {
			room := max(length, expected+1) // one more, to see the end without another chunk
			chunk = make([]byte, 0, min(room, limit-length))
			c = append(c, nil)
		}
		var n int
		n, err = r.Read(chunk[len(chunk):cap(chunk)])
		chunk = chunk[:len(chunk)+n]
		c[len(c)-1] = chunk
		length += int64(n)
	}
	if err == io.EOF { // an error that wraps it is a body cut short
		err = nil
	}
	return c, length, err
}

// Join returns the body as one slice.
func (c Body) Join() []byte {
	if len(c) == 1 {
		return c[0]
	}
	return bytes.Join(c, nil)
}
