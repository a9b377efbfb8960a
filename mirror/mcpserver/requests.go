package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
)

var requestsTool = mcp.Tool{
	Name:        "requests",
	Description: "Tracking requests by status, the latest first, counted by status and reason.",
}

var requestStatuses = enumOf(terminal49.TrackingFailed, terminal49.TrackingPending, terminal49.TrackingAwaitingManifest,
	terminal49.TrackingCreated, terminal49.TrackingStopped)

type requestsInput struct {
	Statuses []terminal49.TrackingRequestStatus `json:"status,omitempty" jsonschema:"default failed, pending, awaiting_manifest"`
	Days     int                                `json:"days,omitempty" jsonschema:"created within these; default all"`
	Limit    int                                `json:"limit,omitempty" jsonschema:"1 to 200; default 50"`
}

type requestsAnswer struct {
	common
	Days    int            `json:"days,omitempty"`
	Limit   int            `json:"limit,omitempty"`
	Reasons []requestCount `json:"reasons,omitempty"`
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
	if len(in.Statuses) == 0 {
		in.Statuses = requestStatuses[:3]
	}
	a := &requestsAnswer{Days: in.Days, Limit: cmp.Or(in.Limit, usualRequests)}
	from := s.Now().AddDate(0, 0, -in.Days)
	for q, err := range s.Reader.TrackingRequests(ctx, "order by created_at desc, id") {
		if err != nil {
			return nil, err
		}
		if slices.Contains(in.Statuses, q.Status) && (in.Days == 0 || !isBefore(q.CreatedAt, from)) {
			a.add(requestRowOf(q, ""))
		}
	}
	slices.SortStableFunc(a.Reasons, func(a, b requestCount) int { return cmp.Compare(b.Requests, a.Requests) })
	if a.Shown = len(a.Found); a.Shown < a.Total {
		a.note("There are more; ask for one status, fewer days or a higher limit.")
	}
	return a, nil
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
	for _, q := range a.Found {
		p.line("Tracking request %s: %s, line %s, %s, of %s.", quoted(q.Number), q.Status, quoted(q.Line), cmp.Or(quotedOrNone(q.Reason), "no failure"), q.Created)
	}
	if len(a.Found) == 0 {
		p.line("No tracking request of the copy matches.")
	}
}
