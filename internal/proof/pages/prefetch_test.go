package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const latency = 300 * time.Millisecond

// pagedList responds with the pages of a list of numbered shipments. By default it has the form of
// the service: meta {size, total}; links next and last that spell out number and size.
type pagedList struct {
	length int
	most   int // larger sizes are reduced without an error
	links  func(page, size, asked, last int) (next, lastLink string)
	meta   func(size, total int) string
	status map[int]int // of pages that fail

	mu        sync.Mutex
	asked     []string // page numbers, in order of arrival
	underWay  int
	together  int // the most that were under way
	cancelled int
}

func pageLink(page, size int) string {
	return fmt.Sprintf("https://api.example.test/v2/shipments?page[number]=%d&page[size]=%d", page, size)
}

func (l *pagedList) RoundTrip(req *http.Request) (*http.Response, error) {
	query := req.URL.Query()
	l.mu.Lock()
	l.asked = append(l.asked, query.Get("page[number]"))
	l.underWay++
	l.together = max(l.together, l.underWay)
	l.mu.Unlock()
	var late bool
	select {
	case <-time.After(latency):
	case <-req.Context().Done():
		late = true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.underWay--
	if late {
		l.cancelled++
		return nil, req.Context().Err()
	}
	page, _ := strconv.Atoi(query.Get("page[number]"))
	page = max(page, 1)
	if status := l.status[page]; status != 0 {
		return testkit.Answer(status, `{"errors":[{"title":"refused"}]}`)(req)
	}
	asked, _ := strconv.Atoi(query.Get("page[size]"))
	resp, err := testkit.Answer(200, l.page(page, asked))(req)
	resp.Header.Set("X-Request-Id", strconv.Itoa(page))
	return resp, err
}

func (l *pagedList) page(page, asked int) string {
	size := min(asked, l.most)
	last := (l.length + size - 1) / size
	var items []string
	for i := (page - 1) * size; i < min(page*size, l.length); i++ {
		items = append(items, fmt.Sprintf(`{"id":"%d","type":"shipment"}`, i))
	}
	next, lastLink := "", pageLink(last, size)
	if page < last {
		next = pageLink(page+1, size)
	}
	if l.links != nil {
		next, lastLink = l.links(page, size, asked, last)
	}
	meta := fmt.Sprintf(`{"size":%d,"total":%d}`, len(items), l.length)
	if l.meta != nil {
		meta = l.meta(len(items), l.length)
	}
	var links []string
	for name, link := range map[string]string{"next": next, "last": lastLink} {
		if link != "" {
			links = append(links, fmt.Sprintf("%q:%q", name, link))
		}
	}
	return fmt.Sprintf(`{"data":[%s],"meta":%s,"links":{%s}}`, strings.Join(items, ","), meta, strings.Join(links, ","))
}

// walk returns the ids of the walk, in the order in which they were received.
func (l *pagedList) walk(t *testing.T, opts ...terminal49.CallOption) (ids []string, err error) {
	all, err := testkit.Drain(testkit.NewClient(t, l).Shipments.All(t.Context(), nil, opts...))
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	return ids, err
}

func numbers(from, n int) (list []string) {
	for i := range n {
		list = append(list, strconv.Itoa(from+i))
	}
	return list
}

// After the first page, n pages take the time of one. The figures are those of arithmetic: 1 page,
// and 99 more, n at a time.
func TestPages_SideBySide(t *testing.T) {
	for n, rounds := range map[int]int{1: 100, 2: 1 + 50, 4: 1 + 25, 7: 1 + 15, 100: 1 + 1} {
		synctest.Test(t, func(t *testing.T) {
			l := &pagedList{length: 9_950, most: 100}
			start := time.Now()
			got, err := l.walk(t, terminal49.WithPrefetch(n))
			require.NoError(t, err)
			require.Equal(t, time.Duration(rounds)*latency, time.Since(start), n)
			require.Equal(t, numbers(0, 9_950), got)
			require.ElementsMatch(t, append([]string{""}, numbers(2, 99)...), l.asked, "none twice, none beyond")
			require.Equal(t, min(n, 99), l.together)
		})
	}
}

// The service reduces page sizes without an error (docs/service.md#page-sizes), and its links may
// name either size. The count of pages follows from the size that was received: 430 items are 9
// pages of 50.
func TestPages_CountedByTheSizeThatCame(t *testing.T) {
	type links = func(page, size, asked, last int) (string, string)
	for name, links := range map[string]links{
		"links of the size that came": nil,
		"links of the size asked for": func(page, _, asked, last int) (string, string) {
			if page == last {
				return "", ""
			}
			return pageLink(page+1, asked), ""
		},
	} {
		for _, pages := range []int{1, 3} { // where the walk starts
			synctest.Test(t, func(t *testing.T) {
				l := &pagedList{length: 430, most: 50, links: links}
				start := time.Now()
				got, err := testkit.Drain(testkit.NewClient(t, l).Shipments.All(t.Context(),
					&terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: pages}}, terminal49.WithPrefetch(4)))
				require.NoError(t, err, name)
				require.Len(t, got, 430-50*(pages-1), name)
				require.ElementsMatch(t, numbers(pages, 10-pages), l.asked, name)
				require.Equal(t, 3*latency, time.Since(start), name)
			})
		}
	}
}

