package transport

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadChunks(t *testing.T) {
	body := strings.Repeat("0123456789", 1000)
	for _, expected := range []int64{0, 1, 7, 9_999, 10_000, 20_000} {
		for _, limit := range []int64{1, 9_999, 10_000, 10_001, 1 << 40} {
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(body), "bytes": iotest.OneByteReader(strings.NewReader(body)),
				"end with data": iotest.DataErrReader(strings.NewReader(body)),
			} {
				at := fmt.Sprintf("%s, expected %d, limit %d", name, expected, limit)
				c, n, err := ReadChunks(r, expected, limit)
				require.NoError(t, err, at)
				require.Equal(t, min(limit, int64(len(body))), n, at)
				require.Equal(t, body[:n], string(c.Join()), at)
				room := 0
				for _, chunk := range c {
					room += cap(chunk)
				}
				require.LessOrEqual(t, int64(room), limit, at)
			}
		}
	}
	c, n, err := ReadChunks(cut("hel"), 100, 100)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.EqualValues(t, 3, n)
	require.Equal(t, "hel", string(c.Join()))
	wrapped := fmt.Errorf("connection lost: %w", io.EOF)
	_, _, err = ReadChunks(io.MultiReader(strings.NewReader("hel"), errReader{wrapped}), 100, 100)
	require.Equal(t, wrapped, err, "is not the end")
	c, n, err = ReadChunks(strings.NewReader(""), 0, 10)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, c.Join())
}

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

// A borrowed body is what the service sent, whatever an earlier call left in the memory, and is
// bounded like any other.
func TestCapture_BorrowsMemory(t *testing.T) {
	a := firstAttempt(request(t, t.Context(), "GET", apiURL, ""))
	a.borrow = true
	for i, size := range []int{10, 6 << 10, 1, 0, 5 << 10, 40 << 10, 1 << 20} {
		want := strings.Repeat(string(rune('a'+i)), size)
		out := capture(&script{steps: []step{{status: 200, body: text(want)}}})(a)
		require.NoError(t, out.err)
		require.True(t, want == string(out.result.Body), size)
		require.LessOrEqual(t, cap(*out.result.buffer), maxPrealloc)
		out.result.Recycle()
		require.Nil(t, out.result.Body)
		out.result.Recycle() // must not return it twice
	}
	out := capture(&script{steps: []step{{status: 200, body: text(strings.Repeat("x", 1<<20+1))}}})(a)
	require.ErrorIs(t, out.err, ErrBodyTooLarge)
	out = capture(&script{steps: []step{{status: 404, body: text("kept in an error")}}})(a)
	require.Nil(t, out.result.buffer)
}

func BenchmarkCaptureBody(b *testing.B) {
	a := attempt{req: &http.Request{Method: http.MethodGet}, policy: Policy{MaxBody: 32 << 20}}
	for _, size := range []int{2 << 10, 60 << 10, 600 << 10, 5 << 20} {
		body := bytes.Repeat([]byte("x"), size)
		for name, announced := range map[string]int64{"announced": int64(size), "unannounced": -1} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(size))
				for b.Loop() {
					resp := &http.Response{ContentLength: announced, Body: io.NopCloser(struct{ io.Reader }{bytes.NewReader(body)})}
					if err := (&Result{Status: 200}).read(a, resp); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
