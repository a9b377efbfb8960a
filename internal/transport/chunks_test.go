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

func BenchmarkCaptureBody(b *testing.B) {
	for _, size := range []int{2 << 10, 60 << 10, 600 << 10, 5 << 20} {
		body := bytes.Repeat([]byte("x"), size)
		for name, announced := range map[string]int64{"announced": int64(size), "unannounced": -1} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(size))
				for b.Loop() {
					resp := &http.Response{ContentLength: announced, Body: io.NopCloser(struct{ io.Reader }{bytes.NewReader(body)})}
					if err := (&Result{Status: 200}).read(http.MethodGet, resp, Policy{MaxBody: 32 << 20}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// A released body serves another response; one that is too short for the expected length does not.
// The source is the comment of maxReused.
func TestResult_Release(t *testing.T) {
	for bodies.Get() != nil { // of other tests
	}
	long := &Result{Body: make([]byte, 0, maxReused+1)}
	long.Release()
	require.Nil(t, long.Body)
	require.Nil(t, bodies.Get(), "is longer than what is kept")
	for _, size := range []int{10, 100} {
		(&Result{Body: make([]byte, size)}).Release()
		require.GreaterOrEqual(t, cap(newBody(50, true)), 51)
		require.Nil(t, bodies.Get(), "is taken once")
	}
	c, n, err := readChunks(strings.NewReader("0123456789"), make([]byte, 3, 4), 100)
	require.NoError(t, err)
	require.EqualValues(t, 10, n)
	require.Equal(t, "0123456789", string(c.Join()))
}
