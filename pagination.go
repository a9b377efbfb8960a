package terminal49

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/internal/text"
)

// Page is one page of a list.
type Page[T any] struct {
	Items []*T
	Links Links
	Size  Opt[int] // meta.size: items on this page; missing in some lists
	Total Opt[int] // meta.total: items on all pages; missing in some lists

	badNext, noNext bool
}

// HasNext reports whether the service links a next page. If the link cannot be read, HasNext
// returns true although Links.Next is "".
func (p *Page[T]) HasNext() bool { return p.Links.Next != "" || p.badNext }

// Links are the page links as the service sent them, without the client's credentials: absolute
// URLs, "" for those it omitted, "[secret]" for those of more than 64 KiB. They are informational:
// the iterators take only the page number from them and stay on the configured base URL, so that
// the token is never sent elsewhere.
type Links struct{ Self, Current, First, Prev, Next, Last string }

// PageParams selects a page. The zero value leaves the choice to the service, which starts at page
// 1. All and Pages then request the largest pages, so that they need few requests.
type PageParams struct {
	PageNumber int // 1 is the first; for All and Pages, where to start
	PageSize   int // 1 to 100; see MaxPageSize
}

const pageNumber, pageSize = "page[number]", "page[size]"

// MaxPageSize is the maximum number of items per page that a client may request. The service
// silently reduces a larger size, so this package rejects it. The iterators accept pages of any
// size.
//
// According to documents of September and October 2026, later than the published OpenAPI file, a
// page of containers has at most 50 items; several copies agree. They state no maximum for
// shipments. Without a size, a page has 30 shipments or containers or 25 parties.
const MaxPageSize = 100

// ErrPagination is returned when the next link of a page does not name the page after it or is ""
// although items are missing, or when a list does not end: 21 pages in a row have no new items,
// there are 100,000 pages, or they have more than twice as many items as meta.total, and 1,000. The
// items before it are kept, because such a link may follow the last page: an iterator yields them
// first, and a method that returns a slice returns them with the error. On any other error the
// slice is nil.
var ErrPagination = errors.New("terminal49: the list cannot be read to its end")

// The limits of a walk. A list may grow and items may move while it is walked, so that a walk gets
// more items than any page reported.
const (
	maxBarrenPages = 20      // in a row without new items: empty, or the previous page again
	maxPages       = 100_000 // more than 16 hours at the service's limit of 100 requests a minute
	maxExcess      = 1_000   // items of a walk in addition to twice the total
)

func (p PageParams) query(q *query) {
	q.paged = true
	if p.PageNumber < 0 {
		q.reject("PageNumber", "must be 1 or more")
	}
	if p.PageSize < 0 || p.PageSize > MaxPageSize {
		q.reject("PageSize", fmt.Sprintf("must be 1 to %d, not %d", MaxPageSize, p.PageSize))
	}
	if p.PageNumber > 0 {
		q.setText(pageNumber, strconv.Itoa(p.PageNumber))
	}
	if p.PageSize > 0 {
		q.setText(pageSize, strconv.Itoa(p.PageSize))
	}
}

// fetchPage fetches one page.
func fetchPage[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) (*Page[T], error) {
	made := c.call(e, opts)
	return readPage[T, P](ctx, &made)
}

func readPage[T any, P resourceType[T]](ctx context.Context, c *apiCall) (*Page[T], error) {
	items, doc, err := fetchDocument[T, P](ctx, c)
	if err == nil {
		err = c.verify(items)
	}
	if err != nil {
		return nil, err
	}
	return &Page[T]{Items: append([]*T{}, items...), Links: c.client.masked(Links(doc.Links)), Size: count(doc.Meta.Size),
		Total: count(doc.Meta.Total), badNext: doc.BadNext, noNext: doc.NoNext}, nil
}

// longestLink is far more than any server accepts. Redacting a link of megabytes takes seconds.
const longestLink = 64 << 10

// masked takes the credentials out of links: callers may print them, and middleware sees the query
// of the next one.
func (c *Client) masked(l Links) Links {
	for _, link := range []*string{&l.Self, &l.Current, &l.First, &l.Prev, &l.Next, &l.Last} {
		if len(*link) > longestLink {
			*link = text.Mask
		}
		*link = c.mask(*link)
	}
	return l
}

