// Package rewind sends the content of a caller's io.ReadSeeker any number of times.
//
// Each attempt to send it reads from the same start. A transport may still read for an attempt that
// is over, so only the latest reader returns bytes. A Read of the caller cannot be interrupted: it
// runs in a goroutine of its own, which a reader abandons if the context ends. Until that Read
// returns, nothing else uses the content.
package rewind

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// The errors of a reader.
var (
	ErrSuperseded = errors.New("this attempt to send the file is over")
	ErrShortened  = errors.New("the file became shorter while it was sent")

	errReadExit = errors.New("reading the file ended its goroutine")
)

// grace is how long to wait for an abandoned Read to return. Almost every Read is faster, so the
// caller can use the content again.
const grace = 100 * time.Millisecond

// Content is an io.ReadSeeker that can be read again and again, from its offset when it was
// measured to its end.
type Content struct {
	lock        chan struct{} // holds a token while unlocked; guards the fields up to readErr
	r           io.ReadSeeker
	start, size int64
	buffer      [64 << 10]byte // r reads into it instead of a reader's slice, because a Read may be abandoned
	read        int            // the results of the latest Read
	readErr     error

	progress func(sent, total int64) // may be nil; called with the lock, like Read

	mu      sync.Mutex // guards current; not held while functions of the caller run
	current *reader
}

// New returns the content of r. progress is called with the bytes read by the latest reader and the
// size, and never after Close; it may be nil.
func New(r io.ReadSeeker, progress func(sent, total int64)) *Content {
	c := &Content{r: r, progress: progress, lock: make(chan struct{}, 1)}
	c.release()
	return c
}

// Measure reads the content once, from the current offset of the io.ReadSeeker to its end, and
// returns its MD5. It must be called before Open.
func (c *Content) Measure(ctx context.Context) (sum [md5.Size]byte, err error) {
	if c.start, err = c.r.Seek(0, io.SeekCurrent); err != nil {
		return sum, err
	}
	hash, buffer := md5.New(), make([]byte, len(c.buffer))
	for ctx.Err() == nil {
		n, err := c.readFor(ctx, nil, 0, buffer)
		hash.Write(buffer[:n])
		c.size += int64(n)
		if errors.Is(err, io.EOF) {
			return [md5.Size]byte(hash.Sum(nil)), nil
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, ctx.Err()
}

// Size returns the length that Measure found, in bytes.
func (c *Content) Size() int64 { return c.size }

// Open returns a reader of the whole content, and ends the previous reader with ErrSuperseded.
// Closing the reader does nothing.
func (c *Content) Open(ctx context.Context) (io.ReadCloser, error) {
	next := &reader{content: c, ctx: ctx}
	c.setCurrent(next)
	if !c.acquire(ctx) {
		return nil, ctx.Err()
	}
	defer c.release()
	if _, err := c.r.Seek(c.start, io.SeekStart); err != nil {
		return nil, err
	}
	return next, nil
}

// Close ends the latest reader and waits for its Read and progress, so that the caller can use the
// io.ReadSeeker again. It does not wait longer than ctx.
func (c *Content) Close(ctx context.Context) {
	c.setCurrent(nil)
	if c.acquire(ctx) {
		c.release()
	}
}

// acquire locks the io.ReadSeeker. It reports false if a Read still uses it shortly after ctx has
// ended.
func (c *Content) acquire(ctx context.Context) bool {
	select {
	case <-c.lock:
		return true
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.lock:
		return true
	case <-timer.C:
		return false
	}
}

func (c *Content) release() { c.lock <- struct{}{} }

// readFor reads for the latest reader, or for Measure if r is nil. Even net/http waits for the Read
// of a request that was cancelled, so the Read has a goroutine of its own, which holds the lock
// until it returns. sent is how many bytes r has read before.
func (c *Content) readFor(ctx context.Context, r *reader, sent int64, p []byte) (int, error) {
	if !c.acquire(ctx) {
		return 0, ctx.Err()
	}
	if !c.isCurrent(r) {
		c.release()
		return 0, ErrSuperseded
	}
	go c.readOnce(r, sent, min(len(p), len(c.buffer)))
	if !c.acquire(ctx) {
		return 0, ctx.Err()
	}
	defer c.release()
	return copy(p, c.buffer[:c.read]), c.readErr
}

// readOnce calls Read and progress. A panic of theirs becomes the error of the Read, because
// nothing could recover from it on this goroutine.
func (c *Content) readOnce(r *reader, sent int64, room int) {
	n, err := 0, errReadExit
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, fmt.Errorf("reading the file or reporting its progress panicked: %v", v)
		}
		c.read, c.readErr = n, err
		c.release()
	}()
	var readErr error
	n, readErr = c.r.Read(c.buffer[:room])
	if n < 0 || n > room {
		panic("Read returned an invalid count")
	}
	if n > 0 && r != nil && c.progress != nil && c.isCurrent(r) {
		c.progress(sent+int64(n), c.size)
	}
	err = readErr
}

func (c *Content) setCurrent(r *reader) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = r
}

func (c *Content) isCurrent(r *reader) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current == r
}

// reader reads the content for one attempt.
type reader struct {
	content *Content
	ctx     context.Context // of all attempts
	sent    int64
}

func (r *reader) Read(p []byte) (int, error) {
	left := r.content.size - r.sent
	if left == 0 {
		return 0, io.EOF
	}
	n, err := r.content.readFor(r.ctx, r, r.sent, p[:min(int64(len(p)), left)])
	r.sent += int64(n)
	if errors.Is(err, io.EOF) {
		err = io.EOF
		if r.sent < r.content.size {
			err = ErrShortened
		}
	}
	return n, err
}

// Close does nothing: the content stays open for the next attempt.
func (r *reader) Close() error { return nil }
