package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// Download fetches a file that is too big to hold, from an address that needs no
// credentials and gets none.
type Download struct {
	Base   http.RoundTripper // nil means http.DefaultTransport
	Policy Policy            // AttemptTimeout is how long the file may stand still
}

// downloading is one attempt and what came of it.
type downloading struct {
	*Result
	written int64
	err     error
	final   bool // no other attempt may or can mend it
}

// Run writes the file to w as it arrives. It returns the answer, whose Body is set
// only if that is no success, and how many bytes were written. The error, always
// an [*Error] without the address, means that the file is not whole.
//
// An attempt is followed by another only as long as w got nothing.
func (d Download) Run(ctx context.Context, from string, w io.Writer, call Call) (*Result, int64, error) {
	for try := 1; ; try++ {
		a := d.attempt(ctx, from, w)
		again := !a.final && try < d.Policy.MaxAttempts && ctx.Err() == nil && (a.err != nil || mendable(a.Status))
		wait := d.Policy.backoff(try-1, rand.Int64N)
		if again && a.err == nil && a.HasRetryAfter {
			wait = a.RetryAfter
			again = wait <= d.Policy.MaxRetryAfter
		}
		if again {
			again = pause(ctx, wait) == nil
		}
		if again {
			continue
		}
		if a.err != nil {
			return nil, a.written, &Error{Op: call.Op, Method: http.MethodGet, Route: call.Route, Err: a.err, Attempts: try}
		}
		a.Attempts = try
		return a.Result, a.written, nil
	}
}

func mendable(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (d Download) attempt(caller context.Context, from string, w io.Writer) (a downloading) {
	ctx, cancel := context.WithCancelCause(caller)
	defer cancel(nil)
	stalled := fmt.Errorf("%w of %v: the file stood still", ErrAttemptTimeout, d.Policy.AttemptTimeout)
	watch := time.AfterFunc(d.Policy.AttemptTimeout, func() { cancel(stalled) })
	defer watch.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return downloading{err: errors.New("the storage address is not a URL"), final: true}
	}
	req.Header["User-Agent"] = nil
	req.Header.Set("Accept-Encoding", "identity") // the file as it is kept: Go would ask for gzip and unpack it
	client := &http.Client{Transport: d.Base, CheckRedirect: carefully}
	resp, err := client.Do(req)
	if err == nil {
		defer func() { _ = resp.Body.Close() }()
		a.Result = &Result{Status: resp.StatusCode, Header: resp.Header}
		a.RetryAfter, a.HasRetryAfter = ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now())
		if resp.StatusCode != http.StatusOK {
			a.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // of an error the status is what counts
			return a
		}
		into := &counted{w: w}
		_, err = io.Copy(into, &watched{resp.Body, watch, d.Policy.AttemptTimeout})
		a.written = into.n
		a.final = into.n > 0 || into.err != nil
		if into.err != nil {
			a.err = into.err
			return a
		}
	}
	switch {
	case err == nil:
	case caller.Err() != nil:
		a.err = contextError(caller)
	case ctx.Err() != nil:
		a.err = stalled
	default:
		a.err, a.final = redact(err, signed(req.URL)...), a.final || isUntrusted(err)
	}
	if a.err != nil && a.written > 0 {
		a.err = fmt.Errorf("cut short after %d bytes: %w", a.written, a.err)
	}
	return a
}

// carefully follows a few redirects, never from https to http, and tells no host
// the address it was sent from: that address opens the file.
func carefully(req *http.Request, via []*http.Request) error {
	req.Header.Del("Referer")
	if len(via) > maxRedirects || req.URL.Scheme != "https" && via[0].URL.Scheme == "https" {
		return http.ErrUseLastResponse
	}
	return nil
}

// watched lets the watch run while it reads, and not while a slow writer writes.
type watched struct {
	r     io.Reader
	watch *time.Timer
	limit time.Duration
}

func (r *watched) Read(p []byte) (int, error) {
	r.watch.Reset(r.limit)
	defer r.watch.Stop()
	return r.r.Read(p)
}

// counted counts, and keeps errors of the writer apart from those of the network.
type counted struct {
	w   io.Writer
	n   int64
	err error
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	c.err = err
	return n, err
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
