package webhook_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// Hand-written requests over a socket, so that net/http is part of the test.
func TestHandler_DeliveriesWrittenByHand(t *testing.T) {
	var mu sync.Mutex
	var handled []string
	noting := webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
		mu.Lock()
		defer mu.Unlock()
		handled = append(handled, n.ID)
		return nil
	})
	// Only those that fall silent wait for a timeout. The others must come in time on a slow machine.
	mux := http.NewServeMux()
	mux.Handle("/t49", testkit.NewHandler(t, webhook.WithTimeout(time.Minute), noting))
	mux.Handle("/silent", testkit.NewHandler(t, webhook.WithTimeout(100*time.Millisecond), noting))
	srv := httptest.NewServer(mux)
	defer srv.Close()

	i := 0
	fresh := func() (body, signature string) {
		i++
		b := testkit.Numbered(i)
		return string(b), terminal49test.SignWebhook(testkit.WebhookSecret, b)
	}
	const rest = " HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n"
	const head, silent = "POST /t49" + rest, "POST /silent" + rest
	signed := func(signature string) string { return webhook.SignatureHeader + ": " + signature + "\r\n" }
	for name, c := range map[string]struct {
		write  func() string
		status []int // of all responses, in order
		runs   int
	}{
		"as the service does": {func() string {
			body, s := fresh()
			return head + signed(s) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
		}, []int{200}, 1},
		"in chunks": {func() string {
			body, s := fresh()
			return head + signed(s) + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n5\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", body[:5], len(body)-5, body[5:])
		}, []int{200}, 1},
		"asking first, signed": {func() string {
			body, s := fresh()
			return head + signed(s) + fmt.Sprintf("Expect: 100-continue\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}, []int{100, 200}, 1},
		"asking first, not signed: the body is not asked for": {func() string {
			return head + "Expect: 100-continue\r\nContent-Length: 1000\r\n\r\n"
		}, []int{401}, 0},
		"signed in a trailer only": {func() string {
			body, s := fresh()
			return head + "Trailer: " + webhook.SignatureHeader + "\r\n" + fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n%s\r\n", len(body), body, signed(s))
		}, []int{401}, 0},
		"two signatures": {func() string {
			body, s := fresh()
			return head + signed(s) + signed(s) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
		}, []int{401}, 0},
		"a long signature": {func() string {
			body, s := fresh()
			return head + signed(strings.Repeat(s, 160)) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
		}, []int{401}, 0},
		"said to be shorter than it is": {func() string {
			body, s := fresh()
			return head + signed(s) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body)-1, body)
		}, []int{401}, 0},
		"said to be longer, and then silent": {func() string {
			body, s := fresh()
			return silent + signed(s) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body)+1, body)
		}, []int{400}, 0},
		"header, and then silent": {func() string {
			_, s := fresh()
			return silent + signed(s) + "Content-Length: 10\r\n\r\n"
		}, []int{400}, 0},
		"two lengths": {func() string {
			body, s := fresh()
			return head + signed(s) + fmt.Sprintf("Content-Length: 1\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}, []int{400}, 0},
		"a length below nothing": {func() string { return head + "Content-Length: -1\r\n\r\n" }, []int{400}, 0},
		"a second delivery behind an unsigned one": {func() string {
			body, s := fresh()
			second := head + signed(s) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
			return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(second), second)
		}, []int{401}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			mu.Lock()
			handled = nil
			mu.Unlock()
			conn, err := net.Dial("tcp", srv.Listener.Addr().String())
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			_, err = io.WriteString(conn, c.write())
			require.NoError(t, err)
			in := bufio.NewReader(conn)
			for _, status := range c.status {
				require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)), "a guard, not a measure")
				resp, err := http.ReadResponse(in, nil)
				require.NoError(t, err)
				require.Equal(t, status, resp.StatusCode)
				_, err = io.Copy(io.Discard, resp.Body)
				require.NoError(t, err)
			}
			mu.Lock()
			defer mu.Unlock()
			require.Len(t, handled, c.runs)
		})
	}
}

// The handler reads exactly the bytes that are signed: it does not decompress them, and of a member
// that occurs twice the last one counts, as with encoding/json.
func TestHandler_DeliveriesOfTwoMeanings(t *testing.T) {
	var got []*webhook.Notification
	h := testkit.NewHandler(t, webhook.OnAny(func(_ context.Context, n *webhook.Notification) error { got = append(got, n); return nil }))
	body := string(testkit.Numbered(1))
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	_, err := io.WriteString(pack, body)
	require.NoError(t, err)
	require.NoError(t, pack.Close())

	r := testkit.SignedRequest(packed.Bytes())
	r.Header.Set("Content-Encoding", "gzip")
	require.Equal(t, http.StatusOK, testkit.Serve(h, r).Code, "a dead letter")
	r = testkit.SignedRequest(packed.Bytes())
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(testkit.WebhookSecret, []byte(body)))
	require.Equal(t, http.StatusUnauthorized, testkit.Serve(h, r).Code, "the signature is that of the decompressed body")
	require.Empty(t, got)

	twice := strings.Replace(body, `"id":"n-1"`, `"id":"n-0","id":"n-1"`, 1)
	require.NotEqual(t, body, twice)
	twice = strings.Replace(twice, `"event":"container.updated"`, `"event":"container.created","event":"container.updated"`, 1)
	require.Equal(t, http.StatusOK, testkit.Serve(h, testkit.SignedRequest([]byte(twice))).Code)
	require.Len(t, got, 1)
	require.Equal(t, "n-1", got[0].ID)
	require.Equal(t, terminal49.EventContainerUpdated, got[0].Event)
	require.Equal(t, twice, string(got[0].Raw()), "the bytes that were signed")
}

// roomSeen records the size of the buffers it is read into.
type roomSeen struct{ room int }

func (r *roomSeen) Read(p []byte) (int, error) { r.room = max(r.room, len(p)); return 0, io.EOF }

func TestHandler_BoundsABodyThatIsNotSent(t *testing.T) {
	var calls atomic.Int64
	body := &roomSeen{}
	r := testkit.SignedRequest(nil)
	r.Header.Set(webhook.SignatureHeader, strings.Repeat("0", 64)) // well-formed, but wrong
	r.Body, r.ContentLength = io.NopCloser(body), webhook.DefaultBodyLimit
	require.Equal(t, 401, testkit.Serve(testkit.NewHandler(t, testkit.Counting(&calls)), r).Code)
	require.LessOrEqual(t, body.room, 32<<10)

	srv := httptest.NewServer(testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithTimeout(100*time.Millisecond)))
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)), "a guard, not a measure")
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n%s: %064d\r\n\r\nbegun", webhook.SignatureHeader, 0)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, 400, answer.StatusCode)
	require.Zero(t, calls.Load())
}
