package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Queries as the iterators send them.
const (
	pageOne   = "page[size]=100"
	pageTwo   = "page[number]=2&page[size]=100"
	pageThree = "page[number]=3&page[size]=100"
)

// nextLink returns the link of page n, in the form of the service.
func nextLink(n int) string {
	return fmt.Sprintf("https://api.example.test/proxy/v2/shipments?page%%5Bnumber%%5D=%d&page%%5Bsize%%5D=100", n)
}

func shipmentIDs(shipments []*terminal49.Shipment) (list []string) {
	for _, s := range shipments {
		list = append(list, s.ID)
	}
	return list
}

// threePages are a, b | c | d.
func threePages() *testkit.FakeAPI {
	api := testkit.NewFakeAPI()
	api.OnPages("/shipments", map[string]string{
		pageOne: testkit.ShipmentPage(nextLink(2), "a", "b"), pageTwo: testkit.ShipmentPage(nextLink(3), "c"),
		pageThree: testkit.ShipmentPage("", "d"),
	})
	return api
}

func prefetches() map[string][]terminal49.CallOption {
	return map[string][]terminal49.CallOption{"plain": nil, "ahead 1": {terminal49.WithPrefetch(1)},
		"ahead 9": {terminal49.WithPrefetch(9)}}
}

func TestPagination_AllWalksEveryPage(t *testing.T) {
	for name, opts := range prefetches() {
		t.Run(name, func(t *testing.T) {
			api := threePages()
			all := testkit.NewClient(t, api).Shipments.All(t.Context(), nil, opts...)
			require.Empty(t, api.Requests(), "nothing is sent before the loop begins")
			for range 2 { // each range starts again
				got, err := testkit.Drain(all)
				require.NoError(t, err)
				require.Equal(t, []string{"a", "b", "c", "d"}, shipmentIDs(got))
			}
			require.Equal(t, []string{pageOne, pageTwo, pageThree, pageOne, pageTwo, pageThree}, api.Queries())
		})
	}
}

func TestPagination_PagesReportCountsAndLinks(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/shipments", map[string]string{
		pageOne: `{"data":[{"id":"a","type":"shipment"}],"meta":{"size":1,"total":2},
			"links":{"self":"s","current":"c","first":"f","prev":"p","next":"` + nextLink(2) + `","last":"l"}}`,
		pageTwo: `{"data":[]}`,
	})
	pages, err := testkit.Drain(testkit.NewClient(t, api).Shipments.Pages(t.Context(), nil))
	require.NoError(t, err)
	require.Len(t, pages, 2)
	require.Equal(t, terminal49.Links{Self: "s", Current: "c", First: "f", Prev: "p", Next: nextLink(2), Last: "l"},
		pages[0].Links)
	require.Equal(t, terminal49.Some(1), pages[0].Size)
	require.Equal(t, terminal49.Some(2), pages[0].Total)
	require.True(t, pages[0].HasNext())
	require.False(t, pages[1].HasNext())
	require.Equal(t, terminal49.Opt[int]{}, pages[1].Size)
	require.Equal(t, terminal49.Opt[int]{}, pages[1].Total)
}

func TestPagination_TheFirstPageFetchesNoOther(t *testing.T) {
	api := threePages()
	for s, err := range testkit.NewClient(t, api).Shipments.All(t.Context(), nil) {
		require.NoError(t, err)
		if s.ID == "b" {
			break // at the end of page one
		}
	}
	require.Equal(t, []string{pageOne}, api.Queries())
}

func TestPagination_PageSize(t *testing.T) {
	for name, test := range map[string]struct {
		params *terminal49.ShipmentListParams
		query  string
	}{
		"unset":      {nil, "page[size]=100"},
		"with other": {&terminal49.ShipmentListParams{Number: "X"}, "number=X&page[size]=100"},
		"set":        {&terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageSize: 7}}, "page[size]=7"},
		"start": {&terminal49.ShipmentListParams{PageParams: terminal49.PageParams{PageNumber: 4}},
			"page[number]=4&page[size]=100"},
	} {
		t.Run(name, func(t *testing.T) {
			api := testkit.NewFakeAPI()
			api.OnPages("/shipments", map[string]string{test.query: testkit.ShipmentPage("", "a")})
			_, err := testkit.Drain(testkit.NewClient(t, api).Shipments.All(t.Context(), test.params))
			require.NoError(t, err)
			_, err = testkit.Drain(testkit.NewClient(t, api).Shipments.Pages(t.Context(), test.params))
			require.NoError(t, err)
		})
	}
}

