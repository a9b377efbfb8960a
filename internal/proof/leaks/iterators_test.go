package leaks_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// A loop may be left in any way, at any item: by break, return, panic, runtime.Goexit, the end of
// its context or an error. When the loop ends, the iterator must have no request in progress and
// send nothing more. The tests run in bubbles, which fail by themselves if a goroutine remains.

const (
	leakPages    = 5 // of every list
	leakPageSize = 2
)

// leakService responds to every list with the same pages, takes a second for each, and counts
// requests in progress.
type leakService struct {
	requests, underWay, openBodies atomic.Int64

	fail atomic.Int64 // from this request on every response is 404; 0 for never
}

func (s *leakService) RoundTrip(r *http.Request) (*http.Response, error) {
	number := s.requests.Add(1)
	s.underWay.Add(1)
	defer s.underWay.Add(-1)
	if err := pause(r.Context(), time.Second); err != nil {
		return nil, err
	}
	status, text := http.StatusOK, s.text(r, number)
	if fail := s.fail.Load(); fail > 0 && number >= fail {
		status, text = http.StatusNotFound, `{"errors":[{"title":"gone"}]}`
	}
	s.openBodies.Add(1)
	body := &leakBody{Reader: strings.NewReader(text), open: &s.openBodies}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: body, ContentLength: -1, Request: r}, nil
}