// The number of pages is known from meta.total or from links.last. If they differ, only the pages
// that both report are requested side by side.
func TestPages_WhatReportsTheirNumber(t *testing.T) {
	none := func(int, int) string { return `{}` }
	next := func(page, size, last int) string {
		if page == last {
			return ""
		}
		return pageLink(page+1, size)
	}
	for name, test := range map[string]struct {
		meta   func(size, total int) string
		links  func(page, size, asked, last int) (string, string)
		rounds int
	}{
		"both":    {nil, nil, 1 + 3},
		"total":   {nil, func(page, size, _, last int) (string, string) { return next(page, size, last), "" }, 1 + 3},
		"last":    {none, nil, 1 + 3},
		"neither": {none, func(page, size, _, last int) (string, string) { return next(page, size, last), "" }, 10},
		"last is lower": {nil, func(page, size, _, last int) (string, string) {
			return next(page, size, last), pageLink(4, size)
		}, 1 + 1 + 6},
		"total is lower": {func(int, int) string { return `{"total":350}` }, nil, 1 + 1 + 6},
		"no items":       {func(int, int) string { return `{"total":0}` }, nil, 10},
		"cursors too": {nil, func(page, size, _, last int) (string, string) {
			if page == last {
				return "", ""
			}
			return fmt.Sprintf("?page[number]=%d&page[cursor]=c%d", page+1, page), pageLink(last, size)
		}, 1 + 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &pagedList{length: 950, most: 100, meta: test.meta, links: test.links}
			start := time.Now()
			got, err := l.walk(t, terminal49.WithPrefetch(3))
			require.NoError(t, err, name)
			require.Equal(t, numbers(0, 950), got, name)
			require.Len(t, l.asked, 10, "%s: none twice, none beyond", name)
			require.Equal(t, time.Duration(test.rounds)*latency, time.Since(start), name)
		})
	}
}

// A link that passes over a page would leave its items out.
func TestPages_ALinkThatPassesOverAPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pagedList{length: 1000, most: 100, links: func(page, size, _, _ int) (string, string) {
			return pageLink(page+1+page/4, size), pageLink(10, size)
		}}
		got, err := l.walk(t, terminal49.WithPrefetch(3))
		require.ErrorIs(t, err, terminal49.ErrPagination)
		require.Equal(t, numbers(0, 400), got)
	})
}

// A link to a page before the first implies nothing about the pages after it, so none of them is
// requested before it is linked: the doc comment of WithPrefetch.
func TestPages_NumbersBeforeTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pagedList{length: 300, most: 100, meta: func(int, int) string { return `{}` },
			links: func(page, size, _, _ int) (string, string) { return pageLink(-1, size), "" }}
		_, err := l.walk(t, terminal49.WithPrefetch(3))
		require.ErrorIs(t, err, terminal49.ErrPagination)
		require.NotContains(t, l.asked, "0")
		require.NotContains(t, l.asked, "1")
	})
}