func TestPagination_AnErrorEndsTheIteration(t *testing.T) {
	for name, opts := range prefetches() {
		t.Run(name, func(t *testing.T) {
			api := testkit.NewFakeAPI()
			api.OnPages("/shipments", map[string]string{
				pageOne: testkit.ShipmentPage(nextLink(2), "a"), pageTwo: `!{"errors":[{"title":"Not Found"}]}`,
			})
			var got []string
			var errs []error
			for s, err := range testkit.NewClient(t, api).Shipments.All(t.Context(), nil, opts...) {
				if err != nil {
					require.Nil(t, s)
					errs = append(errs, err)
					continue // a caller who continues gets nothing more
				}
				got = append(got, s.ID)
			}
			require.Equal(t, []string{"a"}, got)
			require.Len(t, errs, 1)
			require.ErrorIs(t, errs[0], terminal49.ErrNotFound)
			var answered *terminal49.APIError
			require.ErrorAs(t, errs[0], &answered)
			require.Equal(t, "shipments.list", answered.Op)
		})
	}
}

func TestPagination_AnEmptyPageWithANextLinkIsNotTheEnd(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/shipments", map[string]string{
		pageOne: testkit.ShipmentPage(nextLink(2)), pageTwo: `{"data":null,"links":{"next":"` + nextLink(3) + `"}}`,
		pageThree: testkit.ShipmentPage("", "d"),
	})
	got, err := testkit.Drain(testkit.NewClient(t, api).Shipments.All(t.Context(), nil))
	require.NoError(t, err)
	require.Equal(t, []string{"d"}, shipmentIDs(got))
}

func TestPagination_LinksThatLeadNowhereAreAnError(t *testing.T) {
	for name, pages := range map[string]map[string]string{
		"to itself":           {pageOne: testkit.ShipmentPage(nextLink(2), "a"), pageTwo: testkit.ShipmentPage(nextLink(2), "b")},
		"in a circle":         {pageOne: testkit.ShipmentPage(nextLink(2), "a"), pageTwo: testkit.ShipmentPage(nextLink(3), "b"), pageThree: testkit.ShipmentPage(nextLink(2), "c")},
		"spelled differently": {pageOne: testkit.ShipmentPage(nextLink(2), "a"), pageTwo: testkit.ShipmentPage("?page[size]=100&page[number]=2", "b")},
		"to the start":        {pageOne: testkit.ShipmentPage("?page[size]=100", "a")},
		"not a URL":           {pageOne: testkit.ShipmentPage("https://%zz", "a")},
		"of empty ones":       nil,
	} {
		t.Run(name, func(t *testing.T) {
			api := testkit.NewFakeAPI()
			api.OnPages("/shipments", pages)
			want := len(pages)
			if pages == nil {
				want = 0
				api.RegisterResponder("GET", testkit.Base+"/shipments", func(*http.Request) (*http.Response, error) {
					return httpmock.NewStringResponse(200, testkit.ShipmentPage(nextLink(len(api.Requests())+1))), nil
				})
			}
			got, err := testkit.Drain(testkit.NewClient(t, api).Shipments.All(t.Context(), nil))
			require.ErrorIs(t, err, terminal49.ErrPagination)
			require.ErrorContains(t, err, "shipments.list")
			require.Len(t, got, want, "what came before the error is not lost")
			require.Less(t, len(api.Requests()), 200)
		})
	}
}

// Behind two servers that each ignore the page number, a page differs from the previous one without
// having new items.
func TestPagination_RepeatingPagesAreAnError(t *testing.T) {
	api, pages := testkit.NewFakeAPI(), 0
	ids := [][]string{{"a", "b"}, {"c", "d"}, {"b", "a"}, {"d", "c"}, {"e"}}
	api.RegisterResponder("GET", testkit.Base+"/shipments", func(*http.Request) (*http.Response, error) {
		pages++
		return httpmock.NewStringResponse(200, testkit.ShipmentPage(nextLink(pages+1), ids[pages%len(ids)]...)), nil
	})
	_, err := testkit.Drain(testkit.NewClient(t, api).Shipments.All(t.Context(), nil))
	require.ErrorIs(t, err, terminal49.ErrPagination)
	require.Equal(t, 4+1+terminal49.MaxBarrenPages, pages,
		"up to the last that was new, and as many as may bring nothing new")
}

