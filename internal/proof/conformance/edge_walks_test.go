package conformance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// These rows are about lists of two pages whose first page has odd links or counts. A walk returns
// all items; or those of the first page, with ErrPagination if it has a next link that cannot be
// used. It never ends in silence, and returns no item twice.

// walkEdge is a first page and the outcome of a walk.
type walkEdge struct {
	name   string
	links  string // JSON; "" for no member
	meta   string
	items  string // elements of data in addition to the two resources
	result verdict
	pages  int // whose items the walk returns
}

// walkEdges follow the JSON:API specification: a link is a string, an object with href, or null
// (jsonapi.org/format, Document Links), and a client may ignore meta. A link leads to the following
// page only (SECURITY.md).
func walkEdges() (rows []walkEdge) {
	add := func(result verdict, pages int, links ...string) {
		for _, text := range links {
			rows = append(rows, walkEdge{name: "links: " + text, links: text, result: result, pages: pages})
		}
	}
	next := func(result verdict, pages int, values ...string) {
		for _, text := range values {
			add(result, pages, `{"next":`+text+`}`)
		}
	}
	next(verdictSuccess, 2, `"?page[number]=2"`, `"/v2/x?page[number]=2"`, `"https://elsewhere.example/x?page[number]=2"`,
		`"?page%5Bnumber%5D=2"`, `"?page[number]=2&filter[x]=y&q=z"`, `{"href":"?page[number]=2"}`,
		`{"href":"?page[number]=2","rel":"next","meta":{"count":1}}`, `{"meta":[],"href":"?page[number]=2"}`,
		`"?page[number]=2&page[size]=25"`, `"?page[number]=2&page[size]=100000"`, `"?page[number]=2&page[size]=0"`,
		`"?page[number]=2&page[size]=-1"`)
	next(verdictSuccess, 1, `null`)
	add(verdictSuccess, 1, ``, `{}`, `null`, `{"last":{"href":"?page[number]=2"}}`)
	next(verdictPages, 1, `[]`, `["?page[number]=2"]`, `7`, `true`, `{}`, `{"href":null}`, `{"href":7}`, `{"href":{}}`,
		`{"meta":{}}`, `"?"`, `"mailto:x"`, `"https://elsewhere.example/"`, `"?page[size]=25"`, `"?page[number]=2;x"`, `"%zz"`,
		`"?page[number]=%zz"`, `"?page[number]=-1"`, `"?page[number]=0"`,
		`"?page[number]=1"`, `"?page[number]=3"`, `"?page[number]=1000000000"`, `"?page[after]=b"`, `"?page[number]=3&page[number]=2"`, `"?page[number]=1e19"`,
		`"?page[number]=99999999999999999999"`, `"?page[number]="`, `"?page[number]=x"`, `"\u009b31m\u202e"`)
	add(verdictPages, 1, `[]`, `"?page[number]=2"`, `7`, `true`, `[{"next":"?page[number]=2"}]`)
	for _, meta := range []string{`[]`, `null`, `"x"`, `7`, `{"total":"4","size":"2"}`, `{"total":null}`, `{"total":-1,"size":-1}`,
		`{"total":0,"size":0}`, `{"total":1}`, `{"total":1000000000,"size":1}`, `{"total":1e19,"size":1e19}`,
		`{"total":9223372036854775807,"size":1}`, `{"total":4.0,"size":2.0}`, `{"total":{}}`} {
		rows = append(rows, walkEdge{name: "meta: " + meta, meta: meta, links: `{"next":"?page[number]=2"}`, pages: 2})
	}
	for _, last := range []string{`"?page[number]=1000000000"`, `"?page[number]=-1"`, `{"href":"?page[number]=2"}`, `7`, `[]`, `"%zz"`} {
		rows = append(rows, walkEdge{name: "last: " + last, links: `{"next":"?page[number]=2","last":` + last + `}`, pages: 2})
	}
	for _, items := range []string{`7`, `null`, `"x"`, `[]`} {
		rows = append(rows, walkEdge{name: "an item: " + items, items: items, links: `{"next":"?page[number]=2"}`, pages: 2})
	}
	return rows
}

