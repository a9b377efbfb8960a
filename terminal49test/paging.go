package terminal49test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// metaForm is how much a list tells about its size. It differs by endpoint.
type metaForm uint8

const (
	metaNone       metaForm = iota // no meta at all
	metaTotal                      // {total}
	metaSizeTotal                  // {size, total}
	metaPagination                 // {size, total, pagination{current, next, last, records}}
)

const maxPageSize = 100 // a larger size is cut without a word

// page answers with the part of a list that was asked for.
func (x *exchange) page(rows []ref, defaultSize int, form metaForm) reply {
	number, size := x.pageNumber(), x.pageSize(defaultSize)
	last := (len(rows) + size - 1) / size
	first := min((number-1)*size, len(rows))
	shown := rows[first:min(first+size, len(rows))]

	doc, failure := x.list(shown)
	if failure != nil {
		return *failure
	}
	switch form {
	case metaTotal:
		doc = append(doc, member{"meta", object{{"total", len(rows)}}})
	case metaSizeTotal:
		doc = append(doc, member{"meta", object{{"size", len(shown)}, {"total", len(rows)}}})
	case metaPagination:
		pages := object{{"current", number}}
		if number < last {
			pages = append(pages, member{"next", number + 1})
		}
		if last > 1 {
			pages = append(pages, member{"last", last})
		}
		pages = append(pages, member{"records", len(rows)})
		doc = append(doc, member{"meta", object{{"size", len(shown)}, {"total", len(rows)}, {"pagination", pages}}})
	}
	return jsonReply(200, append(doc, member{"links", x.pageLinks(number, size, last, len(shown) == 0)}))
}

// list renders rows and what the request wants included.
func (x *exchange) list(rows []ref) (object, *reply) {
	paths, failure := x.includes()
	if failure != nil {
		return nil, failure
	}
	data, resources := []object{}, []resource{}
	for _, r := range rows {
		res, ok := x.w.render(r)
		if !ok {
			continue
		}
		resources = append(resources, res)
		data = append(data, res.object())
	}
	doc := object{{"data", data}}
	if len(paths) > 0 {
		doc = append(doc, member{"included", x.w.collect(resources, paths)})
	}
	return doc, nil
}

// pageLinks: self echoes the request; the others spell the page out. A single or empty page has only self and current.
func (x *exchange) pageLinks(number, size, last int, empty bool) object {
	links := object{{"self", x.self()}, {"current", x.pageURL(number, size)}}
	if empty || last <= 1 {
		return links
	}
	if number > 1 {
		links = append(links, member{"first", x.pageURL(1, size)}, member{"prev", x.pageURL(number-1, size)})
	}
	if number < last {
		links = append(links, member{"next", x.pageURL(number+1, size)})
	}
	return append(links, member{"last", x.pageURL(last, size)})
}

func (x *exchange) self() string {
	u := x.origin + x.in.url.EscapedPath()
	if x.in.url.RawQuery != "" {
		u += "?" + x.in.url.RawQuery
	}
	return x.s.redact(u)
}

// pageURL keeps the other parameters, in readable form: the service decodes brackets and commas in these links.
func (x *exchange) pageURL(number, size int) string {
	var parts []string
	readable := strings.NewReplacer("%5B", "[", "%5D", "]", "%2C", ",", "%3A", ":")
	for _, name := range sortedKeys(x.query) {
		if name == "page[number]" || name == "page[size]" {
			continue
		}
		for _, v := range x.query[name] {
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
		x.violate("page[size] must be at most 100; the service cuts it to that")
	}
	return min(n, maxPageSize)
}

// newestFirst orders rows by creation, the last added first where that is equal.
func newestFirst[T any](kind string, rows []*T, key func(*T) (id string, created time.Time)) []ref {
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b *T) int {
		_, at := key(a)
		_, bt := key(b)
		return bt.Compare(at)
	})
	refs := make([]ref, len(rows))
	for i, row := range rows {
		id, _ := key(row)
		refs[i] = ref{kind, id}
	}
	return refs
}

// whole answers with a list that has no pages.
func (x *exchange) unpagedList(rows []ref) reply {
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return jsonReply(200, append(doc, member{"links", object{{"self", x.self()}, {"current", x.self()}}}))
}
