package terminal49test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// outgoing is a reply and the way it is delivered.
type outgoing struct {
	reply
	stream    io.Reader     // more body after reply.body
	length    int64         // Content-Length; -1 sends none
	wait      time.Duration // before the headers
	dialError error         // the connection error; a socket resets the connection
	drop      bool          // after the wait the connection is reset, without a response
	stall     time.Duration // silence after the body
	ending    ending        // after the body and the stall
}

// ending is how the connection ends after the body.
type ending int

const (
	endNormally ending = iota
	endEarly           // closed normally, although the body may be incomplete
	endWithReset
)

// completeReply is a reply delivered without a fault. Some statuses allow neither a body nor its
// length.
func completeReply(r reply) outgoing {
	if hasNoBody(r.status) {
		return outgoing{reply: reply{r.status, r.header, nil}, length: -1}
	}
	return outgoing{reply: r, length: int64(len(r.body))}
}

func hasNoBody(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// apply returns the reply of the fault, given the normal one; a nil fault changes nothing.
func (f *Fault) apply(r reply, requested *url.URL) outgoing {
	if f == nil {
		return completeReply(r)
	}
	half := len(r.body) / 2
	stall := cmp.Or(f.Delay, time.Hour)
	out := completeReply(r)
	switch f.Kind {
	case FaultStatus:
		out = completeReply(errorReply(f.Shape, problem{status: cmp.Or(f.Status, 500), title: f.Title, detail: f.Detail}))
	case FaultRefuse:
		out = outgoing{dialError: connectionError("dial", "connect", syscall.ECONNREFUSED), drop: true}
	case FaultCertificate:
		out = outgoing{dialError: expiredCertificate(time.Now()), drop: true}
	case FaultDrop:
		out = outgoing{drop: true}
	case FaultStallHeaders:
		out = outgoing{wait: stall, drop: true}
	case FaultStallBody:
		out.body, out.stall, out.ending = r.body[:half], stall, endWithReset
	case FaultReset:
		out.body, out.ending = r.body[:half], endWithReset
	case FaultTruncate:
		out.body, out.ending = r.body[:half], endEarly
		if f.NoLength {
			out.length = -1
		}
	case FaultMalformedJSON:
		out = completeReply(reply{r.status, r.header, r.body[:half]})
	case FaultEmpty:
		out = completeReply(reply{status: cmp.Or(f.Status, r.status), header: http.Header{}})
	case FaultContentType:
		out.header.Set("Content-Type", cmp.Or(f.ContentType, "text/plain; charset=utf-8"))
	case FaultSlow:
		out.wait = f.Delay
	case FaultGzip:
		out = completeReply(reply{r.status, r.header, gzipped(r.body)})
		out.header.Set("Content-Encoding", "gzip")
	case FaultBrokenGzip:
		out.header.Set("Content-Encoding", "gzip")
	case FaultHuge:
		out = hugeReply(f.Bytes)
	case FaultDeep:
		out = completeReply(deepReply(cmp.Or(f.Depth, 100_000)))
	case FaultRedirect:
		location := cmp.Or(f.Location, requested.String())
		out = completeReply(reply{cmp.Or(f.Status, http.StatusFound), http.Header{"Location": {location}}, nil})
	}
	if f.RetryAfter != nil && out.header != nil {
		out.header.Set("Retry-After", f.RetryAfter(time.Now()))
	}
	return out
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(body) // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}

// hugeReply is a valid document of n bytes that is never held in memory.
func hugeReply(n int64) outgoing {
	const head, tail = `{"data":[],"meta":{"padding":"`, `"}}`
	padding := max(n-int64(len(head)+len(tail)), 0)
	return outgoing{
		reply:  reply{200, http.Header{"Content-Type": {jsonType}}, []byte(head)},
		stream: io.MultiReader(io.LimitReader(paddingReader{}, padding), strings.NewReader(tail)),
		length: int64(len(head)+len(tail)) + padding,
	}
}

// deepReply is a valid document with the given number of levels: its own three and nested lists.
func deepReply(levels int) reply {
	lists := max(levels-3, 0)
	body := `{"data":{"id":"6f1c2e52-3c1d-4d0e-9d4b-0a52e1f6c8a7","type":"shipment","attributes":{"nested":` +
		strings.Repeat("[", lists) + "0" + strings.Repeat("]", lists) + `}}}`
	return reply{200, http.Header{"Content-Type": {jsonType}}, []byte(body)}
}

// paddingReader reads an endless sequence of x.
type paddingReader struct{}

func (paddingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
