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
	Size  Opt[int] // meta.size: items on this page; missing in some lists
	Total Opt[int] // meta.total: items on all pages; missing in some lists

	// ListChanged reports, in a loop over Pages, that the list changed while it was read: this page or
	// one before it has an item that the loop had already, or another total than the page before it,
	// or the last page is reached with fewer items than the largest total. Items may then be missing.
	ListChanged bool

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
	maxBarrenPages = 20      // in a row without new items
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

// pagesOf walks the pages of a list. Each range over the result starts again at the first.
func pagesOf[T any, P resourceType[T]](ctx context.Context, c *Client, e endpoint, opts []CallOption) iter.Seq2[*Page[T], error] {
	made := c.call(e.largest(), opts)
	return func(yield func(*Page[T], error) bool) {
		for step, err := range steps(ctx, made, readAnyPage[T, P]) {
			p, _ := step.page.(*Page[T])
			if p != nil {
				p.ListChanged = step.changed
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// allOf walks the items of a list. Lists change while they are walked: an item that slid to a later
// page is not yielded again.
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
	fresh   []int
	changed bool // the walk up to this page shows that the list changed
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
				w.reportChange()
				yield(step{}, err)
				return
			}
			s, err := w.take(p)
			w.reportChange()
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
	number  int          // of the page
	pages   int          // taken so far
	items   int          // on them
	fresh   int          // of them, those that were new
	total   int          // that the latest page reported; -1 if unknown
	last    int          // number of the last page by its link; 0 if unknown
	most    int          // the largest total of the pages; -1 if unknown
	seed    maphash.Seed // of the hashes of ids
	seen    hashSet      // of the ids on all pages; two ids have the same with a chance of one in 2^64
	barren  int          // pages in a row without a new id
	changed bool         // the list, since the first page
	done    bool
}

func newWalker(c apiCall) *walker {
	number, err := strconv.Atoi(c.query.Get(pageNumber))
	if err != nil {
		number = 1 // where the service starts
	}
	return &walker{apiCall: c, number: number, total: -1, most: -1, seed: maphash.MakeSeed()}
}

// take adds a page to the walk. The error is about the next link; the page itself is good.
//
//go:noinline
func (w *walker) take(p anyPage) (step, error) {
	w.changed = w.changed || w.differs(p)
	s := step{anyPage: p, fresh: w.split(p.ids)}
	w.pages, w.items, w.fresh, w.most = w.pages+1, w.items+len(p.ids), w.fresh+len(s.fresh), max(w.most, p.total)
	w.total, w.last = p.total, lastNumber(p.links)
	started := w.number == w.pages // at the first page
	if p.empty && started && w.items < p.total {
		return w.shown(s), fmt.Errorf("%w: %s: page %d has an empty next link, but the list has %d items", ErrPagination, w.Name, w.number, p.total)
	}
	if !p.more || w.whole || w.repeats && len(s.fresh) == 0 {
		w.done = true
		w.changed = w.changed || started && !w.whole && w.fresh < w.most
		return w.shown(s), nil
	}
	problem := w.follow(p.links.Next)
	if problem == "" {
		problem = w.excess()
	}
	if problem != "" {
		return w.shown(s), fmt.Errorf("%w: %s: page %d %s", ErrPagination, w.Name, w.number, problem)
	}
	return w.shown(s), nil
}

func (w *walker) shown(s step) step {
	s.changed = w.changed
	return s
}

// differs reports whether a page shows that the list is not as it was for the pages before: an item
// of them is on it, or it counts the list otherwise than the latest. A list that repeats its items
// shows nothing.
func (w *walker) differs(p anyPage) bool {
	if w.repeats || w.whole {
		return false
	}
	for _, id := range p.ids {
		if w.seen.has(w.hash(id)) {
			return true
		}
	}
	last := lastNumber(p.links)
	return w.total >= 0 && p.total != w.total || w.last > 0 && last > 0 && last != w.last
}

// reportChange passes what the walk has shown on to the caller who set WithResponse.
func (w *walker) reportChange() {
	if w.response != nil {
		w.response.ListChanged = w.changed
	}
}

// split returns the indices of the items that the walk has not seen, and remembers them. An item
// without an id always counts as new, except in a list that repeats: it would not end. A list that
// is sent at once is kept as it is.
func (w *walker) split(ids []string) (fresh []int) {
	fresh = make([]int, 0, len(ids))
	w.barren++
	for i, id := range ids {
		if id == "" && !w.repeats || w.whole {
			fresh = append(fresh, i)
			continue
		}
		if hash := w.hash(id); !w.seen.has(hash) {
			w.seen.add(hash)
			w.barren, fresh = 0, append(fresh, i)
		}
	}
	return fresh
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

// excess returns what shows that the list does not end.
func (w *walker) excess() (problem string) {
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

func (w *walker) hash(id string) uint64 { return max(1, maphash.String(w.seed, id)) }

// hashSet is a set of hashes, which are not 0. A map would take three times its memory, and an
// account may have hundreds of thousands of containers.
type hashSet struct {
	slots []uint64 // 0 if free; a power of two of them, some always free
	n     int
}

// find returns the slot of a hash, or the free one that it belongs in.
func (s *hashSet) find(hash uint64) *uint64 {
	last := uint64(len(s.slots) - 1)
	i := hash & last
	for s.slots[i] != 0 && s.slots[i] != hash {
		i = (i + 1) & last
	}
	return &s.slots[i]
}

func (s *hashSet) has(hash uint64) bool { return s.n > 0 && *s.find(hash) == hash }

// add adds a hash that is not in the set.
func (s *hashSet) add(hash uint64) {
	if s.n >= len(s.slots)/8*7 {
		old := s.slots
		s.slots = make([]uint64, max(64, 2*len(old)))
		for _, h := range old {
			if h != 0 {
				*s.find(h) = h
			}
		}
	}
	s.n++
	*s.find(hash) = hash
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

// Collect returns the items of All, or the pages of Pages, as a slice. On an error it returns nil,
// so that a part is not mistaken for the whole, except with [ErrPagination]: the service links
// unusable pages to lists that it has sent in full. Without items it returns an empty slice.
func Collect[T any](items iter.Seq2[T, error]) ([]T, error) {
	list := []T{}
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

// prefetcher reads the pages of a walk ahead of the loop. Once a page reports how many there are,
// it requests several at once. It takes them in order, and each must be the one that the page
// before it links.
//
// The service may handle concurrent requests in any order. An item that moves from page 2 to page 3
// between a read of 3 and a later read of 2 is on neither, though a walk page by page would have it
// twice. So if two consecutive pages show that the list changed (different totals, or an item on
// both), the second and all later pages are discarded and requested again.
type prefetcher struct {
	*walker
	ctx     context.Context
	read    func(context.Context, apiCall) (anyPage, error)
	pending []*pageRequest // under way, in order of page number; the first is the page that was linked
	going   chan struct{}  // receives when the last of them has passed the limiter; nil afterwards
	ready   []*result      // for the loop
	width   int            // limits pending; 0 if the pages cannot be requested side by side
	size    int            // items on the longest page, whatever size was requested
}

// pageRequest is a request under way.
type pageRequest struct {
	query  string
	alone  bool // sent after the page before it had been read
	came   chan *result
	cancel context.CancelFunc
}

// result is what the loop receives: a page or an error.
type result struct {
	step
	err      error
	panicked any       // what a transport of the caller panicked with
	response *Response // for the caller who set WithResponse
}

// ahead runs a walk in a goroutine, up to w.prefetch pages ahead of the loop. The goroutine and its
// requests end before the loop does.
func ahead(
	ctx context.Context, w *walker, read func(context.Context, apiCall) (anyPage, error), yield func(step, error) bool,
) {
	ctx, cancel := context.WithCancel(ctx)
	p := &prefetcher{walker: w, ctx: ctx, read: read, width: w.prefetch}
	if w.repeats {
		p.width = 0
	}
	results := make(chan *result)
	go p.run(results)
	defer func() {
		cancel()
		for range results { // let the goroutine finish
		}
	}()
	for r := range results {
		if r.panicked != nil {
			panic(r.panicked) // where the caller can recover from it
		}
		if r.response != nil {
			*w.response = *r.response
			w.response.ListChanged = r.changed
		}
		if !yield(r.step, r.err) {
			return
		}
	}
}

func (p *prefetcher) run(results chan<- *result) {
	defer close(results)
	for p.request(); len(p.pending)+len(p.ready) > 0; p.request() {
		var out chan<- *result
		var next *result
		if len(p.ready) > 0 {
			out, next = results, p.ready[0]
		}
		var came chan *result
		if len(p.pending) > 0 {
			came = p.pending[0].came
		}
		select {
		case out <- next: // taken by the loop or, after a break, drained
			p.ready[0], p.ready = nil, p.ready[1:] // held no longer
		case r := <-came:
			p.receive(r)
		case <-p.going:
			p.going = nil
		}
	}
}

// request sends the next requests, each once the one before it has passed the limiter.
func (p *prefetcher) request() {
	for p.going == nil && !p.done && len(p.pending)+len(p.ready) < p.prefetch {
		query, ok := p.after(len(p.pending))
		if !ok {
			return
		}
		p.send(query)
	}
}

// after returns the query of the page n after the one that was linked. It reports false if that
// page may not be requested yet: the list has no such page, or does not report how many there are.
func (p *prefetcher) after(n int) (url.Values, bool) {
	if n == 0 {
		return p.query, true
	}
	if n >= p.width || p.number > p.pages()-n {
		return nil, false
	}
	return withNumber(p.query, pageNumber, p.number+n), true
}

// pages returns the number of the last page, the lower of two that differ; 0 if it is unknown.
func (p *prefetcher) pages() int {
	if p.total < 0 || p.size == 0 {
		return p.last
	}
	pages := (p.total-1)/p.size + 1
	if p.last > 0 {
		pages = min(pages, p.last)
	}
	return pages
}

func (p *prefetcher) send(query url.Values) {
	ctx, cancel := context.WithCancel(p.ctx)
	f := &pageRequest{query: query.Encode(), alone: len(p.pending) == 0, came: make(chan *result, 1), cancel: cancel}
	going, call := make(chan struct{}, 1), p.apiCall
	call.query = query
	call.sending = func() {
		select {
		case going <- struct{}{}:
		default: // a retry
		}
	}
	if call.response != nil {
		call.response = new(Response)
	}
	p.pending, p.going = append(p.pending, f), going
	go func() {
		r := &result{response: call.response, err: context.Canceled} // if a transport ends the goroutine
		defer func() {
			r.panicked = recover()
			f.came <- r
		}()
		r.anyPage, r.err = p.read(ctx, call)
	}()
}

// receive takes the page that was linked.
func (p *prefetcher) receive(r *result) {
	f := p.pending[0]
	f.cancel()
	if p.pending = p.pending[1:]; len(p.pending) == 0 {
		p.going = nil // its signal may be waiting still
	}
	if r.err != nil {
		p.end(r)
		return
	}
	if p.differs(r.anyPage) {
		p.changed, p.width = true, min(p.width, 1)
		p.drop()
		if !f.alone {
			return
		}
	} else {
		p.width = min(2*p.width, p.prefetch)
	}
	p.size = max(p.size, len(r.ids))
	var err error
	r.step, err = p.take(r.anyPage)
	p.ready = append(p.ready, r)
	switch {
	case err != nil:
		p.end(&result{err: err})
	case p.done || len(p.pending) > 0 && p.pending[0].query != p.query.Encode():
		p.width = 0
		p.drop()
	}
}

func lastNumber(links *Links) int {
	number, _ := linkedPage(links.Last)
	return number
}

// end lets the walk end with an error, after the pages before it.
//
//go:noinline
func (p *prefetcher) end(r *result) {
	p.done, r.changed, p.ready = true, p.changed, append(p.ready, r)
	p.drop()
}

// drop cancels the requests under way and waits for their end.
func (p *prefetcher) drop() {
	for _, f := range p.pending {
		f.cancel()
	}
	for _, f := range p.pending {
		<-f.came
	}
	p.pending, p.going = nil, nil
}
