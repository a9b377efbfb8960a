package fleet_test

import (
	"bytes"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// line forwards connections to an engine, as a network does that may be far or fail.
type line struct {
	net.Listener
	target string
	calls  [5]atomic.Int64 // round trips by bucket; the last are those without a bucket
	room   chan struct{}   // has one for each connection to the engine

	mu     sync.Mutex
	delay  time.Duration // of a message in each direction
	loss   float64       // part of the messages that end their connection or come late
	late   time.Duration // how late
	broken bool          // connections end at once
	clear  chan struct{} // closed while messages pass
	closed chan struct{}
	open   map[net.Conn]bool
}

// newLine returns a line with at most so many connections to the engine at a time; others wait.
func newLine(t *testing.T, target string, most int) *line {
	listener, err := listen(0)
	require.NoError(t, err)
	l := &line{Listener: listener, target: target, room: make(chan struct{}, most), clear: make(chan struct{}), closed: make(chan struct{}), open: map[net.Conn]bool{}}
	close(l.clear)
	var all sync.WaitGroup
	all.Go(func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			all.Go(func() { l.forward(conn) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		close(l.closed)
		l.cut()
		all.Wait()
	})
	return l
}

// hold keeps all messages, as a network that drops packets, until release is called. The line still
// accepts connections.
func (l *line) hold() (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := make(chan struct{})
	l.clear = held
	return sync.OnceFunc(func() { close(held) })
}

// cut ends all connections, and new ones at once until mend is called.
func (l *line) cut() (mend func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
	for conn := range l.open {
		_ = conn.Close()
	}
	return func() { l.set(func() { l.broken = false }) }
}

// set changes the line.
func (l *line) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// keep records a connection, and reports whether it may be used.
func (l *line) keep(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[conn] = true
	return !l.broken
}

func (l *line) end(conn net.Conn) {
	_ = conn.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, conn)
}

func (l *line) forward(client net.Conn) {
	defer l.end(client)
	if !l.keep(client) {
		return
	}
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return
	}
	defer func() { <-l.room }()
	server, err := net.Dial("tcp", l.target)
	if err != nil {
		return
	}
	defer l.end(server)
	if !l.keep(server) {
		return
	}
	var replied atomic.Bool
	replied.Store(true)
	var both sync.WaitGroup
	both.Go(func() {
		l.copy(server, client, func(request []byte) {
			if replied.Swap(false) {
				l.calls[bucketIn(request)].Add(1)
			}
		})
	})
	both.Go(func() { l.copy(client, server, func([]byte) { replied.Store(true) }) })
	both.Wait()
}

// bucketIn returns the index of the bucket whose name is in a request, or one more than the last.
func bucketIn(request []byte) int {
	for i, b := range buckets {
		if bytes.Contains(request, []byte(b.name)) {
			return i
		}
	}
	return len(buckets)
}

type message struct {
	text []byte
	at   time.Time
}

// copy forwards messages, and ends both connections with the first.
func (l *line) copy(to, from net.Conn, note func([]byte)) {
	queue := make(chan message, 1000)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(queue)
		for {
			text := make([]byte, 4<<10)
			n, err := from.Read(text)
			if err != nil {
				return
			}
			queue <- message{text[:n], time.Now()}
		}
	})
	for m := range queue {
		note(m.text)
		if !l.pass(m, to) {
			break
		}
	}
	_, _ = to.Close(), from.Close()
	for range queue { // until the reader ends
	}
	reading.Wait()
}

// pass writes a message when it is due, unless it is lost.
func (l *line) pass(m message, to net.Conn) bool {
	l.mu.Lock()
	due, clear, lost := m.at.Add(l.delay), l.clear, rand.Float64() < l.loss
	if lost && rand.IntN(2) == 0 {
		due, lost = due.Add(l.late), false
	}
	l.mu.Unlock()
	rest(time.Until(due))
	select {
	case <-clear:
	case <-l.closed:
	}
	if lost {
		return false
	}
	_, err := to.Write(m.text)
	return err == nil
}