// Lists change while they are walked: an item that moves from page one to page two is yielded once.
func TestPagination_OverlappingPages(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/shipments", map[string]string{
		pageOne: testkit.ShipmentPage(nextLink(2), "a", "b"), pageTwo: testkit.ShipmentPage(nextLink(3), "b", "c"),
		pageThree: testkit.ShipmentPage("", "c", "d"),
	})
	got, err := testkit.Drain(testkit.NewClient(t, api).Shipments.All(t.Context(), nil))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c", "d"}, shipmentIDs(got))
}

func TestPagination_NextLinksStayOnTheBaseURL(t *testing.T) {
	for name, link := range map[string]string{
		"other host":   "https://evil.test/v2/shipments?page%5Bnumber%5D=2&page%5Bsize%5D=100",
		"other scheme": "http://api.example.test/proxy/v2/shipments?page%5Bnumber%5D=2&page%5Bsize%5D=100",
		"other path":   "/v2/webhooks?page%5Bnumber%5D=2&page%5Bsize%5D=100",
		"with a user":  "https://api.example.test@evil.test/?page%5Bnumber%5D=2&page%5Bsize%5D=100",
	} {
		t.Run(name, func(t *testing.T) {
			var urls []string
			base := threePages()
			rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				urls = append(urls, req.URL.Scheme+"://"+req.URL.Host+req.URL.Path)
				if len(urls) == 1 {
					return httpmock.NewStringResponse(200, testkit.ShipmentPage(link, "a")), nil
				}
				return base.RoundTrip(req)
			})
			got, err := testkit.Drain(testkit.NewClient(t, rt).Shipments.All(t.Context(), nil))
			require.NoError(t, err)
			require.Equal(t, []string{"a", "c", "d"}, shipmentIDs(got))
			for _, url := range urls {
				require.Equal(t, testkit.Base+"/shipments", url)
			}
		})
	}
}

func TestPagination_BreakStopsRequestsAndLeaksNothing(t *testing.T) {
	for name, opts := range prefetches() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // which fails if a goroutine remains
				api := testkit.NewFakeAPI()
				api.RegisterResponder("GET", testkit.Base+"/shipments", func(req *http.Request) (*http.Response, error) {
					select {
					case <-time.After(time.Second):
					case <-req.Context().Done():
						return nil, req.Context().Err()
					}
					n := len(api.Requests())
					return httpmock.NewStringResponse(200, testkit.ShipmentPage(nextLink(n+1), fmt.Sprint(n))), nil
				})
				start := time.Now()
				for s, err := range testkit.NewClient(t, api).Shipments.All(t.Context(), nil, opts...) {
					require.NoError(t, err)
					require.Equal(t, "1", s.ID)
					break
				}
				require.Equal(t, time.Second, time.Since(start), "break waits for nothing")
				before := len(api.Requests())
				time.Sleep(time.Minute)
				require.Len(t, api.Requests(), before)
				require.LessOrEqual(t, before, 2)
			})
		})
	}
}

func TestPagination_PrefetchLeaksNoGoroutine(t *testing.T) {
	before := goleak.IgnoreCurrent()
	client := testkit.NewClient(t, threePages())
	for range client.Shipments.Pages(t.Context(), nil, terminal49.WithPrefetch(2)) {
		break
	}
	_, err := testkit.Drain(client.Shipments.Pages(t.Context(), nil, terminal49.WithPrefetch(2)))
	require.NoError(t, err)
	require.NoError(t, goleak.Find(before))
}

func TestPagination_APanicInTheLoopLeaksNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testkit.NewClient(t, threePages())
		require.PanicsWithValue(t, "mine", func() {
			for range client.Shipments.All(t.Context(), nil, terminal49.WithPrefetch(2)) {
				panic("mine")
			}
		})
	})
}

// Prefetching works while the caller does: three pages of a second each, and three seconds of work
// on each.
func TestPagination_PrefetchOverlapsTheCallersWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pages := threePages()
		slow := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return pages.RoundTrip(req)
		})
		for n, want := range map[int]time.Duration{0: 12 * time.Second, 1: 10 * time.Second} {
			var opts []terminal49.CallOption
			if n > 0 {
				opts = append(opts, terminal49.WithPrefetch(n))
			}
			start := time.Now()
			for _, err := range testkit.NewClient(t, slow).Shipments.Pages(t.Context(), nil, opts...) {
				require.NoError(t, err)
				time.Sleep(3 * time.Second)
			}
			require.Equal(t, want, time.Since(start), n)
		}
	})
}

