package service

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// Outgoing is a reply and the way it is delivered.
type Outgoing struct {
	Reply
	stream    io.Reader     // more body after reply.body
	Length    int64         // Content-Length; -1 sends none
	Wait      time.Duration // before the headers
	DialError error         // the connection error; a socket resets the connection
	Drop      bool          // after the wait the connection is reset, without a response
	Stall     time.Duration // silence after the body
	Ending    ending        // after the body and the stall
}

// ending is how the connection ends after the body.
type ending int

const (
	endNormally ending = iota
	EndEarly           // closed normally, although the body may be incomplete
	EndWithReset
)

// CompleteReply is a reply delivered without a fault. Some statuses allow neither a body nor its
// length.
func CompleteReply(r Reply) Outgoing {
	if hasNoBody(r.Status) {
		return Outgoing{Reply: Reply{r.Status, r.Header, nil}, Length: -1}
	}
	return Outgoing{Reply: r, Length: int64(len(r.Body))}
}

func hasNoBody(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

func Gzipped(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(body) // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}

// WithMembers returns a JSON object with other members. A body that is not an object is kept.
func WithMembers(body []byte, members map[string]any) []byte {
	var doc map[string]any
	if json.Unmarshal(body, &doc) != nil || doc == nil {
		return body
	}
	maps.Copy(doc, members)
	changed, err := json.Marshal(doc)
	if err != nil {
		return body
	}
	return changed
}

// HugeReply is a valid document of n bytes that is never held in memory.
func HugeReply(n int64) Outgoing {
	const head, tail = `{"data":[],"meta":{"padding":"`, `"}}`
	padding := max(n, int64(len(head)+len(tail))) - int64(len(head)+len(tail))
	return Outgoing{
		Reply:  Reply{200, http.Header{"Content-Type": {jsonType}}, []byte(head)},
		stream: io.MultiReader(io.LimitReader(paddingReader{}, padding), strings.NewReader(tail)),
		Length: int64(len(head)+len(tail)) + padding,
	}
}

// DeepReply is a valid document with the given number of levels: its own three and nested lists.
func DeepReply(levels int) Reply {
	lists := max(levels, 3) - 3
	body := `{"data":{"id":"6f1c2e52-3c1d-4d0e-9d4b-0a52e1f6c8a7","type":"shipment","attributes":{"nested":` +
		strings.Repeat("[", lists) + "0" + strings.Repeat("]", lists) + `}}}`
	return Reply{200, http.Header{"Content-Type": {jsonType}}, []byte(body)}
}

// paddingReader reads an endless sequence of x.
type paddingReader struct{}

func (paddingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