// count is not inlined: Go would compile it again for each type.
//
//go:noinline
func count(n int) Opt[int] {
	if n < 0 {
		return Opt[int]{}
	}
	return Some(n)
}

// pagesOf walks the pages of a list. Each range over the result starts again at the first.
func pagesOf[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) iter.Seq2[*Page[T], error] {
	made := c.call(e.largest(), opts)
	return func(yield func(*Page[T], error) bool) {
		for step, err := range steps(ctx, made, readAnyPage[T, P]) {
			p, _ := step.page.(*Page[T])
			if !yield(p, err) {
				return
			}
		}
	}
}

// allOf walks the items of a list. Lists change while they are walked: an item that slid from one
// page to the next is not yielded again.
func allOf[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) iter.Seq2[*T, error] {
	made := c.call(e.largest(), opts)
	return func(yield func(*T, error) bool) {
		for step, err := range steps(ctx, made, readAnyPage[T, P]) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, i := range step.fresh {
				if !yield(step.page.(*Page[T]).Items[i], nil) {
					return
				}
			}
		}
	}
}

// anyPage is a page of items of any type. The walk uses nothing else of it, so that Go compiles the
// walk once rather than for each type.
type anyPage struct {
	page  any      // a *Page[T]
	ids   []string // of its items
	links *Links
	total int  // -1 if unknown
	more  bool // there is a next link
	empty bool // which is ""
}

func readAnyPage[T any, P resourceType[T]](ctx context.Context, c apiCall) (anyPage, error) {
	p, err := readPage[T, P](ctx, &c)
	if err != nil {
		return anyPage{}, err
	}
	ids := make([]string, len(p.Items))
	for i, item := range p.Items {
		ids[i] = P(item).resource().ID
	}
	return anyPage{p, ids, &p.Links, p.Total.Or(-1), p.HasNext(), p.noNext}, nil
}

// step is one page of a walk, with the indices of its items that the walk had not seen before.
type step struct {
	anyPage
	fresh []int
}

// steps is the walk behind pagesOf and allOf. read fetches a page. It is not inlined: Go would
// compile it again for each type.
//
//go:noinline
func steps(ctx context.Context, made apiCall, read func(context.Context, apiCall) (anyPage, error)) iter.Seq2[step, error] {
	return func(yield func(step, error) bool) {
		w := newWalker(made)
		if made.prefetch > 0 && ctx != nil { // which the walk reports
			ahead(ctx, w, read, yield)
			return
		}
		for !w.done {
			p, err := read(ctx, w.apiCall)
			if err != nil {
				yield(step{}, err)
				return
			}
			s, err := w.take(p)
			if !yield(s, nil) {
				return
			}
			if err != nil {
				yield(step{}, err)
				return
			}
		}
	}
}

// largest asks for the largest pages if the caller did not choose a size.
func (e endpoint) largest() endpoint {
	if e.paged && !e.query.Has(pageSize) {
		e.query = withNumber(e.query, pageSize, MaxPageSize)
	}
	return e
}

// withNumber returns a copy of a query with another value of a parameter.
func withNumber(query url.Values, name string, n int) url.Values {
	q := url.Values{}
	for k, v := range query {
		q[k] = v
	}
	q[name] = []string{strconv.Itoa(n)}
	return q
}

// walker follows next links.
type walker struct {
	apiCall
	number   int             // of the page
	pages    int             // taken so far
	items    int             // on them
	most     int             // the largest total of them; -1 if unknown
	seed     maphash.Seed    // of the hashes of ids
	received map[uint64]bool // pages, by the ids on them
	seen     map[string]bool // ids of the latest page that had any, or of all pages of a list that repeats
	barren   int             // pages in a row without a new item
	done     bool
}

func newWalker(c apiCall) *walker {
	number, err := strconv.Atoi(c.query.Get(pageNumber))
	if err != nil {
		number = 1 // where the service starts
	}
	return &walker{
		apiCall: c, number: number, most: -1, seed: maphash.MakeSeed(), received: map[uint64]bool{}, seen: map[string]bool{},
	}
}

