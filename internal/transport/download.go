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

// Download fetches a file that is too big to hold in memory, from an address that needs no
// credentials and receives none.
type Download struct {
	Base   http.RoundTripper // nil means http.DefaultTransport
	Policy Policy            // AttemptTimeout is how long the transfer may stall

	random func(n int64) int64 // uniform in [0, n); nil means rand.Int64N
}

// Run writes the file to w as it arrives. It returns the response, whose Body is set only if the
// status is not 200, and the number of bytes written. The error, always an [*Error] without the
// address, means that the file is incomplete.
//
// The download is a Read: it is retried like any other, as long as w has received nothing.
func (d Download) Run(ctx context.Context, from string, w io.Writer, call Call) (*Result, int64, error) {
	call.Policy, call.Class = d.Policy, Read
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		reason := errors.New("the storage address is not a URL")
		return nil, 0, &Error{Op: call.Op, Method: http.MethodGet, Route: call.Route, Err: reason}
	}
	req.Header["User-Agent"] = nil
	req.Header.Set("Accept-Encoding", "identity") // otherwise Go requests gzip and decompresses it
	file := &fileWriter{w: w}
	client := &http.Client{Transport: d.Base, CheckRedirect: checkRedirect}
	l := &loop{send: download(client, file), random: d.random, req: req, getBody: req.GetBody, call: call}
	if l.random == nil {
		l.random = rand.Int64N
	}
	res, err := l.run()
	return res, file.n, err
}

// download is the stage that fetches the file once. It limits the time for which no byte arrives.
func download(client *http.Client, file *fileWriter) stage {
	return func(a attempt) outcome {
		caller := a.req.Context()
		ctx, cancel := context.WithCancel(caller)
		defer cancel()
		stall := time.AfterFunc(a.policy.AttemptTimeout, cancel)
		defer stall.Stop()

		var t trace
		out := fetch(client, a.with(a.req.Clone(t.attach(ctx, a, cancel))), file, stall)
		out.sent = t.requests()
		switch {
		case out.err == nil:
			return out
		case file.err != nil:
			out.err = file.err
			return out
		case caller.Err() != nil:
			out.err = ContextError(caller)
		case ctx.Err() != nil:
			out.err = fmt.Errorf("%w of %v: the transfer stalled", ErrAttemptTimeout, a.policy.AttemptTimeout)
		default:
			out.err = redact(out.err, addressSecrets(a.req.URL)...)
		}
		if file.n > 0 {
			out.err = fmt.Errorf("cut short after %d bytes: %w", file.n, out.err)
		}
		return out
	}
}

// fetch sends the request and copies the body of a 200 to file.
func fetch(client *http.Client, a attempt, file *fileWriter, stall *time.Timer) outcome {
	resp, err := client.Do(a.req)
	if err != nil {
		err = errors.Unwrap(err) // of the *url.Error, which quotes the address
		return outcome{err: err, final: isLasting(err)}
	}
	defer func() { _ = resp.Body.Close() }()
	res := newResult(resp)
	if res.Status != http.StatusOK {
		res.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // the status is enough
		return outcome{result: res, status: res.Status}
	}
	if _, err := io.Copy(file, &stallReader{resp.Body, stall, a.policy.AttemptTimeout}); err != nil {
		return outcome{err: err, status: res.Status, final: file.n > 0 || file.err != nil || isUntrusted(err)}
	}
	return outcome{result: res, status: res.Status}
}

// checkRedirect follows a few redirects, never from https to http. It sends no host the address
// that redirected to it, because that address grants access to the file.
func checkRedirect(req *http.Request, via []*http.Request) error {
	req.Header.Del("Referer")
	if len(via) > maxRedirects || req.URL.Scheme != "https" && via[0].URL.Scheme == "https" {
		return http.ErrUseLastResponse
	}
	return nil
}

// stallReader runs the timer while it reads, and stops it while a slow writer writes.
type stallReader struct {
	r     io.Reader
	timer *time.Timer
	limit time.Duration
}

func (r *stallReader) Read(p []byte) (int, error) {
	r.timer.Reset(r.limit)
	defer r.timer.Stop()
	return r.r.Read(p)
}

// fileWriter counts what it writes, and keeps errors of the writer apart from those of the network.
type fileWriter struct {
	w   io.Writer
	n   int64
	err error
}

func (f *fileWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.n += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	f.err = err
	return n, err
}
