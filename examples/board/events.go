package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// mostStreams bounds the browsers that are kept up to date at once.
const mostStreams = 100

// events is a stream of server-sent events: "row" with the row of a container that changed, "gone"
// with its id, and "clock" every second. With ?container=ID it is about one container, and the
// events are "change".
func (s *site) events(w http.ResponseWriter, r *http.Request) {
	changed, stop := s.board.listen()
	defer stop()
	if s.board.streams() > mostStreams {
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	stream := &stream{w: w, flush: http.NewResponseController(w)}
	only := r.URL.Query().Get("container")
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for stream.err == nil {
		select {
		case <-s.ended:
			return
		case <-r.Context().Done():
			return
		case <-second.C:
			stream.send("clock", s.head("").Now)
		case id, ok := <-changed:
			switch {
			case !ok:
				return // it did not keep up; the browser connects again
			case only == "":
				s.sendRow(stream, id)
			case only == id:
				stream.send("change", id)
			}
		}
	}
}

func (s *site) sendRow(to *stream, id string) {
	c, _, ok := s.board.get(id)
	if !ok {
		to.send("gone", id)
		return
	}
	var text bytes.Buffer
	if to.err = pages.ExecuteTemplate(&text, "row", newRow(c, s.source.now())); to.err == nil {
		to.send("row", text.String())
	}
}

// stream writes events.
type stream struct {
	w     http.ResponseWriter
	flush *http.ResponseController
	err   error
}

// send writes an event of shown characters. Its data is JSON, which has no line breaks.
func (s *stream) send(event string, data string) {
	text, err := json.Marshal(string(shown([]byte(data))))
	if err != nil {
		s.err = err
		return
	}
	// A browser that does not read must not hold the stream for ever.
	_ = s.flush.SetWriteDeadline(time.Now().Add(10 * time.Second))
	if _, s.err = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", event, text); s.err == nil {
		s.err = s.flush.Flush()
	}
}
