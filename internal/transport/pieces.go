package transport

import (
	"bytes"
	"io"
)

// Pieces is a body as it arrived. A buffer that grows would take several times the
// length of a hostile body before that is refused; pieces take it once.
type Pieces [][]byte

// ReadPieces reads r to its end, or until there are limit bytes. The first piece
// has room for the expected length, and each further one for as much as came so far.
func ReadPieces(r io.Reader, expected, limit int64) (p Pieces, length int64, err error) {
	var piece []byte
	for err == nil && length < limit {
		if len(piece) == cap(piece) {
			room := max(length, expected+1) // one more, to see the end without another piece
			piece = make([]byte, 0, min(room, limit-length))
			p = append(p, nil)
		}
		var n int
		n, err = r.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
		p[len(p)-1] = piece
		length += int64(n)
	}
	if err == io.EOF { // and nothing that wraps it, which would be a body cut short
		err = nil
	}
	return p, length, err
}

// Join returns the body in one.
func (p Pieces) Join() []byte {
	if len(p) == 1 {
		return p[0]
	}
	return bytes.Join(p, nil)
}
