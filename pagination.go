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
)

// Page is one page of a list.
type Page[T any] struct {
	Items []*T
	Links Links
	Size  Opt[int] // meta.size: items on this page; missing in some lists
	Total Opt[int] // meta.total: items on all pages; missing in some lists
}

// HasNext reports whether the service links a next page.
func (p *Page[T]) HasNext() bool { return p.Links.Next != "" }

// Links are the page links as the service sent them: absolute URLs, "" for those it omitted. They
// are informational: the iterators take only their query and stay on the configured base URL, so
// that the token is never sent elsewhere.
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

// ErrPagination is returned when the pages of a list do not end: a next link repeats an earlier
// page or names no page, or many pages in a row have no new items. The items before it are kept,
// because such a link may follow the last page: an iterator yields them first, and a method that
// returns a slice returns them with the error. On any other error the slice is nil.
var ErrPagination = errors.New("terminal49: the page links of the list do not end")

// maxBarrenPages limits how many pages in a row an iterator follows that have no new items: empty
// pages, or the previous page again.
const maxBarrenPages = 20

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
	return &Page[T]{Items: append([]*T{}, items...), Links: Links(doc.Links), Size: count(doc.Meta.Size),
		Total: count(doc.Meta.Total)}, nil
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
	total *Opt[int]
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
	return anyPage{p, ids, &p.Links, &p.Total}, nil
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
		q := url.Values{pageSize: {strconv.Itoa(MaxPageSize)}}
		for k, v := range e.query {
			q[k] = v
		}
		e.query = q
	}
	return e
}

// walker follows next links.
type walker struct {
	apiCall
	first    url.Values      // query of the first page
	seed     maphash.Seed    // of the hashes below, which are kept because links may be long and many
	sent     map[uint64]bool // queries
	received map[uint64]bool // pages, by the ids on them
	seen     map[string]bool // ids of the latest page that had any, or of all pages of a list that repeats
	barren   int             // pages in a row without a new item
	done     bool
}

func newWalker(c apiCall) *walker {
	return &walker{
		apiCall: c, first: c.query, seed: maphash.MakeSeed(),
		sent: map[uint64]bool{}, received: map[uint64]bool{}, seen: map[string]bool{},
	}
}

// take adds a page to the walk. The error is about the next link; the page itself is good.
//
//go:noinline
func (w *walker) take(p anyPage) (step, error) {
	fresh, ids := w.split(p.ids)
	return step{p, fresh}, w.follow(p.links.Next, ids, len(fresh))
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

// follow sets the next page to fetch. It takes only the page, a number or a cursor, from the link:
// path, host and filters stay those of the first request, even if the link lost or changed them.
func (w *walker) follow(next string, ids map[string]bool, fresh int) error {
	w.sent[w.hash(w.query.Encode())] = true
	if next == "" || w.whole || w.repeats && fresh == 0 {
		w.done = true
		return nil
	}
	query, err := nextQuery(next)
	if err != nil {
		return fmt.Errorf("%w: %s: the next link %w", ErrPagination, w.Name, err)
	}
	for name, values := range w.first {
		if name != pageNumber && (name != pageSize || !query.Has(name)) {
			query[name] = values
		}
	}
	w.query = query
	if w.sent[w.hash(w.query.Encode())] {
		return fmt.Errorf("%w: %s: the next link repeats an earlier page", ErrPagination, w.Name)
	}
	w.barren++
	if !w.isKnown(ids) {
		w.barren = 0
	}
	if w.barren > maxBarrenPages {
		return fmt.Errorf("%w: %s: %d pages in a row have no new items", ErrPagination, w.Name, w.barren)
	}
	w.remember(ids)
	return nil
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

// nextQuery returns the page that a next link names. The rest of its query is ignored: a link must
// not change what is listed.
func nextQuery(next string) (url.Values, error) {
	to, err := url.Parse(next)
	if err != nil {
		return nil, errors.New("is not a URL")
	}
	query, err := url.ParseQuery(to.RawQuery)
	if err != nil {
		return nil, errors.New("has a query that cannot be read")
	}
	maps.DeleteFunc(query, func(name string, _ []string) bool { return !strings.HasPrefix(name, "page[") })
	for name := range query {
		if name != pageSize { // its number, or a cursor
			return query, nil
		}
	}
	return nil, errors.New("names no page")
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
