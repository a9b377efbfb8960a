package transport

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A body that is announced as too long is not read. The response to a HEAD announces the length
// that a GET would return.
func TestCapture_AnnouncedLength(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		unread := strings.NewReader("x")
		rt := roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: 1 << 30, Body: io.NopCloser(unread), Request: r}, nil
		})
		out := capture(rt)(firstAttempt(request(t, t.Context(), method, apiURL, "")))
		if method == http.MethodHead {
			require.NoError(t, out.err)
			assert.Equal(t, "x", string(out.result.Body))
			continue
		}
		require.ErrorIs(t, out.err, ErrBodyTooLarge)
		assert.True(t, out.final)
		assert.Equal(t, 1, unread.Len())
	}
}

// A borrowed body is what the service sent, not what an earlier call left in the memory, and is
// bounded like any other.
func TestCapture_BorrowsMemory(t *testing.T) {
	a := firstAttempt(request(t, t.Context(), "GET", apiURL, ""))
	a.borrow = true
	for i, size := range []int{10, 6 << 10, 1, 0, 5 << 10, 40 << 10, 1 << 20} {
		want := strings.Repeat(string(rune('a'+i)), size)
		out := capture(&script{steps: []step{{status: 200, body: bodyOf(want)}}})(a)
		require.NoError(t, out.err)
		require.True(t, want == string(out.result.Body), size)
		require.LessOrEqual(t, cap(*out.result.buffer), maxPrealloc)
		out.result.Recycle()
		require.Nil(t, out.result.Body)
		out.result.Recycle() // must not return it twice
	}
	out := capture(&script{steps: []step{{status: 200, body: bodyOf(strings.Repeat("x", 1<<20+1))}}})(a)
	require.ErrorIs(t, out.err, ErrBodyTooLarge)
	out = capture(&script{steps: []step{{status: 404, body: bodyOf("kept in an error")}}})(a)
	require.Nil(t, out.result.buffer)
}
