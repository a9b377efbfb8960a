package terminal49

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"net/url"
	"strconv"
	"strings"
)

// Page is one page of a list.
type Page[T any] struct {
	Items []*T
	Links Links
	Size  Opt[int] // meta.size: items on this page; some lists do not say
	Total Opt[int] // meta.total: items on all pages; some lists do not say
}

// HasNext reports whether the service says that there is a further page.
func (p *Page[T]) HasNext() bool { return p.Links.Next != "" }

// Links are the page links as the service sent them, absolute URLs; "" for those it left out. They are for looking at:
// the iterators follow them on the configured base URL only, so that the token never goes elsewhere.
type Links struct{ Self, Current, First, Prev, Next, Last string }

// PageParams chooses a page. The zero value leaves it to the service, which starts at page 1; All and Pages then ask
// for the largest pages, to spend few requests.
type PageParams struct {
	PageNumber int // 1 is the first; for All and Pages, where to start
	PageSize   int // 1 to 100
}

const pageNumber, pageSize = "page[number]", "page[size]"

// MaxPageSize is the most items the service puts on a page. It would cut a larger size without a word, so this package
// refuses one.
const MaxPageSize = 100

// ErrPagination means that following the pages of a list leads nowhere: a link repeats or does
// not say which page, or page after page brings nothing new.
var ErrPagination = errors.New("terminal49: the list's page links do not come to an end")

// maxBarrenPages bounds how long an iterator follows pages that bring nothing new: empty ones, or the previous one again.
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
		q.text(pageNumber, strconv.Itoa(p.PageNumber))
	}
	if p.PageSize > 0 {
		q.text(pageSize, strconv.Itoa(p.PageSize))
	}
}

// page fetches one page.
func page[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) (*Page[T], error) {
	doc, err := decode[T, P](ctx, c, e, opts)
	if err != nil {
		return nil, err
	}
	p := &Page[T]{Items: append([]*T{}, doc.items...), Links: Links(doc.Links)}
	if doc.Meta.Size >= 0 {
		p.Size = Some(doc.Meta.Size)
	}
	if doc.Meta.Total >= 0 {
		p.Total = Some(doc.Meta.Total)
	}
	return p, nil
}

// pages walks the pages of a list from e on. Each range over the result starts anew.
func pages[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) iter.Seq2[*Page[T], error] {
	walk := func(ctx context.Context) iter.Seq2[*Page[T], error] {
		return func(yield func(*Page[T], error) bool) {
			w := newWalker(e.largest())
			for w.more() {
				p, err := page[T, P](ctx, c, w.endpoint, opts)
				if err == nil {
					err = w.follow(p.Links.Next, idSet[T, P](p.Items))
				}
				if p != nil && !yield(p, nil) {
					return
				}
				if err != nil {
					yield(nil, err)
					return
				}
			}
		}
	}
	call, err := c.call(e.Op, opts)
	if err != nil || call.prefetch == 0 {
		return walk(ctx)
	}
	return ahead(ctx, call.prefetch, walk)
}

// all walks the items of a list. Lists change while they are walked: an item that slid from one page to the next is
// not yielded again.
func all[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		var previous map[string]bool
		for p, err := range pages[T, P](ctx, c, e, opts) {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, item := range p.Items {
				if !previous[P(item).resource().ID] && !yield(item, nil) {
					return
				}
			}
			if len(p.Items) > 0 {
				previous = idSet[T, P](p.Items)
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

// idSet returns the ids of a page as a set. An item without an id is never taken for another.
func idSet[T any, P resourceType[T]](items []*T) map[string]bool {
	ids := make(map[string]bool, len(items))
	for _, item := range items {
		if id := P(item).resource().ID; id != "" {
			ids[id] = true
		}
	}
	return ids
}

// walker follows next links.
type walker struct {
	endpoint
	first    url.Values      // query of the first page
	seed     maphash.Seed    // of what follows: hashes, because a walk may be long, and so may its links
	sent     map[uint64]bool // queries
	came     map[uint64]bool // pages, by the ids on them
	previous map[string]bool // ids of the latest page that had any
	barren   int             // pages in a row that brought nothing new
	done     bool
}

func newWalker(e endpoint) *walker {
	return &walker{endpoint: e, first: e.query, seed: maphash.MakeSeed(), sent: map[uint64]bool{}, came: map[uint64]bool{}}
}

func (w *walker) more() bool { return !w.done }

// follow points the endpoint at the next page. Of the link only the query is taken, and of what we asked for in the first
// place only the page is changed: path, host and filters stay ours, should the link have lost or changed them.
func (w *walker) follow(next string, ids map[string]bool) error {
	w.sent[w.hash(w.query.Encode())] = true
	if next == "" || w.single {
		w.done = true
		return nil
	}
	query, err := nextQuery(next)
	if err != nil {
		return fmt.Errorf("%w: %s: the next link %w", ErrPagination, w.Op, err)
	}
	for name, values := range w.first {
		if name != pageNumber && (name != pageSize || !query.Has(name)) {
			query[name] = values
		}
	}
	w.query = query
	if w.sent[w.hash(w.query.Encode())] {
		return fmt.Errorf("%w: %s: the next link repeats an earlier page", ErrPagination, w.Op)
	}
	w.barren++
	if !w.isKnown(ids) {
		w.barren = 0
	}
	if w.barren > maxBarrenPages {
		return fmt.Errorf("%w: %s: %d pages in a row bring nothing new", ErrPagination, w.Op, w.barren)
	}
	if len(ids) > 0 {
		w.previous = ids
	}
	return nil
}

func (w *walker) hash(text string) uint64 { return maphash.String(w.seed, text) }

// isKnown reports whether the items of a page came before: all of them on the previous page that had any, or the very
// same on any page.
func (w *walker) isKnown(ids map[string]bool) bool {
	page, repeated := uint64(0), true
	for id := range ids {
		page += w.hash(id) // a sum, because the order of a page says nothing
		repeated = repeated && w.previous[id]
	}
	repeated = repeated || w.came[page]
	w.came[page] = true
	return repeated
}

// nextQuery returns the query of a next link, which must at least say which page it is.
func nextQuery(next string) (url.Values, error) {
	to, err := url.Parse(next)
	if err != nil {
		return nil, errors.New("is not a URL")
	}
	query, err := url.ParseQuery(to.RawQuery)
	if err != nil {
		return nil, errors.New("has a query that cannot be read")
	}
	for name := range query {
		if strings.HasPrefix(name, "page[") && name != pageSize { // its number, or a cursor
			return query, nil
		}
	}
	return nil, errors.New("does not say which page")
}

// ahead runs walk in a goroutine that is up to n pages ahead of the loop. The goroutine has ended when the loop has.
func ahead[V any](ctx context.Context, n int, walk func(context.Context) iter.Seq2[V, error]) iter.Seq2[V, error] {
	type step struct {
		value V
		err   error
	}
	return func(yield func(V, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		steps := make(chan step, n-1) // one more is held by the goroutine
		go func() {
			defer close(steps)
			for v, err := range walk(ctx) { // once ctx is over, the walk's next fetch ends it with an error
				steps <- step{v, err} // taken by the loop or, after a break, by the draining below
			}
		}()
		defer func() {
			cancel()
			for range steps { // let the goroutine finish
			}
		}()
		for s := range steps {
			if !yield(s.value, s.err) {
				return
			}
		}
	}
}

// collect gathers a whole list; on an error nothing is returned, so that a part is never taken for the whole.
func collect[T any](items iter.Seq2[*T, error]) ([]*T, error) {
	list := []*T{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}