// take adds a page to the walk. The error is about the next link; the page itself is good.
//
//go:noinline
func (w *walker) take(p anyPage) (step, error) {
	fresh, ids := w.split(p.ids)
	w.pages, w.items, w.most = w.pages+1, w.items+len(p.ids), max(w.most, p.total)
	if p.empty && w.number == w.pages && w.items < p.total {
		return step{p, fresh}, fmt.Errorf("%w: %s: page %d has an empty next link, but the list has %d items", ErrPagination, w.Name, w.number, p.total)
	}
	if !p.more || w.whole || w.repeats && len(fresh) == 0 {
		w.done = true
		return step{p, fresh}, nil
	}
	problem := w.follow(p.links.Next)
	if problem == "" {
		problem = w.excess(ids)
	}
	if problem != "" {
		return step{p, fresh}, fmt.Errorf("%w: %s: page %d %s", ErrPagination, w.Name, w.number, problem)
	}
	w.remember(ids)
	return step{p, fresh}, nil
}

// split returns the indices of the items that the walk has not seen, and the ids of all items. An
// item without an id always counts as new, except in a list that repeats: it would not end.
func (w *walker) split(items []string) (fresh []int, ids map[string]bool) {
	ids = make(map[string]bool, len(items))
	fresh = make([]int, 0, len(items))
	for i, id := range items {
		if !w.seen[id] && !(w.repeats && ids[id]) {
			fresh = append(fresh, i)
		}
		if id != "" || w.repeats {
			ids[id] = true
		}
	}
	return fresh, ids
}

// follow sets the next page to fetch, or returns what is wrong with the link to it. It takes only
// the page number from the link: path, host, page size and filters stay those of the first request.
// Any number but the following one would repeat items or leave some out.
func (w *walker) follow(next string) (problem string) {
	switch number, ok := linkedPage(next); {
	case !ok:
		return "has a next link that does not name a page"
	case number != w.number+1:
		return "has a next link to page " + strconv.Itoa(number)
	}
	w.query = withNumber(w.query, pageNumber, w.number+1)
	return ""
}

// excess returns what shows that the list does not end, at a page with these ids.
func (w *walker) excess(ids map[string]bool) (problem string) {
	w.barren++
	if !w.isKnown(ids) {
		w.barren = 0
	}
	switch {
	case w.barren > maxBarrenPages:
		return "is the last of many without new items"
	case w.most >= 0 && (w.items-maxExcess)/2 > w.most:
		return "has more items than the total of the list explains"
	case w.pages >= maxPages:
		return "is the last that is read; continue with the PageNumber after it"
	}
	w.number++
	return ""
}

func (w *walker) remember(ids map[string]bool) {
	switch {
	case w.repeats:
		maps.Copy(w.seen, ids)
	case len(ids) > 0:
		w.seen = ids
	}
}

func (w *walker) hash(text string) uint64 { return maphash.String(w.seed, text) }

// isKnown reports whether the items of a page were seen before: each on the previous page that had
// any, or all together on one earlier page.
func (w *walker) isKnown(ids map[string]bool) bool {
	page, repeated := uint64(0), true
	for id := range ids {
		page += w.hash(id) // a sum, because the order on a page may change
		repeated = repeated && w.seen[id]
	}
	repeated = repeated || w.received[page]
	w.received[page] = true
	return repeated
}

// linkedPage returns the page number in the query of a link. The rest of the link is ignored: it
// must not change what is listed.
func linkedPage(link string) (number int, ok bool) {
	to, err := url.Parse(link)
	if err != nil {
		return 0, false
	}
	number, err = strconv.Atoi(strings.Join(to.Query()[pageNumber], "&")) // which two are not
	return number, err == nil && number > 0
}

// collectAll returns a whole list. On an error it returns no items, so that a part is never
// mistaken for the whole. Only ErrPagination comes with items: the service links unusable pages to
// lists that it has sent in full.
func collectAll[T any](items iter.Seq2[*T, error]) ([]*T, error) {
	list := []*T{}
	for item, err := range items {
		if errors.Is(err, ErrPagination) {
			return list, err
		}
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}
