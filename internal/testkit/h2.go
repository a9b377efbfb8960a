package testkit

import (
	"encoding/binary"
	"io"
)

// Go's HTTP/2 server cannot be made to refuse streams, or to break its own responses. So this is
// just enough of the protocol for a server that can (RFC 9113), with the part of its header
// compression that a path takes (RFC 7541).

// The frames that are used, their flags, and codes of errors.
const (
	h2Data, h2Headers, h2Reset, h2Settings, h2Ping, h2GoAway = 0, 1, 3, 4, 6, 7

	h2EndStream, h2EndHeaders, h2Ack = 1, 4, 1

	H2NoError, H2ProtocolError, H2RefusedStream = 0, 1, 7
)

func h2Frame(kind, flags byte, stream uint32, payload []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	b = append(b, flags)
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

// H2Headers returns the header of a response, as names and values in turn. An interim one has a
// status below 200.
func H2Headers(stream uint32, status string, header ...string) []byte {
	block := append([]byte{0x08, byte(len(status))}, status...) // :status, literal
	for i, text := range header {
		if i%2 == 0 {
			block = append(block, 0) // a literal name
		}
		block = append(append(block, byte(len(text))), text...)
	}
	return h2Frame(h2Headers, h2EndHeaders, stream, block)
}

// H2Body returns a whole body.
func H2Body(stream uint32, body string) []byte {
	return h2Frame(h2Data, h2EndStream, stream, []byte(body))
}

// H2Part returns the beginning of a body.
func H2Part(stream uint32, body string) []byte { return h2Frame(h2Data, 0, stream, []byte(body)) }

// H2Response returns a complete response.
func H2Response(stream uint32, status, body string) []byte {
	return append(H2Headers(stream, status), H2Body(stream, body)...)
}

// H2Reset returns the end of a stream with an error code.
func H2Reset(stream, code uint32) []byte {
	return h2Frame(h2Reset, 0, stream, binary.BigEndian.AppendUint32(nil, code))
}

// H2GoAway returns the end of a connection, after which streams above last count as not processed.
func H2GoAway(last, code uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, last)
	return h2Frame(h2GoAway, 0, 0, binary.BigEndian.AppendUint32(b, code))
}

// H2Request is a complete request on a connection.
type H2Request struct {
	Stream uint32
	Path   string
	Body   []byte
}

// SpeakH2 passes each complete request to each, in turn, until from ends. It acknowledges settings
// and pings.
func SpeakH2(from io.Reader, to io.Writer, each func(H2Request)) {
	if _, err := io.CopyN(io.Discard, from, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
		return
	}
	_, _ = to.Write(h2Frame(h2Settings, 0, 0, nil))
	open, paths := map[uint32]*H2Request{}, h2Paths{}
	for {
		f, err := readH2Frame(from)
		if err != nil {
			return
		}
		req := open[f.stream]
		switch {
		case (f.kind == h2Settings || f.kind == h2Ping) && f.flags&h2Ack == 0:
			_, _ = to.Write(f.acknowledgement())
		case f.kind == h2Headers:
			req = &H2Request{Stream: f.stream, Path: paths.read(f.payload)}
			open[f.stream] = req
		case f.kind == h2Data && req != nil:
			req.Body = append(req.Body, f.payload...)
		case f.kind == h2Reset:
			delete(open, f.stream)
		}
		if f.endsRequest() && req != nil {
			delete(open, f.stream)
			each(*req)
		}
	}
}

// h2Received is a frame that was read.
type h2Received struct {
	kind, flags byte
	stream      uint32
	payload     []byte
}

func readH2Frame(from io.Reader) (f h2Received, err error) {
	var head [9]byte
	if _, err = io.ReadFull(from, head[:]); err != nil {
		return f, err
	}
	f = h2Received{head[3], head[4], binary.BigEndian.Uint32(head[5:]), make([]byte, binary.BigEndian.Uint32(head[:])>>8)}
	_, err = io.ReadFull(from, f.payload)
	return f, err
}

// acknowledgement returns the response to a ping, with its payload, or to settings.
func (f h2Received) acknowledgement() []byte {
	if f.kind == h2Ping {
		return h2Frame(f.kind, h2Ack, 0, f.payload)
	}
	return h2Frame(f.kind, h2Ack, 0, nil)
}

func (f h2Received) endsRequest() bool {
	return (f.kind == h2Headers || f.kind == h2Data) && f.flags&h2EndStream != 0
}

// h2Paths are the entries of a connection's dynamic table, the latest last: the path, or "" for
// any other field. It never evicts an entry, because the peer does not refer to those.
type h2Paths []string

// read returns the path of a header block.
func (p *h2Paths) read(block []byte) (path string) {
	for len(block) > 0 {
		var index uint
		var value string
		switch first := block[0]; {
		case first&0x80 != 0: // a whole field
			index, block = h2Integer(block, 7)
			value = p.at(index)
		case first&0xe0 == 0x20: // the size of the table
			_, block = h2Integer(block, 5)
		default:
			bits := 4 + first&0x40>>5
			index, block = h2Integer(block, bits)
			if index == 0 {
				_, block = h2Text(block)
			}
			value, block = h2Text(block)
			if index != 4 && index != 5 && p.at(index) == "" { // not :path
				value = ""
			}
			if bits == 6 {
				*p = append(*p, value)
			}
		}
		if value != "" {
			path = value
		}
	}
	return path
}

// at returns the entry with an index, which follows those of the 61 static ones.
func (p *h2Paths) at(index uint) string {
	if i := len(*p) + 61 - int(index); i >= 0 && i < len(*p) {
		return (*p)[i]
	}
	return ""
}

// h2Integer reads an integer whose first byte has a prefix (section 5.1).
func h2Integer(b []byte, bits byte) (n uint, rest []byte) {
	most := uint(1)<<bits - 1
	n, b = uint(b[0])&most, b[1:]
	if n < most {
		return n, b
	}
	for shift := 0; len(b) > 0 && shift <= 21; shift += 7 {
		next := b[0]
		n, b = n+uint(next&0x7f)<<shift, b[1:]
		if next&0x80 == 0 {
			break
		}
	}
	return n, b
}

// h2Text reads a string (section 5.2).
func h2Text(b []byte) (text string, rest []byte) {
	if len(b) == 0 {
		return "", nil
	}
	coded := b[0]&0x80 != 0
	n, b := h2Integer(b, 7)
	n = min(n, uint(len(b)))
	if coded {
		return h2Decode(b[:n]), b[n:]
	}
	return string(b[:n]), b[n:]
}

// h2Codes are the characters by the length of their code, in the order of their codes, as far as
// paths need them (appendix B).
var h2Codes = [...]string{
	5: "012aceiost", 6: " %-./3456789=A_bdfghlmnpru", 7: ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz", 8: "&*,;XZ", 10: `!"()?`,
}

// h2Decode returns the characters before the first that has a longer code.
func h2Decode(b []byte) string {
	var text []byte
	for bit, length, code, first := 0, 0, 0, 0; bit < 8*len(b); bit++ {
		code, first = code<<1|int(b[bit/8]>>(7-bit%8)&1), first<<1
		if length++; length == len(h2Codes) {
			break
		}
		if of := h2Codes[length]; code-first < len(of) {
			text = append(text, of[code-first])
			length, code, first = 0, 0, 0
		} else {
			first += len(of)
		}
	}
	return string(text)
}