// Pages that are fetched ahead use the rate limit even if they are not needed, so there are never
// more of them than requested.
func TestPagination_PrefetchIsNoFurtherAheadThanAsked(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			var sent atomic.Int32
			rt := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				page := int(sent.Add(1))
				return httpmock.NewStringResponse(200, testkit.ShipmentPage(nextLink(page+1), strconv.Itoa(page))), nil
			})
			seen := 0
			for _, err := range testkit.NewClient(t, rt, terminal49.WithoutRateLimits()).Shipments.Pages(t.Context(), nil,
				terminal49.WithPrefetch(n)) {
				require.NoError(t, err)
				seen++
				synctest.Wait()
				require.Equal(t, seen+n, int(sent.Load()))
				if seen == 3 {
					break
				}
			}
		})
	}
}

// Whenever the parent context ends, the caller receives every page or an error.
func TestPagination_CancellationIsNotTheEnd(t *testing.T) {
	errMine := errors.New("mine")
	for name, opts := range prefetches() {
		for cancelAt := range 3 {
			t.Run(fmt.Sprint(name, " page ", cancelAt+1), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancelCause(t.Context())
					pages := threePages()
					rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						if err := req.Context().Err(); err != nil {
							return nil, err
						}
						return pages.RoundTrip(req)
					})
					var got int
					var last error
					for p, err := range testkit.NewClient(t, rt).Shipments.Pages(ctx, nil, opts...) {
						if last = err; err != nil {
							require.Nil(t, p)
							continue
						}
						if got == cancelAt {
							synctest.Wait() // let the prefetching finish
							cancel(errMine)
							synctest.Wait()
						}
						got++
					}
					cancel(nil)
					if last == nil {
						require.Equal(t, 3, got, "silently cut short")
						return
					}
					require.ErrorIs(t, last, context.Canceled)
					require.ErrorIs(t, last, errMine)
				})
			})
		}
	}
}

func TestPagination_CollectReturnsAllOrNothing(t *testing.T) {
	broken := errors.New("broken")
	var seq iter.Seq2[*terminal49.Shipment, error] = func(yield func(*terminal49.Shipment, error) bool) {
		_ = yield(&terminal49.Shipment{}, nil) && yield(nil, broken)
	}
	list, err := terminal49.Collect(seq)
	require.Nil(t, list)
	require.ErrorIs(t, err, broken)
}

// movingList is a service with containers that changes before each response, as a live account
// does: the default order is by the latest refresh.
type movingList struct {
	random  *rand.Rand
	created []int        // newest first
	current []int        // latest refresh first
	gone    map[int]bool // removed since the start
	changes []func(*movingList)
	sorts   bool // has the parameter sort
}

const movingSize = 50 // the service's largest page of containers

func newMovingList(seed uint64, sorts bool, changes ...func(*movingList)) *movingList {
	l := &movingList{random: rand.New(rand.NewPCG(seed, 1)), gone: map[int]bool{}, sorts: sorts, changes: changes}
	for n := range 2000 {
		l.created = slices.Insert(l.created, 0, n)
	}
	l.current = slices.Clone(l.created)
	return l
}

func (l *movingList) add() {
	n := 2000 + len(l.created) + len(l.gone)
	l.created, l.current = slices.Insert(l.created, 0, n), slices.Insert(l.current, 0, n)
}

func (l *movingList) remove() {
	n := l.created[l.random.IntN(len(l.created))]
	isN := func(other int) bool { return other == n }
	l.created, l.current, l.gone[n] = slices.DeleteFunc(l.created, isN), slices.DeleteFunc(l.current, isN), true
}

func (l *movingList) refresh() {
	n := l.created[l.random.IntN(len(l.created))]
	l.current = slices.Insert(slices.DeleteFunc(l.current, func(other int) bool { return other == n }), 0, n)
}

// movingID returns the id of container n.
func movingID(n int) string { return fmt.Sprintf("5f5a7c2e-1d0b-4a3e-9c56-0e8b1a%06d", n) }

