package terminal49test

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

// guard is the server's lock. It is held while functions of the caller run, such as that of an
// Update method or an Action. If such a function asks for it again, Lock panics instead of waiting
// for ever.
type guard struct {
	sync.Mutex
	inside atomic.Int64 // the goroutine that runs such a function; 0 for none
}

// Lock waits for the lock.
func (g *guard) Lock() {
	if inside := g.inside.Load(); inside != 0 && inside == goroutine() {
		panic("terminal49test: an Action, or the function of an Update method or an option, must not call the Server: " +
			"call it before, such as Now, or after")
	}
	g.Mutex.Lock()
}

// during runs a function of the caller under the lock.
func (g *guard) during(f func()) {
	defer g.inside.Store(g.inside.Swap(goroutine()))
	f()
}

// calling returns change as an Update method calls it.
func calling[T any](s *Server, change func(*T)) func(*T) {
	return func(row *T) { s.mu.during(func() { change(row) }) }
}

// goroutine returns the number of the running goroutine, which its stack begins with.
func goroutine() int64 {
	text := make([]byte, 32)
	text = text[:runtime.Stack(text, false)]
	n, _ := strconv.ParseInt(string(bytes.Fields(text)[1]), 10, 64)
	return n
}
