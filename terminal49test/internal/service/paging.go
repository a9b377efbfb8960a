package service

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// MaxPageSize is the largest page; larger sizes are reduced to it without an error.
const MaxPageSize = 100

// PageLinks returns the links of a page. self repeats the request's URL; the others name page and
// size. A single or empty page has only self and current.
func (x *Call) PageLinks(number, size, last int, empty bool) wire.Object {
	links := wire.Object{{"self", x.Self()}, {"current", x.pageURL(number, size)}}
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

func (x *Call) Self() string {
	u := x.Origin + x.In.URL.EscapedPath()
	if x.In.URL.RawQuery != "" {
		u += "?" + x.In.URL.RawQuery
	}
	return x.redact(u)
}

// pageURL keeps the other parameters. Like the service it leaves brackets, commas and colons
// unescaped.
func (x *Call) pageURL(number, size int) string {
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
	return x.redact(x.Origin + x.In.URL.EscapedPath() + "?" + strings.Join(parts, "&"))
}

func (x *Call) PageNumber() int {
	n, err := strconv.Atoi(x.Query.Get("page[number]"))
	if x.Query.Has("page[number]") && (err != nil || n < 1) {
		x.Violate("page[number] must be a whole number from 1")
	}
	return min(max(n, 1), 1<<20)
}

func (x *Call) PageSize(byDefault, most int) int {
	if !x.Query.Has("page[size]") {
		return byDefault
	}
	n, err := strconv.Atoi(x.Query.Get("page[size]"))
	if err != nil || n < 1 {
		x.Violate("page[size] must be a whole number from 1 to 100")
		return byDefault
	}
	if n > MaxPageSize {
		x.Violate("page[size] must be at most 100; the service reduces it")
	}
	return min(n, most)
}
