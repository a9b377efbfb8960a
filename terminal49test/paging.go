package terminal49test

import (
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
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

// listing is a list of references, which need not all be in memory.
type listing struct {
	rows   []ref
	spans  []span          // positions of the made rows that follow
	starts []int           // how many there are before each span, and in all
	nth    func(i int) ref // the made row at a position
	kept   []ref           // those of the made rows that were changed
}

func (l listing) made() int {
	if len(l.starts) == 0 {
		return 0
	}
	return l.starts[len(l.starts)-1]
}

func (l listing) len() int { return len(l.rows) + l.made() }

// slice returns the references from a position to before another.
func (l listing) slice(from, to int) []ref {
	list := slices.Clone(l.rows[min(from, len(l.rows)):min(to, len(l.rows))])
	from, to = max(from-len(l.rows), 0), min(to-len(l.rows), l.made())
	at := sort.SearchInts(l.starts, from+1) - 1 // the span that has the first one
	for ; from < to; from++ {
		for from >= l.starts[at+1] {
			at++
		}
		list = append(list, l.nth(l.spans[at].from+from-l.starts[at]))
	}
	return list
}

// page responds with the requested page of a list.
func (x *exchange) page(rows []ref, defaultSize int, form metaForm) reply {
	return x.pageOf(listing{rows: rows}, defaultSize, form)
}

func (x *exchange) pageOf(rows listing, defaultSize int, form metaForm) reply {
	number, size := x.pageNumber(), x.pageSize(defaultSize)
	total := rows.len()
	last := (total + size - 1) / size
	visible := rows.slice((number-1)*size, number*size)

	doc, failure := x.list(visible)
	if failure != nil {
		return *failure
	}
	switch form {
	case metaTotal:
		doc = append(doc, member{"meta", object{{"total", total}}})
	case metaSizeTotal:
		doc = append(doc, member{"meta", object{{"size", len(visible)}, {"total", total}}})
	case metaPagination:
		pages := object{{"current", number}}
		if number < last {
			pages = append(pages, member{"next", number + 1})
		}
		if last > 1 {
			pages = append(pages, member{"last", last})
		}
		pages = append(pages, member{"records", total})
		doc = append(doc, member{"meta", object{{"size", len(visible)}, {"total", total}, {"pagination", pages}}})
	}
	return jsonReply(200, append(doc, member{"links", x.pageLinks(number, size, last, len(visible) == 0)}))
}

// list renders rows and the requested includes.
func (x *exchange) list(rows []ref) (object, *reply) {
	paths, failure := x.includes()
	if failure != nil {
		return nil, failure
	}
	data := []resource{}
	for _, r := range rows {
		res, ok := x.render(r)
		if !ok {
			continue
		}
		data = append(data, res)
	}
	doc := object{{"data", data}}
	if len(paths) > 0 {
		doc = append(doc, member{"included", x.included(data, paths)})
	}
	return doc, nil
}

// pageLinks returns the links of a page. self repeats the request's URL; the others name page and
// size. A single or empty page has only self and current.
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

// pageURL keeps the other parameters. Like the service it leaves brackets, commas and colons
// unescaped.
func (x *exchange) pageURL(number, size int) string {
	var parts []string
	readable := strings.NewReplacer("%5B", "[", "%5D", "]", "%2C", ",", "%3A", ":")
	for _, name := range sortedKeys(x.sent) {
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

// unpagedList responds with a whole list.
func (x *exchange) unpagedList(rows []ref) reply {
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	return jsonReply(200, append(doc, member{"links", object{{"self", x.self()}, {"current", x.self()}}}))
}
