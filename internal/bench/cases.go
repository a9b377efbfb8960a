package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
)

// work is one thing to do, in several ways. The first way is the one that the others are compared
// with.
type work struct {
	key   string // under which the allocations are recorded; "" if they are not
	name  string
	ways  []way
	pause time.Duration // before each run
	calls int           // of a run; 0 is one
}

// paused is the same work with pauses. Without them, each call finds the threads awake and the
// caches filled by the call before, which is rare in a program that does anything else.
func (w work) paused() work {
	return work{name: "the same, each call after a pause of 1 ms", ways: w.ways, pause: time.Millisecond}
}

// sideBySide is the same work by that many callers at the same time. The cores are always busy, so
// what is measured is the work and not how soon a thread wakes up.
func (w work) sideBySide(callers int) work {
	const each = 8
	same := work{name: fmt.Sprintf("the same, %d callers side by side", callers), calls: callers * each}
	for _, one := range w.ways {
		same.ways = append(same.ways, way{one.name, func() error { return together(callers, each, one.run) }})
	}
	return same
}

// together calls f each times on each of n goroutines.
func together(n, each int, f func() error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range each {
				errs[i] = cmp.Or(errs[i], f())
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

type way struct {
	name string
	run  func() error
}

var errIncomplete = errors.New("the result is incomplete")

// complete returns err, or errIncomplete if that many items are not all.
func complete(got, want int, err error) error {
	if err == nil && got != want {
		err = errIncomplete
	}
	return err
}

// canned answers every request with the same page, without a network.
type canned string

func (c canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/vnd.api+json"}},
		Body: io.NopCloser(strings.NewReader(string(c))), ContentLength: int64(len(c)), Request: req,
	}, nil
}

func newClient(opts ...terminal49.Option) *terminal49.Client {
	client, err := terminal49.New("benchmark-key", append(opts, terminal49.WithoutRateLimits())...)
	if err != nil {
		panic(err)
	}
	return client
}

// naivePage is a page in plain structs. Every included resource is read as a container.
type naivePage struct {
	Data     []naiveShipment
	Included []naiveContainer
	Links    struct{ Next string }
}

func decodePage(ctx context.Context) work {
	page := new(maker).page(terminal49.DefaultBaseURL, 1, true)
	return decode(ctx, "decode", fmt.Sprintf("decode a page of %d shipments and %d containers (%d KB)", pageItems, 2*pageItems, len(page)/1000), page)
}

func decodeSorted(ctx context.Context) work {
	page := sorted(new(maker).page(terminal49.DefaultBaseURL, 1, true))
	return decode(ctx, "alphabetical", "the same, members in alphabetical order", page)
}

func decode(ctx context.Context, key, name, page string) work {
	body := []byte(page)
	client := newClient(terminal49.WithHTTPClient(&http.Client{Transport: canned(page)}))
	return work{key: key, name: name, ways: []way{
		{"terminal49", func() error {
			got, err := client.Shipments.List(ctx, nil)
			if err != nil {
				return err
			}
			return complete(len(got.Items), pageItems, nil)
		}},
		{"encoding/json into plain structs", func() error {
			var got naivePage
			err := json.Unmarshal(body, &got)
			return complete(len(got.Data), pageItems, err)
		}},
	}}
}

const callers = 16

// peer has as many connections as there are callers. The client uses it too.
var peer = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: callers}}

// read makes a request with net/http and returns the body.
func read(url string) ([]byte, error) {
	resp, err := peer.Get(url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.ReadAll(resp.Body)
}

func discard(url string) error {
	resp, err := peer.Get(url)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func getOne(ctx context.Context) (work, func()) {
	document, id := new(maker).container()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.api+json")
		_, _ = io.WriteString(w, document)
	}))
	client := newClient(terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(peer))
	url := srv.URL + "/containers/" + id
	return work{key: "get", name: fmt.Sprintf("get one container over loopback (%.1f KB)", float64(len(document))/1000), ways: []way{
		{"terminal49", func() error {
			_, err := client.Containers.Get(ctx, id, nil)
			return err
		}},
		{"net/http, the body discarded", func() error { return discard(url) }},
		{"net/http and encoding/json", func() error {
			body, err := read(url)
			if err != nil {
				return err
			}
			var got struct {
				Data     naiveContainer
				Included []naiveShipment
			}
			return json.Unmarshal(body, &got)
		}},
	}}, srv.Close
}

// serveList serves the pages of a list, each after the latency.
func serveList(latency time.Duration) *httptest.Server {
	pages := make([][]byte, walkPages)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("page[number]"))
		time.Sleep(latency)
		w.Header().Set("Content-Type", "application/vnd.api+json")
		_, _ = w.Write(pages[max(n, 1)-1])
	}))
	m := new(maker)
	for i := range pages {
		pages[i] = []byte(m.page(srv.URL, i+1, false))
	}
	return srv
}

func walkOurs(ctx context.Context, client *terminal49.Client, opts ...terminal49.CallOption) error {
	n := 0
	for _, err := range client.Shipments.All(ctx, nil, opts...) {
		if err != nil {
			return err
		}
		n++
	}
	return complete(n, pageItems*walkPages, nil)
}

func walk(ctx context.Context) (work, func()) {
	srv := serveList(0)
	client := newClient(terminal49.WithBaseURL(srv.URL))
	return work{key: "walk", name: fmt.Sprintf("walk %d shipments over loopback", pageItems*walkPages), ways: []way{
		{"terminal49", func() error { return walkOurs(ctx, client) }},
		{"net/http, the bodies discarded", func() error {
			for n := range walkPages {
				if err := discard(fmt.Sprintf("%s/shipments?page[number]=%d", srv.URL, n+1)); err != nil {
					return err
				}
			}
			return nil
		}},
		{"net/http and encoding/json", func() error {
			n := 0
			for next := srv.URL + "/shipments"; next != ""; {
				body, err := read(next)
				if err != nil {
					return err
				}
				var page naivePage
				if err := json.Unmarshal(body, &page); err != nil {
					return err
				}
				n, next = n+len(page.Data), page.Links.Next
			}
			return complete(n, pageItems*walkPages, nil)
		}},
	}}, srv.Close
}

func walkLate(ctx context.Context) (work, func()) {
	srv := serveList(20 * time.Millisecond)
	client := newClient(terminal49.WithBaseURL(srv.URL))
	return work{name: "the walk, 20 ms for each page", ways: []way{
		{"terminal49", func() error { return walkOurs(ctx, client) }},
		{"terminal49, WithPrefetch(4)", func() error { return walkOurs(ctx, client, terminal49.WithPrefetch(4)) }},
	}}, srv.Close
}
