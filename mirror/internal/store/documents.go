package store

import (
	"context"
	"iter"
)

// Documents yields the selected resources, in order, as JSON:API documents that include what they
// refer to. It reads one state of the database, in a few statements for each document, and reads
// the next one while the loop body runs. If all fit into one document, no connection is held
// meanwhile.
func (d *Store) Documents(ctx context.Context, of Selection) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		reading, cancel := context.WithCancel(ctx)
		defer cancel()
		p, err := d.open(ctx, reading, of)
		if err == nil {
			defer p.end()
			err = p.yield(reading, cancel, yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// pages are the documents of a selection, some at a time.
type pages struct {
	of   Selection
	snap *snapshot
	rows *selectedRows
	all  assembly
	last bool // all are read, or there was an error
}

// open begins to read in a context that ends before that of the transaction, which p.end ends.
func (d *Store) open(ctx, reading context.Context, of Selection) (*pages, error) {
	if err := d.Ready(ctx); err != nil {
		return nil, err
	}
	clause, err := d.clause(of)
	if err != nil {
		return nil, err
	}
	s, err := d.snapshot(ctx, clause)
	if err != nil {
		return nil, err
	}
	rows, err := s.open(reading, of, clause)
	if err != nil {
		s.end()
		return nil, of.failed(ctx, err)
	}
	return &pages{of: of, snap: s, rows: rows, all: newAssembly(s, of)}, nil
}

// end may be called again.
func (p *pages) end() {
	p.rows.close()
	p.snap.end()
}

// next reads documents, and ends the snapshot after the last ones.
func (p *pages) next(ctx context.Context) (some []*Document, err error) {
	if p.last, err = p.rows.next(ctx, &p.all.selected); err == nil {
		some, err = p.all.documents(ctx)
	}
	if err != nil {
		p.last, err = true, p.of.failed(ctx, err)
	}
	if p.last {
		p.end()
	}
	return some, err
}

// yield yields all documents. It returns nil if yield returned false.
func (p *pages) yield(ctx context.Context, cancel func(), yield func(*Document, error) bool) error {
	ahead := p.readAhead(ctx)
	defer func() { // also if the loop body panics
		cancel()
		for range ahead { //nolint:revive // until nothing is read any more
		}
	}()
	for read := range ahead {
		if read.err != nil {
			return read.err
		}
		for _, document := range read.some {
			if !yield(document, nil) {
				return nil
			}
		}
	}
	return ctx.Err() // if it has ended, the rest was not sent
}

// pageRead is what next returned.
type pageRead struct {
	some []*Document
	err  error
}

// readAhead reads the documents until ctx ends, and then closes the channel.
func (p *pages) readAhead(ctx context.Context) <-chan pageRead {
	ahead := make(chan pageRead)
	go func() {
		defer close(ahead)
		for !p.last {
			some, err := p.next(ctx)
			select {
			case ahead <- pageRead{some, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return ahead
}
