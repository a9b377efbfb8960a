package terminal49test

import (
	"slices"
	"strings"
)

// listLines gives the whole list whatever page is asked for, yet advertises a second page, as the service does: a
// client that follows next sees every line twice.
func (x *exchange) listLines() reply {
	lines := x.w.lines.all()
	slices.SortFunc(lines, func(a, b *ShippingLine) int { return strings.Compare(a.SCAC, b.SCAC) })
	var rows []ref
	for _, l := range lines {
		rows = append(rows, ref{"shipping_line", l.ID})
	}
	doc, failure := x.list(rows)
	if failure != nil {
		return *failure
	}
	number, size := x.pageNumber(), x.pageSize(30)
	return jsonReply(200, append(doc, member{"links", x.pageLinks(number, size, 2, len(rows) == 0)}))
}

func (x *exchange) getLine() reply { return x.one(200, ref{"shipping_line", x.args["id"]}) }
