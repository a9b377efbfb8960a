package leaks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Interrupted files, deliveries and waits leave nothing open and send nothing afterwards. A bubble
// fails by itself if a goroutine remains.

const leakFile = 300 << 10 // several reads, wherever it is read

// guarded wraps a transport and counts requests in progress and open bodies.
type guarded struct {
	leakService
	next http.RoundTripper
}

func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	g.requests.Add(1)
	g.underWay.Add(1)
	defer g.underWay.Add(-1)
	resp, err := g.next.RoundTrip(r)
	if err == nil {
		g.openBodies.Add(1)
		resp.Body = &leakBody{Reader: resp.Body, open: &g.openBodies, under: resp.Body}
	}
	return resp, err
}

// interrupted is a file or a writer that calls a function at a position.
type interrupted struct {
	*bytes.Reader
	at     int64
	happen func() error

	taken int64
}

func (f *interrupted) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if position := f.Reader.Size() - int64(f.Reader.Len()); position >= f.at && err == nil {
		err = f.happen()
	}
	return n, err
}

func (f *interrupted) Write(p []byte) (int, error) {
	if f.taken += int64(len(p)); f.taken >= f.at {
		if err := f.happen(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func TestLeaks_InterruptedFiles(t *testing.T) {
	ended := 0
	happenings := map[string]func(cancel func()) error{
		"error":   func(func()) error { return errors.New("bad sector") },
		"context": func(cancel func()) error { cancel(); return nil },
		"exit":    func(func()) error { runtime.Goexit(); return nil },
	}
	for at := int64(0); at <= leakFile; at += leakFile / 6 {
		for name, happening := range happenings {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", Content: make([]byte, leakFile)})
				g := &guarded{next: srv.Transport()}
				client := testkit.SimulatedClient(t, srv, terminal49.WithHTTPClient(&http.Client{Transport: g}))
				try := func(what string, call func(ctx context.Context, happen func() error)) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					done := make(chan struct{})
					go func() { // which the function may end
						defer close(done)
						call(ctx, func() error { return happening(cancel) })
					}()
					<-done
					ended++
					g.settled(t, fmt.Sprintf("%s, %s at %d", what, name, at))
				}
				try("download", func(ctx context.Context, happen func() error) {
					_, err := client.Documents.Download(ctx, id, struct{ io.Writer }{&interrupted{at: at, happen: happen}})
					require.Error(t, err)
				})
				if name == "exit" {
					return // a file that is uploaded is read by a goroutine of its own
				}
				for _, pass := range []int{1, 2} { // once for the checksum, and once to be sent
					try(fmt.Sprintf("upload, pass %d", pass), func(ctx context.Context, happen func() error) {
						file := &interrupted{Reader: bytes.NewReader(make([]byte, leakFile)), at: at}
						announced := len(testkit.Received(srv, "documents.direct_upload"))
						file.happen = func() error {
							if pass == 2 && len(testkit.Received(srv, "documents.direct_upload")) == announced {
								return nil
							}
							return happen()
						}
						require.Error(t, testkit.First(client.Documents.Upload(ctx,
							terminal49.DocumentFile{FileName: "a.pdf", Content: file})))
					})
				}
			})
		}
	}
	t.Logf("figure: leaks: %d uploads and downloads ended in the middle: nothing running, nothing open, nothing sent afterwards", ended)
}

// A client that disconnects does not end the callback, and the callback leaves nothing behind.
func TestLeaks_AbandonedDeliveries(t *testing.T) {
	for _, way := range []string{"returns", "fails", "panics", "exits", "waits for its context"} {
		synctest.Test(t, func(t *testing.T) {
			var ended atomic.Int64
			h := testkit.NewHandler(t, webhook.WithTimeout(time.Minute),
				webhook.OnAny(func(ctx context.Context, _ *webhook.Notification) error {
					defer ended.Add(1)
					time.Sleep(10 * time.Second) // long after the client has disconnected
					switch way {
					case "fails":
						return errors.New("no room")
					case "panics":
						panic("a bug")
					case "exits":
						runtime.Goexit()
					case "waits for its context":
						<-ctx.Done()
					}
					return nil
				}))
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			start := time.Now()
			require.Equal(t, http.StatusInternalServerError, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1)).WithContext(ctx)).Code)
			require.Equal(t, time.Second, time.Since(start), "%s: the response does not wait for the callback", way)
			require.Zero(t, ended.Load(), way)
			require.NoError(t, h.Shutdown(t.Context()))
			require.EqualValues(t, 1, ended.Load(), "%s: Shutdown waits for what outlives its request", way)
		})
	}
}

// Wait and Watch end with their context at any moment, and do not poll again.
func TestLeaks_WaitsEndWithTheirContext(t *testing.T) {
	for moment := range 20 {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			testkit.AddNamedResources(srv)
			pending := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU7", SCAC: "MAEU",
				Status: "pending"})
			g := &guarded{next: srv.Transport()}
			client := testkit.SimulatedClient(t, srv, terminal49.WithHTTPClient(&http.Client{Transport: g}), testkit.Around(func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
				if err := pause(r.Context(), 3*time.Second); err != nil { // so that the context may end during a poll
					return nil, err
				}
				return next.RoundTrip(r)
			}))
			for name, wait := range map[string]func(context.Context) error{
				"TrackingRequests.Wait": func(x context.Context) error {
					return testkit.First(client.TrackingRequests.Wait(x, pending, nil))
				},
				"Containers.Watch": func(x context.Context) error {
					return testkit.First(testkit.Drain(client.Containers.Watch(x, testkit.ContainerID, nil)))
				},
				"Containers.WatchAll": func(x context.Context) error {
					return testkit.First(testkit.Drain(client.Containers.WatchAll(x, nil)))
				},
			} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(moment)*1700*time.Millisecond)
				require.ErrorIs(t, wait(ctx), context.DeadlineExceeded, "%s, moment %d", name, moment)
				cancel()
				g.settled(t, fmt.Sprintf("%s, moment %d", name, moment))
			}
		})
	}
}
