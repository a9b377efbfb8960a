package terminal49test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

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

const (
	maxPageSize   = 100 // larger sizes are reduced to it without an error
	maxContainers = 50  // of containers, at the newer service; a client cannot know which one it calls
)

// page responds with the requested page of a list.
func (x *exchange) page(rows []wire.Ref, defaultSize int, form metaForm) reply {
	return x.pageOf(state.Listing{Rows: rows}, defaultSize, form)
}

func (x *exchange) pageOf(rows state.Listing, defaultSize int, form metaForm) reply {
	number, size := x.pageNumber(), x.pageSize(defaultSize)
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
	return jsonReply(200, append(doc, wire.Member{"links", x.pageLinks(number, size, last, len(visible) == 0)}))
}

// list renders rows and the requested includes.
func (x *exchange) list(rows []wire.Ref) (wire.Object, *reply) {
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

// pageLinks returns the links of a page. self repeats the request's URL; the others name page and
// size. A single or empty page has only self and current.
func (x *exchange) pageLinks(number, size, last int, empty bool) wire.Object {
	links := wire.Object{{"self", x.self()}, {"current", x.pageURL(number, size)}}
	if empty || last <= 1 {
		return links
	}
	if number > 1 {
		links = append(links, wire.Member{"first", x.pageURL(1, size)}, wire.Member{"prev", x.pageURL(number-1, size)})
	}
	if number < last {
		links = append(links, wire.Member{"next", x.pageURL(number+1, size)})
	}
	return append(links, wire.Member{"last", x.pageURL(last, size)})
}

func (x *exchange) self() string {
	u := x.origin + x.in.url.EscapedPath()
	if x.in.url.RawQuery != "" {
		u += "?" + x.in.url.RawQuery
	}
	return x.s.redact(u)
}

// pageURL keeps the other parameters. Like the service it leaves brackets, commas and colons
// unescaped.
func (x *exchange) pageURL(number, size int) string {
	var parts []string
	readable := strings.NewReplacer("%5B", "[", "%5D", "]", "%2C", ",", "%3A", ":")
	for _, name := range state.SortedKeys(x.sent) {
		if name == "page[number]" || name == "page[size]" {
			continue
		}
		for _, v := range x.sent[name] {
			parts = append(parts, readable.Replace(url.QueryEscape(name)+"="+url.QueryEscape(v)))
		}
	}
	parts = append(parts, "page[number]="+strconv.Itoa(number), "page[size]="+strconv.Itoa(size))
	return x.s.redact(x.origin + x.in.url.EscapedPath() + "?" + strings.Join(parts, "&"))
}

func (x *exchange) pageNumber() int {
	n, err := strconv.Atoi(x.query.Get("page[number]"))
	if x.query.Has("page[number]") && (err != nil || n < 1) {
		x.violate("page[number] must be a whole number from 1")
	}
	return min(max(n, 1), 1<<20)
}

func (x *exchange) pageSize(byDefault int) int {
	if !x.query.Has("page[size]") {
		return byDefault
	}
	n, err := strconv.Atoi(x.query.Get("page[size]"))
	if err != nil || n < 1 {
		x.violate("page[size] must be a whole number from 1 to 100")
		return byDefault
	}
	if n > maxPageSize {
		x.violate("page[size] must be at most 100; the service reduces it")
	}
	if x.route.op == "containers.list" && x.s.config.autumn2026 {
		return min(n, maxContainers)
	}
	return min(n, maxPageSize)
}

// newestFirst orders rows by creation time, then by the order in which they were added.
func newestFirst[T any](kind string, rows []*T, key func(*T) (id string, created time.Time)) []wire.Ref {
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b *T) int {
		_, at := key(a)
		_, bt := key(b)
		return bt.Compare(at)
	})
	refs := make([]wire.Ref, len(rows))
	for i, row := range rows {
		id, _ := key(row)
		refs[i] = wire.Ref{Kind: kind, ID: id}
	}
	return refs
}

// unpagedList responds with a whole list.
func (x *exchange) unpagedList(rows []wire.Ref) reply {
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return jsonReply(200, append(doc, wire.Member{"links", wire.Object{{"self", x.self()}, {"current", x.self()}}}))
}