func (l *movingList) RoundTrip(req *http.Request) (*http.Response, error) {
	for range l.random.IntN(4) {
		l.changes[l.random.IntN(len(l.changes))](l)
	}
	rows, number := l.current, 1
	if l.sorts && req.URL.Query().Get("sort") == "-created_at" {
		rows = l.created
	}
	if n, err := strconv.Atoi(req.URL.Query().Get("page[number]")); err == nil {
		number = n
	}
	var data []string
	for _, n := range rows[min(len(rows), (number-1)*movingSize):min(len(rows), number*movingSize)] {
		data = append(data, fmt.Sprintf(`{"id":%q,"type":"container"}`, movingID(n)))
	}
	links := "{}"
	if number*movingSize < len(rows) {
		links = fmt.Sprintf(`{"next":"?page[number]=%d"}`, number+1)
	}
	return httpmock.NewStringResponse(200, fmt.Sprintf(`{"data":[%s],"meta":{"total":%d},"links":%s}`,
		strings.Join(data, ","), len(rows), links)), nil
}

// A container that is in the list all the time is yielded, or the list is reported as changed. No
// container is yielded twice.
func TestPagination_AListThatMoves(t *testing.T) {
	add, remove, refresh := (*movingList).add, (*movingList).remove, (*movingList).refresh
	for name, test := range map[string]struct {
		sorts   bool
		changes []func(*movingList)
		loses   bool
	}{
		"sorted, added and refreshed":          {true, []func(*movingList){add, refresh}, false},
		"sorted, refreshed":                    {true, []func(*movingList){refresh}, false},
		"sorted, added, removed":               {true, []func(*movingList){add, remove, remove}, true},
		"sort ignored, refreshed":              {false, []func(*movingList){refresh}, true},
		"sort ignored, added, removed as well": {false, []func(*movingList){add, remove, refresh}, true},
	} {
		for _, prefetch := range []int{0, 4} {
			lost, walks, moved := 0, 0, 0
			for seed := range testkit.Scale(8, 100) {
				synctest.Test(t, func(t *testing.T) {
					list := newMovingList(uint64(seed), test.sorts, test.changes...)
					var lock sync.Mutex
					client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						lock.Lock()
						defer lock.Unlock()
						return list.RoundTrip(req)
					}), terminal49.WithoutRateLimits())
					var last terminal49.Response
					opts := []terminal49.CallOption{terminal49.WithResponse(&last)}
					if prefetch > 0 {
						opts = append(opts, terminal49.WithPrefetch(prefetch))
					}
					got := map[string]bool{}
					for c, err := range client.Containers.All(t.Context(), nil, opts...) {
						require.NoError(t, err)
						require.False(t, got[c.ID], "%s: yielded twice", c.ID)
						got[c.ID] = true
					}
					missing := 0
					for n := range 2000 {
						if !got[movingID(n)] && !list.gone[n] {
							missing++
						}
					}
					if missing > 0 {
						require.True(t, last.ListChanged, "seed %d: %d lost without a sign", seed, missing)
					}
					if !test.loses {
						require.Zero(t, missing, "seed %d", seed)
					}
					walks, lost = walks+1, lost+missing
					if last.ListChanged {
						moved++
					}
				})
			}
			t.Logf("figure: pages: %s, prefetch %d: %d walks, %d reported as changed, %d lost with that sign, 0 without it", name, prefetch, walks, moved, lost)
		}
	}
}

// docs/service.md, "Order of lists": the latest refresh first, which one refresh between two pages
// changes.
func TestPagination_AContainerThatIsRefreshedBetweenPages(t *testing.T) {
	for name, total := range map[string]int{"with a total": 4, "without": -1} {
		order := []string{"1", "2", "3", "4"}
		rt := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			rows, links := order[:2], `{"next":"?page[number]=2"}`
			if req.URL.Query().Get("page[number]") == "2" {
				rows, links = order[2:], "{}"
			}
			order = []string{"4", "1", "2", "3"}
			return httpmock.NewStringResponse(200, fmt.Sprintf(
				`{"data":[{"id":%q,"type":"container"},{"id":%q,"type":"container"}],"meta":{"total":%d},"links":%s}`, rows[0], rows[1], total, links)), nil
		})
		var signs []bool
		for page, err := range testkit.NewClient(t, rt).Containers.Pages(t.Context(), nil) {
			require.NoError(t, err)
			signs = append(signs, page.ListChanged)
		}
		require.Equal(t, []bool{false, true}, signs, name)
	}
}

func TestPagination_AListThatStaysIsNotReportedAsChanged(t *testing.T) {
	for name, opts := range prefetches() {
		var last terminal49.Response
		opts = append(opts, terminal49.WithResponse(&last))
		_, err := testkit.Drain(testkit.NewClient(t, threePages()).Shipments.All(t.Context(), nil, opts...))
		require.NoError(t, err)
		require.False(t, last.ListChanged, name)
	}
}
