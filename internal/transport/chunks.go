package transport

import (
	"bytes"
	"io"
	"sync"
)

// Chunks is a body as it arrived. A growing buffer would take several times the length of a hostile
// body before that is refused; chunks take the length once.
type Chunks [][]byte

// ReadChunks reads r to its end, or until it has limit bytes. The first chunk has room for the
// expected length, and each further one for as much as was read before.
func ReadChunks(r io.Reader, expected, limit int64) (c Chunks, length int64, err error) {
	return readChunks(r, newBody(min(expected, limit), false), limit)
}

// readChunks is ReadChunks with the memory of the first chunk.
func readChunks(r io.Reader, chunk []byte, limit int64) (c Chunks, length int64, err error) {
	chunk = chunk[:0:min(int64(cap(chunk)), limit)]
	room := int64(cap(chunk))
	c = append(c, nil)
	for err == nil && length < limit {
		if len(chunk) == cap(chunk) {
			chunk = make([]byte, 0, min(max(length, room), limit-length))
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

// bodies holds the memory of released bodies, at most maxReused for each, until the next garbage
// collections.
var bodies sync.Pool

const maxReused = 2 << 20

// newBody returns memory for a body of the expected length or, if reuse, of a released one.
func newBody(expected int64, reuse bool) []byte {
	if reuse {
		if b, ok := bodies.Get().(*[]byte); ok && int64(cap(*b)) > expected {
			return *b
		}
	}
	return make([]byte, 0, expected+1) // one more, to see the end without another chunk
}

// Release frees the body for another response. Nothing may refer to its bytes any more.
func (r *Result) Release() {
	if b := r.Body; cap(b) <= maxReused {
		bodies.Put(&b)
	}
	r.Body = nil
}

// Join returns the body as one slice.
func (c Chunks) Join() []byte {
	if len(c) == 1 {
		return c[0]
	}
	return bytes.Join(c, nil)
}