// twoPages is a service whose every list has two pages of two items.
type twoPages struct {
	mu      sync.Mutex
	first   walkEdge
	queries []url.Values
	number  int // of the case
}

// caseHeader identifies the case of a request, because one that was canceled may arrive later.
const caseHeader = "X-Case"

// mark is middleware that adds the case to a request.
func (s *twoPages) mark(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	s.mu.Lock()
	number := s.number
	s.mu.Unlock()
	req = req.Clone(req.Context())
	req.Header.Set(caseHeader, strconv.Itoa(number))
	return next.RoundTrip(req)
}

func (s *twoPages) begin(e walkEdge) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.first, s.queries = e, nil
	s.number++
}

func (s *twoPages) asked() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queries
}

func (s *twoPages) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body)
	query := req.URL.Query()
	s.mu.Lock()
	if req.Header.Get(caseHeader) == strconv.Itoa(s.number) {
		s.queries = append(s.queries, query)
	}
	first := s.first
	s.mu.Unlock()
	e := walkEdge{links: `{}`, meta: `{}`}
	a, b := "b1", "b2"
	if number := query.Get("page[number]"); (number == "" || number == "1") && !query.Has("page[after]") {
		e, a, b = first, "a1", "a2"
	} else if number != "2" && number != "" {
		send(w, req, testkit.Reply{Status: 200, Body: `{"data":[],"links":{},"meta":{}}`})
		return
	}
	members := []string{`"data":[{"id":"` + a + `","type":"thing"},{"id":"` + b + `","type":"thing"}]`}
	if e.items != "" {
		members[0] = strings.TrimSuffix(members[0], "]") + "," + e.items + "]"
	}
	if e.links != "" {
		members = append(members, `"links":`+e.links)
	}
	if e.meta != "" {
		members = append(members, `"meta":`+e.meta)
	}
	send(w, req, testkit.Reply{Status: 200, Body: "{" + strings.Join(members, ",") + "}"})
}

// walk is a method that returns a list of any length, and its arguments.
type walk struct {
	testkit.Method
	args     []reflect.Value
	requests int             // of a usual list
	filters  map[string]bool // their queries, without the page
}

// ids calls the method and returns the ids of the items that it returned, also before an error.
func (w walk) ids(t *testing.T, c *terminal49.Client, prefetch int) ([]string, error) {
	var opts []terminal49.CallOption
	if prefetch > 0 {
		opts = append(opts, terminal49.WithPrefetch(prefetch))
	}
	results := w.Results(c, t.Context(), w.args, opts)
	if last := results[len(results)-1]; last.Kind() != reflect.Func {
		err, _ := last.Interface().(error)
		return idsOf(results[0]), err
	}
	var ids []string
	for item, failed := range results[0].Seq2() {
		if err, _ := failed.Interface().(error); err != nil {
			return ids, err
		}
		ids = append(ids, idsOf(item)...)
	}
	return ids, nil
}

// idsOf returns the ids of a resource, of a page or of a list of them.
func idsOf(v reflect.Value) (ids []string) {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			ids = append(ids, idsOf(v.Index(i))...)
		}
	case v.Kind() != reflect.Struct:
	case v.FieldByName("Items").IsValid():
		return idsOf(v.FieldByName("Items"))
	case v.FieldByName("ID").IsValid():
		return []string{v.FieldByName("ID").String()}
	}
	return ids
}

// everyID are the items of both pages.
var everyID = []string{"a1", "a2", "b1", "b2"}

// walks returns the methods that return the items of both pages of a usual list.
func walks(t *testing.T, c *terminal49.Client, s *twoPages) (list []walk) {
	for _, m := range testkit.Methods() {
		w := walk{Method: m}
		for _, arg := range m.Args {
			w.args = append(w.args, testkit.Usable(t, arg))
		}
		if polls(m.Name) {
			continue
		}
		s.begin(walkEdge{links: `{"next":"?page[number]=2"}`})
		ids, err := w.ids(t, c, 0)
		if err != nil || !slices.Equal(ids, everyID) {
			continue
		}
		w.requests, w.filters = len(s.asked()), map[string]bool{}
		for _, query := range s.asked() {
			w.filters[withoutPage(query)] = true
		}
		list = append(list, w)
	}
	require.Equal(t, walkCount, len(list))
	return list
}

