package terminal49

import (
	"context"
	"net/url"
)

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