// An error is yielded after the items of all pages before it, and later requests are cancelled.
func TestPages_AnErrorAtItsPlace(t *testing.T) {
	for at := 1; at <= 10; at++ {
		synctest.Test(t, func(t *testing.T) {
			l := &pagedList{length: 1000, most: 100, status: map[int]int{at: http.StatusForbidden, at + 1: http.StatusTeapot}}
			got, err := l.walk(t, terminal49.WithPrefetch(4))
			require.ErrorIs(t, err, terminal49.ErrForbidden)
			require.Equal(t, numbers(0, 100*(at-1)), got)
			require.LessOrEqual(t, len(l.asked), at+3)
			require.Zero(t, l.underWay)
		})
	}
}

func TestPages_BreakCancelsWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pagedList{length: 1000, most: 100}
		start := time.Now()
		for range testkit.NewClient(t, l).Shipments.All(t.Context(), nil, terminal49.WithPrefetch(4)) {
			synctest.Wait()
			break
		}
		require.Equal(t, latency, time.Since(start))
		require.ElementsMatch(t, []string{"", "2", "3", "4", "5"}, l.asked)
		require.Equal(t, 4, l.cancelled)
		require.Zero(t, l.underWay)
	})
}

// While the loop works on a page, at most n more are held or under way, as WithPrefetch documents.
func TestPages_AtMostNAreHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, seen := &pagedList{length: 2000, most: 100}, 0
		for _, err := range testkit.NewClient(t, l).Shipments.Pages(t.Context(), nil, terminal49.WithPrefetch(4)) {
			require.NoError(t, err)
			seen++
			time.Sleep(time.Minute)
			l.mu.Lock()
			require.Len(t, l.asked, min(seen+4, 20))
			l.mu.Unlock()
		}
		require.Equal(t, 20, seen)
	})
}

// The Response is that of the page that the loop works on, even if other requests are under way.
func TestPages_ResponseOfTheLatestPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, seen := &pagedList{length: 1000, most: 100, status: map[int]int{8: http.StatusForbidden}}, 0
		var r terminal49.Response
		for _, err := range testkit.NewClient(t, l).Shipments.Pages(t.Context(), nil, terminal49.WithPrefetch(4),
			terminal49.WithResponse(&r)) {
			if seen++; seen == 8 {
				require.Error(t, err)
				require.Equal(t, http.StatusForbidden, r.StatusCode)
				continue
			}
			require.Equal(t, strconv.Itoa(seen), r.RequestID)
			time.Sleep(time.Minute)
		}
		require.Equal(t, 8, seen)
	})
}

// paced grants one slot a second.
type paced struct{ turns chan struct{} }

func (p paced) Acquire(context.Context, terminal49.Bucket) (func(), error) {
	p.turns <- struct{}{}
	time.AfterFunc(time.Second, func() { <-p.turns })
	return func() {}, nil
}
func (paced) Pause(terminal49.Bucket, time.Duration) {}

// Slots of the rate limit are taken in order of number, so that no page waits for a later one.
func TestPages_TakeTheLimitInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pagedList{length: 2000, most: 100}
		client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(testkit.Base),
			terminal49.WithHTTPClient(&http.Client{Transport: l}), terminal49.WithLimiter(paced{make(chan struct{}, 1)}))
		require.NoError(t, err)
		_, err = testkit.Drain(client.Shipments.Pages(t.Context(), nil, terminal49.WithPrefetch(10)))
		require.NoError(t, err)
		require.Equal(t, append([]string{""}, numbers(2, 19)...), l.asked)
	})
}

// A response that arrives at once must not end the walk, regardless of which of the prefetcher's
// signals is received first. The doc comment of WithPrefetch: the walk is that without it.
func TestPages_InstantResponses(t *testing.T) {
	list := &pagedList{length: 40, most: 10}
	instant := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		page, _ := strconv.Atoi(req.URL.Query().Get("page[number]"))
		return testkit.Answer(200, list.page(max(page, 1), 10))(req)
	})
	client := testkit.NewClient(t, instant, terminal49.WithoutRateLimits())
	var crowd sync.WaitGroup
	for range 50 { // more than there are cores, so that a goroutine may rest anywhere
		crowd.Go(func() {
			for range testkit.Scale(100, 500) {
				all, err := testkit.Drain(client.Shipments.All(t.Context(), nil, terminal49.WithPrefetch(4)))
				if !assert.NoError(t, err) || !assert.Len(t, all, 40) {
					return
				}
			}
		})
	}
	crowd.Wait()
}
