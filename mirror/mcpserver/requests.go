package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
)

var requestsTool = mcp.Tool{
	Name:        "requests",
	Description: "Tracking requests by status, the latest first, counted by status and reason.",
}

// The schema of the argument lists them.
var _ = enumOf(terminal49.TrackingFailed, terminal49.TrackingPending, terminal49.TrackingAwaitingManifest,
	terminal49.TrackingCreated, terminal49.TrackingStopped)

type requestsInput struct {
	Statuses []terminal49.TrackingRequestStatus `json:"status,omitempty" jsonschema:"default all without a shipment"`
	Days     int                                `json:"days,omitempty" jsonschema:"created within these; default all"`
	Limit    int                                `json:"limit,omitempty" jsonschema:"1 to 200; default 50"`
}

type requestsAnswer struct {
	common
	Days    int            `json:"days,omitempty"`
	Limit   int            `json:"limit,omitempty"`
	Reasons []requestCount `json:"reasons,omitempty"` // the most frequent first; of all, also those that are not shown
	Found   []requestRow   `json:"tracking_requests,omitempty"`
}

// requestCount is how many requests have a status for a reason.
type requestCount struct {
	Status   string `json:"status"`
	Reason   string `json:"reason,omitempty"`
	Requests int    `json:"requests"`
}

const (
	usualRequests = 50
	mostRequests  = 200
	mostDays      = 36_500
)

func (s *server) requests(ctx context.Context, in requestsInput) (*requestsAnswer, error) {
	switch {
	case in.Limit < 0 || in.Limit > mostRequests:
		return nil, mend("limit", "must be from 1 to %d", mostRequests)
	case in.Days < 0 || in.Days > mostDays:
		return nil, mend("days", "must be from 1 to %d", mostDays)
	}
	a := &requestsAnswer{Days: in.Days, Limit: cmp.Or(in.Limit, usualRequests)}
	from := s.Now().AddDate(0, 0, -in.Days)
	where, statuses := in.where()
	for q, err := range s.Reader.TrackingRequests(ctx, where+" order by created_at desc, id", statuses...) {
		if err != nil {
			return nil, err
		}
		if in.Days == 0 || !isBefore(q.CreatedAt, from) {
			a.add(requestRowOf(q, ""))
		}
	}
	slices.SortStableFunc(a.Reasons, func(a, b requestCount) int { return cmp.Compare(b.Requests, a.Requests) })
	if a.Shown = len(a.Found); a.Shown < a.Total {
		a.note("There are more; ask for one status, fewer days or a higher limit.")
	}
	return a, nil
}

// where returns the condition of the requests that are asked for, with its arguments.
func (in *requestsInput) where() (clause string, args []any) {
	if len(in.Statuses) == 0 {
		return "where shipment_id is null", nil // whatever the status, also one that the service adds
	}
	var places []string
	for i, status := range in.Statuses {
		places, args = append(places, fmt.Sprintf("$%d", i+1)), append(args, string(status))
	}
	return "where status in (" + strings.Join(places, ", ") + ")", args
}

// isBefore reports whether a moment is before another, or unknown.
func isBefore(t terminal49.Time, other time.Time) bool {
	at, known := t.Instant()
	return !known || at.Before(other)
}

// add counts a request, and shows it unless there are as many as the limit.
func (a *requestsAnswer) add(row requestRow) {
	i := slices.IndexFunc(a.Reasons, func(c requestCount) bool { return c.Status == row.Status && c.Reason == row.Reason })
	if i < 0 {
		i = len(a.Reasons)
		a.Reasons = append(a.Reasons, requestCount{Status: row.Status, Reason: row.Reason})
	}
	a.Reasons[i].Requests++
	if a.Total++; a.Total <= a.Limit {
		a.Found = append(a.Found, row)
	}
}

func (a *requestsAnswer) write(p *page) {
	for _, c := range a.Reasons {
		p.line("%d %s%s.", c.Requests, quoted(c.Status), before(": ", quotedOrNone(c.Reason)))
	}
	for i := range a.Found {
		a.Found[i].write(p)
	}
	if len(a.Found) == 0 {
		p.line("No tracking request of the copy matches.")
	}
}
