package terminal49test

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// metaForm is the form of a list's meta member, which differs by operation.
type metaForm uint8

const (
	metaNone       metaForm = iota // no meta
	metaTotal                      // {total}
	metaSizeTotal                  // {size, total}
	metaPagination                 // {size, total, pagination{current, next, last, records}}
)

// maxPage returns the maximum page size. For containers it is smaller at the newer service, and a
// client cannot know which one it calls.
func (x *exchange) maxPage() int {
	if x.Route.Op == "containers.list" && x.s.config.autumn2026 {
		return 50
	}
	return service.MaxPageSize
}

// page responds with the requested page of a list.
func (x *exchange) page(rows []wire.Ref, defaultSize int, form metaForm) service.Reply {
	return x.pageOf(state.Listing{Rows: rows}, defaultSize, form)
}

func (x *exchange) pageOf(rows state.Listing, defaultSize int, form metaForm) service.Reply {
	number, size := x.PageNumber(), x.PageSize(defaultSize, x.maxPage())
	total := rows.Len()
	last := (total + size - 1) / size
	visible := rows.Slice((number-1)*size, number*size)

	doc, failure := x.list(visible)
	if failure != nil {
		return *failure
	}
	switch form {
	case metaTotal:
		doc = append(doc, wire.Member{"meta", wire.Object{{"total", total}}})
	case metaSizeTotal:
		doc = append(doc, wire.Member{"meta", wire.Object{{"size", len(visible)}, {"total", total}}})
	case metaPagination:
		pages := wire.Object{{"current", number}}
		if number < last {
			pages = append(pages, wire.Member{"next", number + 1})
		}
		if last > 1 {
			pages = append(pages, wire.Member{"last", last})
		}
		pages = append(pages, wire.Member{"records", total})
		doc = append(doc, wire.Member{"meta", wire.Object{{"size", len(visible)}, {"total", total}, {"pagination", pages}}})
	}
	return service.JSONReply(200, append(doc, wire.Member{"links", x.PageLinks(number, size, last, len(visible) == 0)}))
}

// list renders rows and the requested includes.
func (x *exchange) list(rows []wire.Ref) (wire.Object, *service.Reply) {
	paths, failure := x.includes()
	if failure != nil {
		return nil, failure
	}
	data := []wire.Resource{}
	for _, r := range rows {
		res, ok := x.render(r)
		if !ok {
			continue
		}
		data = append(data, res)
	}
	doc := wire.Object{{"data", data}}
	if len(paths) > 0 {
		doc = append(doc, wire.Member{"included", x.included(data, paths)})
	}
	return doc, nil
}

// selectRows returns the rows of a table that a request selects: newest first, or as sort orders
// them, which is nil without another order and reports false if it has no effect. The table keeps
// the order of all rows for the pages that follow.
func selectRows[T any](kind string, t *state.Table[T], of state.Selection[T], key func(*T) (id string, created time.Time), sort func([]*T) bool) state.Listing {
	if of.All && sort == nil {
		if t.Newest == nil {
			t.Newest = newestFirst(kind, t.All(), key)
		}
		return t.List(kind, t.Newest, of)
	}
	rows := filterRows(t, of.Match)
	refs := newestFirst(kind, rows, key)
	if sort != nil && sort(rows) {
		for i, row := range rows {
			refs[i].ID, _ = key(row)
		}
	}
	return t.List(kind, refs, of)
}

// newestFirst orders rows by creation time, then by the order in which they were added.
func newestFirst[T any](kind string, rows []*T, key func(*T) (id string, created time.Time)) []wire.Ref {
	slices.Reverse(rows)
	newer := func(a, b *T) int {
		_, at := key(a)
		_, bt := key(b)
		return bt.Compare(at)
	}
	if !slices.IsSortedFunc(rows, newer) { // which most are, as rows are added when they are created
		slices.SortStableFunc(rows, newer)
	}
	refs := make([]wire.Ref, len(rows))
	for i, row := range rows {
		id, _ := key(row)
		refs[i] = wire.Ref{Kind: kind, ID: id}
	}
	return refs
}

// unpagedList responds with a whole list.
func (x *exchange) unpagedList(rows []wire.Ref) service.Reply {
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return service.JSONReply(200, append(doc, wire.Member{"links", wire.Object{{"self", x.Self()}, {"current", x.Self()}}}))
}