// walkCount is the number of methods that return a list of any length.
const walkCount = 26

// polls reports whether a method polls, or returns an outcome for each number, and so no list.
func polls(name string) bool {
	_, method, _ := strings.Cut(name, ".")
	return strings.HasPrefix(method, "Wa") || strings.Contains(method, "Track") || method == "FindByNumbers"
}

// conformWalks tries every walk with every first page, over every protocol, page by page and ahead
// of the loop.
func conformWalks(t *testing.T, count *tally) {
	rows := walkEdges()
	for i, wire := range testkit.Wires() {
		t.Run(wire.Name, func(t *testing.T) {
			t.Parallel()
			s := new(twoPages)
			base, tr := wire.Serve(t, s)
			client := testkit.NewClient(t, tr, terminal49.WithBaseURL(base), testkit.Around(s.mark))
			all := walks(t, client, s)
			for j, e := range rows {
				t.Run(e.name, func(t *testing.T) {
					for k, w := range all {
						if (i+j+k)%testkit.Scale(13, 1) == 0 {
							for _, prefetch := range []int{0, 3} {
								count.add("walks over "+wire.Name, conformWalk(t, client, s, e, w, prefetch))
							}
						}
					}
				})
			}
		})
	}
}

// walkCases returns the number of cases of conformWalks when it runs whole.
func walkCases() int { return len(walkEdges()) * walkCount * 2 * len(testkit.Wires()) }

func conformWalk(t *testing.T, c *terminal49.Client, s *twoPages, e walkEdge, w walk, prefetch int) int {
	t.Helper()
	s.begin(e)
	overdue := limited(longestCall)
	ids, err := w.ids(t, c, prefetch)
	about := fmt.Sprintf("%s, %s, %d ahead: %.300v", w.Name, e.name, prefetch, err)
	require.Equal(t, e.result, judge(err), about)
	require.Equal(t, everyID[:2*e.pages], ids, about)
	require.False(t, overdue(), about)
	for ; err != nil; err = errors.Unwrap(err) {
		require.NotRegexp(t, obeyed, err.Error(), about)
	}
	asked := s.asked()
	require.LessOrEqual(t, len(asked), w.requests+prefetch, about)
	for _, query := range asked {
		require.True(t, w.filters[withoutPage(query)], "%s: %v", about, query)
		requirePage(t, query, about)
	}
	return len(asked)
}

// withoutPage returns the part of a query that a link may not change.
func withoutPage(query url.Values) string {
	rest := url.Values{}
	for name, values := range query {
		if !strings.HasPrefix(name, "page[") {
			rest[name] = values
		}
	}
	return rest.Encode()
}

// requirePage checks the page of a request: a link may not ask for more items than a client may
// (doc of MaxPageSize).
func requirePage(t *testing.T, query url.Values, about string) {
	t.Helper()
	if query.Has("page[size]") {
		size, err := strconv.Atoi(query.Get("page[size]"))
		require.NoError(t, err, about)
		require.True(t, size >= 1 && size <= terminal49.MaxPageSize, "%s: page[size]=%d", about, size)
	}
	if query.Has("page[number]") {
		number, err := strconv.Atoi(query.Get("page[number]"))
		require.NoError(t, err, about)
		require.Positive(t, number, about)
	}
}

// Every first page is JSON, so that it is the links and counts that are tried.
func TestConformance_WalksAreOfValidPages(t *testing.T) {
	for _, e := range walkEdges() {
		for _, text := range []string{e.links, e.meta, e.items} {
			require.True(t, text == "" || json.Valid([]byte(text)), e.name)
		}
	}
}