func (s *leakService) text(r *http.Request, number int64) string {
	switch {
	case strings.HasSuffix(r.URL.Path, "/infer_number"):
		return `{"data":{"id":"i","type":"infer_number_result","attributes":{"number_type":"booking","validation":{"is_valid":true},
			"shipping_line":{"decision":"auto_select","selected":{"scac":"MAEU"}}}}}`
	case r.Method == http.MethodPost:
		return `{"data":{"id":"` + testkit.RequestID + `","type":"tracking_request"}}`
	case strings.HasSuffix(r.URL.Path, testkit.ContainerID): // a different last free day each time
		day := fmt.Sprintf("2024-07-%02dT07:00:00Z", 1+number%28)
		return `{"data":{"id":"` + testkit.ContainerID + `","type":"container","attributes":{"pickup_lfd":"` + day + `"}}}`
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page[number]"))
	page = max(1, page)
	var items []string
	for i := range leakPageSize {
		const failed = `{"delivery_status":"failed","created_at":"2024-07-01T00:00:00Z"}` // for the notifications
		items = append(items, fmt.Sprintf(`{"id":"%d-%d","type":"any","attributes":%s}`, page, i, failed))
	}
	links := `{}`
	if page < leakPages {
		links = `{"next":"https://api.example.test/?page[number]=` + strconv.Itoa(page+1) + `"}`
	}
	return `{"data":[` + strings.Join(items, ",") + `],"links":` + links + `}`
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type leakBody struct {
	io.Reader
	under  io.Closer // may be nil
	open   *atomic.Int64
	closed bool
}

func (b *leakBody) Close() error {
	if !b.closed {
		b.closed = true
		b.open.Add(-1)
	}
	if b.under != nil {
		return b.under.Close()
	}
	return nil
}

// leakWalk is an iterator of this package, reduced to the errors that it yields.
type leakWalk struct {
	name    string
	total   int // items; of an endless one, the number tried
	perPage int // items of a page that is fetched; 0 if it fetches something else
	endless bool
	method  reflect.Value
}

// everyWalk returns every method of every service that returns an iterator, so that new ones are
// included.
func everyWalk(t *testing.T, client *terminal49.Client) (list []leakWalk) {
	services := reflect.ValueOf(client).Elem()
	for i := range services.NumField() {
		if !services.Type().Field(i).IsExported() {
			continue
		}
		service := services.Field(i)
		for m := range service.NumMethod() {
			method := service.Type().Method(m)
			if method.Type.NumOut() != 1 || method.Type.Out(0).PkgPath() != "iter" {
				continue
			}
			w := leakWalk{name: services.Type().Field(i).Name + "." + method.Name, total: leakPages * leakPageSize,
				perPage: leakPageSize, method: service.Method(m)}
			switch {
			case hasOutcomes(w.name):
				w.total, w.perPage = len(leakNumbers()), 0
			case w.name == "Containers.Watch":
				w.total, w.perPage, w.endless = 4, 0, true
			case w.name == "Containers.WatchAll": // one walk; the next ones have no changes
				w.endless = true
			case w.name == "ShippingLines.All": // not paged
				w.total = leakPageSize
			case method.Name == "Pages":
				w.total, w.perPage = leakPages, 1
			}
			list = append(list, w)
		}
	}
	require.Greater(t, len(list), 20, "the search found the iterators")
	return list
}

// hasOutcomes reports whether an iterator yields an outcome for each number or id.
func hasOutcomes(name string) bool {
	return slices.Contains([]string{"Containers.FindByNumbers", "TrackingRequests.TrackAll", "TrackingRequests.WaitAll"}, name)
}

func leakNumbers() []string { return []string{"MAEU1", "MAEU2", "MAEU3", "MAEU2", "MAEU5", "MAEU6"} }

// pages is how many requests the whole list takes.
func (w leakWalk) pages() int { return w.total / max(w.perPage, 1) }

// start calls the method with a value for each parameter.
func (w leakWalk) start(ctx context.Context, opts []terminal49.CallOption) iter.Seq[error] {
	var args []reflect.Value
	for i := range w.method.Type().NumIn() {
		arg := reflect.New(w.method.Type().In(i)).Elem() // params are nil
		switch to := arg.Addr().Interface().(type) {
		case *context.Context:
			*to = ctx
		case *string:
			*to = testkit.ContainerID
		case *terminal49.Date:
			*to = terminal49.Date{Year: 2024, Month: time.July, Day: 1}
		case *iter.Seq[terminal49.TrackingRequestCreate]:
			*to = terminal49.NumbersToTrack(leakNumbers()...)
		case *[]string:
			for i := range leakNumbers() {
				id := fmt.Sprintf("%s%d", testkit.RequestID[:35], i)
				if w.name == "Containers.FindByNumbers" {
					id = terminal49test.ContainerNumber("MSKU", i)
				}
				*to = append(*to, id)
			}
		case *[]terminal49.CallOption:
			*to = opts
		}
		args = append(args, arg)
	}
	sequence := w.method.CallSlice(args)[0]
	return func(yield func(error) bool) {
		if !sequence.Type().CanSeq2() {
			for outcome := range sequence.Seq() {
				err, _ := outcome.FieldByName("Err").Interface().(error)
				if !yield(err) {
					return
				}
			}
			return
		}
		for _, problem := range sequence.Seq2() {
			err, _ := problem.Interface().(error)
			if !yield(err) {
				return
			}
		}
	}
}

// leavings returns the ways to leave a loop at item k, which is 0 for a loop that never starts.
// They return the errors seen.
func leavings() map[string]func(seq iter.Seq[error], k int, cancel func()) []error {
	upTo := func(seq iter.Seq[error], k int, leave func()) (errs []error) {
		n := 0
		for err := range seq {
			time.Sleep(time.Minute) // everything fetched ahead has arrived by now
			if err != nil {
				errs = append(errs, err)
			}
			if n++; n == k {
				if leave == nil {
					break
				}
				leave()
			}
		}
		return errs
	}
	errLeft := errors.New("left")
	return map[string]func(iter.Seq[error], int, func()) []error{
		"break": func(seq iter.Seq[error], k int, _ func()) []error { return upTo(seq, k, nil) },
		"twice": func(seq iter.Seq[error], k int, _ func()) []error {
			upTo(seq, k, nil)
			return upTo(seq, k, nil)
		},
		"context": func(seq iter.Seq[error], k int, cancel func()) []error { return upTo(seq, k, cancel) },
		"panic": func(seq iter.Seq[error], k int, _ func()) (errs []error) {
			defer func() {
				if v := recover(); v != nil && v != errLeft {
					panic(v)
				}
			}()
			return upTo(seq, k, func() { panic(errLeft) })
		},
		"exit": func(seq iter.Seq[error], k int, _ func()) (errs []error) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				errs = upTo(seq, k, runtime.Goexit)
			}()
			<-done
			return errs
		},
		"pull": func(seq iter.Seq[error], k int, _ func()) (errs []error) {
			next, stop := iter.Pull(seq)
			defer stop()
			for range k {
				err, more := next()
				if !more {
					break
				}
				time.Sleep(time.Minute)
				if err != nil {
					errs = append(errs, err)
				}
			}
			return errs
		},
	}
}

