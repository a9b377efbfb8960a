package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const fileURL = "https://storage.example.test/file.pdf?X-Amz-Signature=h1dden"

func runDownload(ctx context.Context, base http.RoundTripper, w io.Writer) (*Result, int64, error) {
	return Download{Base: base, Policy: testPolicy(), random: longest}.Run(ctx, fileURL, w, call(Read))
}

func TestDownload_RetriesUntilTheFirstByte(t *testing.T) {
	steps := []step{{err: errDropped}, {status: 503, body: bodyOf("busy")}, {status: 200, body: bodyOf("the file")}}
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		base := &script{steps: steps}
		res, n, err := runDownload(t.Context(), base, &got)
		require.NoError(t, err)
		assert.Equal(t, "the file", got.String())
		assert.EqualValues(t, 8, n)
		assert.Equal(t, 3, res.Attempts)
		for _, req := range base.got {
			assert.Equal(t, http.Header{"User-Agent": nil, "Accept-Encoding": {"identity"}}, req.Header)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		base := &script{steps: []step{{status: 200, body: cut("the")}, {status: 200, body: bodyOf("the file")}}}
		_, n, err := runDownload(t.Context(), base, &got)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.ErrorContains(t, err, "cut short after 3 bytes")
		assert.EqualValues(t, 3, n)
		assert.Equal(t, 1, base.count())
	})
}

func TestDownload_StallsNoLongerThanTheAttemptTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		base := &script{steps: []step{{status: 200, body: stalling("half")}}}
		_, n, err := runDownload(t.Context(), base, io.Discard)
		require.ErrorIs(t, err, ErrAttemptTimeout)
		assert.EqualValues(t, 4, n)
		assert.Equal(t, testPolicy().AttemptTimeout, time.Since(start))
	})
}

// failingWriter takes no bytes, and may return no error.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestDownload_ReturnsTheErrorOfTheWriter(t *testing.T) {
	full := errors.New("disk is full")
	for writer, want := range map[failingWriter]error{{full}: full, {nil}: io.ErrShortWrite} {
		base := &script{steps: []step{{status: 200, body: bodyOf("the file")}}}
		_, n, err := runDownload(t.Context(), base, writer)
		require.ErrorIs(t, err, want)
		assert.Zero(t, n)
		assert.Equal(t, 1, base.count(), "a retry would fail again")
	}
}

func TestDownload_CancelledWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(5*time.Second, cancel).Stop()
		base := &script{steps: []step{{status: 503, header: retryAfter("60"), body: bodyOf("busy")}}}
		start := time.Now()
		_, _, err := runDownload(ctx, base, io.Discard)
		assert.Equal(t, 5*time.Second, time.Since(start))
		var te *Error
		require.ErrorAs(t, err, &te)
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 1, te.Attempts)
		assert.Equal(t, 503, te.Last.Status)
	})
}

func TestDownload_FollowsNoRedirectIntoTheClear(t *testing.T) {
	for to, want := range map[string]int{"https://other.example.test/f": 200, "http://storage.example.test/f": 302} {
		base := &script{steps: []step{
			{status: 302, header: http.Header{"Location": {to}}, body: bodyOf("moved")},
			{status: 200, body: bodyOf("the file")},
		}}
		res, _, err := runDownload(t.Context(), base, io.Discard)
		require.NoError(t, err)
		assert.Equal(t, want, res.Status)
		for _, req := range base.got {
			assert.Empty(t, req.Header.Get("Referer"))
		}
	}
}

func TestDownload_ShowsNoAddress(t *testing.T) {
	base := &script{steps: []step{{err: errors.New("cannot reach file.pdf: h1dden is refused")}}}
	synctest.Test(t, func(t *testing.T) {
		_, _, err := runDownload(t.Context(), base, io.Discard)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "h1dden")
		assert.NotContains(t, err.Error(), "example.test")
	})
	_, _, err := Download{Policy: testPolicy()}.Run(t.Context(), "https://h\x7f/?sig=h1dden", io.Discard, call(Read))
	require.Error(t, err)
	assert.False(t, strings.Contains(err.Error(), "h1dden"))
}

// Attempts counts the redirects that a download follows, as for any other call.
func TestDownload_CountsRedirects(t *testing.T) {
	_, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/file", http.StatusFound)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	})
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	res, _, err := Download{Base: base, Policy: testPolicy()}.Run(t.Context(), url, io.Discard, call(Read))
	require.NoError(t, err)
	assert.Equal(t, 404, res.Status)
	assert.Equal(t, 2, res.Attempts)
}

// After a 101 the connection belongs to another protocol and may stay open (RFC 9110, section
// 15.2.2), so nothing is read from it.
func TestDownload_AnUnaskedUpgradeHoldsNoCall(t *testing.T) {
	over := make(chan struct{})
	_, url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		<-over
		_ = conn.Close()
	})
	defer close(over)
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	res, n, err := Download{Base: base, Policy: testPolicy()}.Run(t.Context(), url, io.Discard, call(Read))
	require.NoError(t, err)
	assert.Equal(t, 101, res.Status)
	assert.Zero(t, n)
}
