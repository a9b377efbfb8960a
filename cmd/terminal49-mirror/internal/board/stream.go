package board

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// mostStreams bounds the browsers that are kept up to date at once. All tabs of one share a stream.
const mostStreams = 100

// beat is what the stream sends each second, and soon after a change. A page that receives none for
// a while knows that the board is gone.
type beat struct {
	Now     string   `json:"now"`
	Age     string   `json:"age"`
	Problem string   `json:"problem"`
	Partial bool     `json:"partial"` // not everything has been read once
	Version string   `json:"version"` // of the model: a page with another one reads itself again
	IDs     []string `json:"ids"`     // of containers that changed since the last beat
	Many    bool     `json:"many"`    // there are too many to list
}

// settle is how long further changes are waited for after one, so that they are sent together.
const settle = 50 * time.Millisecond

// events is a stream of server-sent events.
func (s *site) events(w http.ResponseWriter, r *http.Request) {
	changed, ok := s.model.listen(mostStreams)
	if !ok {
		http.Error(w, "too many browsers are kept up to date", http.StatusServiceUnavailable)
		return
	}
	defer changed.stop()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // nginx passes it on at once
	stream := &stream{w: w, flush: http.NewResponseController(w)}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for stream.err == nil {
		s.beat(stream, changed)
		select {
		case <-s.ended:
			return
		case <-r.Context().Done():
			return
		case <-second.C:
		case <-changed.wake:
			wait(r.Context(), settle)
		}
	}
}

func (s *site) beat(to *stream, changed *listener) {
	ids, many, version := changed.take()
	head := s.head("", version)
	to.send(beat{head.Now, head.Age, head.Problem, head.Partial, version, ids, many})
}

// stream writes events.
type stream struct {
	w     http.ResponseWriter
	flush *http.ResponseController
	err   error
}

// send writes an event of visible characters. Its data is JSON, which has no line breaks.
func (s *stream) send(event beat) {
	text, err := json.Marshal(event)
	if err != nil {
		s.err = err
		return
	}
	// A browser that does not read must not hold the stream for ever.
	_ = s.flush.SetWriteDeadline(time.Now().Add(10 * time.Second))
	if _, s.err = fmt.Fprintf(s.w, "event: beat\nretry: 1000\ndata: %s\n\n", visible(text)); s.err == nil {
		s.err = s.flush.Flush()
	}
}