func TestLeaks_IteratorsLeftAtAnyItem(t *testing.T) {
	loops := 0
	for way, leave := range leavings() {
		eachWalk(t, func(t *testing.T, service *leakService, w leakWalk, prefetch int, opts []terminal49.CallOption) {
			for k := range w.total + 2 {
				if w.endless && k > w.total {
					continue // it would not end
				}
				at := fmt.Sprintf("%s, ahead %d, %s at item %d of %d", w.name, prefetch, way, k, w.total)
				loops++
				service.requests.Store(0)
				ctx, cancel := context.WithCancel(t.Context())
				seq := w.start(ctx, opts)
				if k > 0 {
					leave(seq, k, cancel)
				}
				sent := service.settled(t, at)
				cancel()
				require.Equal(t, k > 0, sent > 0, at)
				if k == 0 || w.perPage == 0 {
					continue
				}
				pages := min(w.pages(), (min(k, w.total)+w.perPage-1)/w.perPage+prefetch)
				if way == "twice" {
					pages *= 2
				}
				require.Equal(t, pages, sent, at)
			}
		})
	}
	t.Logf("figure: leaks: %d loops over every iterator left in %d ways: nothing running, nothing open, nothing sent afterwards", loops, len(leavings()))
}

// An error, including that of a context that ends at any moment, is yielded once and last.
func TestLeaks_IteratorsEndWithTheirError(t *testing.T) {
	eachWalk(t, func(t *testing.T, service *leakService, w leakWalk, prefetch int, opts []terminal49.CallOption) {
		for request := range leakPages + 1 {
			for _, want := range []error{terminal49.ErrNotFound, context.DeadlineExceeded} {
				at := fmt.Sprintf("%s, ahead %d, %v at request %d", w.name, prefetch, want, request)
				service.requests.Store(0)
				limit := 24 * time.Hour
				if want == terminal49.ErrNotFound {
					service.fail.Store(int64(request + 1))
				} else { // during a request, or during the wait between two polls
					limit = time.Duration(request)*time.Second + time.Second/2
				}
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				var errs []error
				n, last := 0, 0
				for err := range w.start(ctx, opts) {
					if n++; err != nil {
						errs, last = append(errs, err), n
					}
				}
				service.settled(t, at)
				cancel()
				service.fail.Store(0)
				switch {
				case hasOutcomes(w.name):
					// All numbers are inferred in the first second and created in the second.
					require.True(t, len(errs) > 0 || want == context.DeadlineExceeded && request > 1, at)
				case w.endless || request < w.pages():
					require.Len(t, errs, 1, at)
					require.ErrorIs(t, errs[0], want, at)
					require.Equal(t, n, last, at)
				default:
					require.Empty(t, errs, at)
				}
			}
		}
	})
}

// eachWalk runs test for every iterator, with every distance ahead.
func eachWalk(t *testing.T, test func(*testing.T, *leakService, leakWalk, int, []terminal49.CallOption)) {
	for prefetch := 0; prefetch < 4; prefetch += testkit.Scale(3, 1) {
		var opts []terminal49.CallOption
		if prefetch > 0 {
			opts = append(opts, terminal49.WithPrefetch(prefetch))
		}
		synctest.Test(t, func(t *testing.T) {
			service := &leakService{}
			for _, w := range everyWalk(t, testkit.NewClient(t, service)) {
				test(t, service, w, prefetch, opts)
			}
		})
	}
}

// settled requires that nothing continues after a loop, and returns the number of requests.
func (s *leakService) settled(t *testing.T, at string) int {
	t.Helper()
	sent := s.requests.Load()
	require.Zero(t, s.underWay.Load(), "%s: a request is under way", at)
	require.Zero(t, s.openBodies.Load(), "%s: a body is open", at)
	time.Sleep(time.Hour)
	synctest.Wait()
	require.Equal(t, sent, s.requests.Load(), "%s: sent after the loop", at)
	return int(sent)
}
