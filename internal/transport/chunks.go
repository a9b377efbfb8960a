package transport

import (
	"bytes"
	"io"
	"math/bits"
	"sync"
)

// Chunks is a body as it arrived. A growing buffer would take several times the length of a hostile
// body before that is refused; chunks take the length once.
type Chunks [][]byte

// ReadChunks reads r to its end, or until it has limit bytes. The first chunk has room for the
// expected length, and each further one for as much as was read before.
func ReadChunks(r io.Reader, expected, limit int64) (c Chunks, length int64, err error) {
	return readChunks(nil, nil, r, expected, limit)
}

// readChunks is ReadChunks that fills chunk first, which is empty, unless it has no capacity. It
// appends the chunks to none, which is empty too.
func readChunks(none Chunks, chunk []byte, r io.Reader, expected, limit int64) (c Chunks, length int64, err error) {
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
func (c Chunks) Join() []byte {
	if len(c) == 1 {
		return c[0]
	}
	return bytes.Join(c, nil)
}

// buffers keeps the bodies of earlier calls, each at most maxPrealloc long. A walk over pages then
// reads them all into the same few.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keep joins the chunks in a slice that buffer keeps for another call, unless it is too long. It
// has room for a body that is a little longer.
func (c Chunks) keep(buffer *[]byte) []byte {
	body := c.Join()
	if len(c) > 1 && len(body) <= maxPrealloc {
		body = append(make([]byte, 0, 1<<bits.Len(uint(len(body)-1))), body...)
	}
	if cap(body) <= maxPrealloc {
		*buffer = body
	}
	return body
}
