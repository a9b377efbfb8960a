package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/worklist"
)

var worklistTool = mcp.Tool{
	Name: "worklist",
	Description: "List containers of the whole account by any filters, ordered. All filters must be met; of the values of one, any. " +
		"Use limit and offset for more; summarize to count.",
}

var _ = enumOf(worklist.OrderUrgency, worklist.OrderLastFreeDay, worklist.OrderETA, worklist.OrderSince, worklist.OrderOwed, worklist.OrderNumber)

type worklistInput struct {
	filters
	Order  worklist.Order `json:"order,omitempty" jsonschema:"default urgency; since: longest there first"`
	Limit  int            `json:"limit,omitempty" jsonschema:"default 50, at most 200"`
	Offset int            `json:"offset,omitempty"`
	Fields []field        `json:"fields,omitempty" jsonschema:"members of the rows, as for find"`
}

type worklistAnswer struct {
	common
	Stopped int            `json:"tracking_stopped" jsonschema:"that meet the filter, not tracked any more; with tracking active left out"`
	Undated int            `json:"undated,omitempty" jsonschema:"left out: the day asked for is unknown"`
	Days    workDays       `json:"days,omitempty"`
	Limit   int            `json:"limit,omitempty"`
	Next    int            `json:"next_offset,omitempty" jsonschema:"for the rest"`
	Rows    []containerRow `json:"rows,omitempty"`
}

// The rows of an answer.
const (
	usualListed = 50
	mostListed  = 200
)

func (s *server) worklist(ctx context.Context, in worklistInput) (*worklistAnswer, error) {
	filter, err := in.filter(s)
	if err != nil {
		return nil, err
	}
	if in.Limit > mostListed {
		return nil, mend("limit", "must be at most %d; use offset for the rest", mostListed)
	}
	in.Limit = cmp.Or(in.Limit, usualListed)
	now := s.Now()
	list, err := s.overview.List(ctx, now, mirror.ListOptions{Filter: filter, Order: in.Order, Limit: in.Limit, Offset: in.Offset})
	if err != nil {
		return nil, mended(err)
	}
	a := &worklistAnswer{Stopped: list.Stopped, Undated: list.Undated, Days: list.Days, Limit: in.Limit}
	names := in.Fields
	if len(names) == 0 {
		names = fieldsFor(in)
	}
	for _, item := range list.Items {
		a.Rows = append(a.Rows, rowOf(item.Container, &item.Verdict, now).only(names...))
	}
	a.Total, a.Shown = list.Total, len(a.Rows)
	if rest := in.Offset + a.Shown; a.Shown > 0 && rest < a.Total {
		a.Next = rest
		a.note(fmt.Sprintf("%d more: ask with offset %d.", a.Total-rest, rest))
	}
	a.noteFilter(list.Waiting, list.Aside, list.Meanings)
	return a, nil
}

// fieldsFor returns the fields that a kind of work is about.
func fieldsFor(in worklistInput) []field {
	has := func(w ...worklist.Work) bool {
		return slices.ContainsFunc(w, func(w worklist.Work) bool { return slices.Contains(in.Work, w) })
	}
	switch {
	case has(worklist.WorkArriving, worklist.WorkETASlipped), in.ETAFrom != "", in.ETATo != "", in.Order == worklist.OrderETA:
		return []field{"bound_for", "eta", "original_port_eta", "vessel"}
	case has(worklist.WorkEmptyDue):
		return []field{"line", "customer", "picked_up", "days_out"}
	case has(worklist.WorkOwing), in.Order == worklist.OrderOwed:
		return []field{"situation", "place", "owed"}
	case has(worklist.WorkHolds), len(in.Holds) > 0:
		return []field{"situation", "place", "holds", "last_free_day"}
	case has(worklist.WorkDwelling), in.Order == worklist.OrderSince:
		return []field{"situation", "place", "since"}
	case in.Appointment != "":
		return []field{"situation", "place", "last_free_day", "days_left", "appointment"}
	}
	return few
}

func (a *worklistAnswer) write(p *page) {
	p.line("%s, %d shown%s.", plural(a.Total, "container", "containers"), a.Shown, a.Days.text())
	writeRows(p, a.Rows)
}
