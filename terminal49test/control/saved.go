package control

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"time"
)

const defaultMaxLoad = 4 << 30

// save writes the world as JSON lines.
func (s *Simulator) save(at *world, w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", linesType)
	body := &steadyWriter{w: w, deadlines: http.NewResponseController(w)}
	err := at.server.Save(body)
	if err != nil && body.started {
		panic(http.ErrAbortHandler) // a part of a world must not look like a whole one
	}
	return err
}

// load replaces the world by a saved one, or changes nothing. The simulator reads a few worlds at a
// time, because each can need memory for a long line.
func (s *Simulator) load(at *world, w http.ResponseWriter, r *http.Request) error {
	extendDeadlines(w)
	select {
	case s.loads <- struct{}{}:
		defer func() { <-s.loads }()
	case <-s.closed:
		return refused(http.StatusServiceUnavailable, "the simulator is being stopped")
	case <-r.Context().Done():
		return r.Context().Err()
	}
	limited := http.MaxBytesReader(w, r.Body, cmp.Or(s.options.MaxLoad, defaultMaxLoad))
	body := &steadyReader{r: limited, deadlines: http.NewResponseController(w)}
	if err := at.server.Load(body); err != nil {
		return cmp.Or(body.err, err) // what was read before it may end within a line
	}
	at.changed.send()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// reset makes the world again as it began.
func (s *Simulator) reset(at *world, w http.ResponseWriter, _ *http.Request) error {
	at.server.Reset()
	if err := at.fill(); err != nil {
		return err
	}
	at.changed.send()
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// steadyTime is how long one read of a body that is loaded, or one write of a saved world, may
// take. The whole may take as long as it needs.
const steadyTime = time.Minute

// steadyWriter gives each write its own deadline: the world waits for it.
type steadyWriter struct {
	w         io.Writer
	deadlines *http.ResponseController
	started   bool
}

// Write writes to the response.
func (w *steadyWriter) Write(b []byte) (int, error) {
	w.started = true
	if err := w.deadlines.SetWriteDeadline(time.Now().Add(steadyTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return w.w.Write(b)
}

// steadyReader gives each read its own deadline.
type steadyReader struct {
	r         io.Reader
	deadlines *http.ResponseController
	err       error // why the request could not be read to its end
}

// Read reads from the request.
func (r *steadyReader) Read(b []byte) (int, error) {
	if err := r.deadlines.SetReadDeadline(time.Now().Add(steadyTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	n, err := r.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
