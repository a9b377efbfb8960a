package mcpserver

import (
	"cmp"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var statusTool = mcp.Tool{
	Name:        "status",
	Description: "Whose account the copy has, how old and how complete it is, what waits, and the time that counts as now.",
}

type statusInput struct{}

type statusAnswer struct {
	common
	Account  string `json:"account"`
	Name     string `json:"name,omitempty"`
	Now      string `json:"now"`
	Healthy  bool   `json:"healthy"`
	Complete bool   `json:"complete" jsonschema:"every list was read to its end once"`

	Containers int64 `json:"containers"`
	Shipments  int64 `json:"shipments"`
	Requests   int64 `json:"tracking_requests"`

	Unread      int64  `json:"unread" jsonschema:"resources that may have changed and are not read again yet"`
	Unapplied   int64  `json:"unapplied" jsonschema:"notifications that are stored and not applied"`
	Quarantined int64  `json:"quarantined"`
	Missing     int64  `json:"missing"`
	WholeWalk   string `json:"read_whole" jsonschema:"since then every list was read"`
	Position    string `json:"position,omitempty" jsonschema:"end of the feed, for the tool changes"`

	Problems []string `json:"problems,omitempty"`
}

func (s *server) status(ctx context.Context, _ statusInput) (*statusAnswer, error) {
	status, err := s.Mirror.Status(ctx)
	if err != nil {
		return nil, err
	}
	a := &statusAnswer{
		Account: known(status.Account), Name: clean(s.Account), Now: instant(s.Now()),
		Healthy: status.Healthy(status.At) == nil, Complete: !status.WholeWalk.IsZero(),
		Containers: status.Rows["containers"], Shipments: status.Rows["shipments"], Requests: status.Rows["tracking_requests"],
		Unread: status.Marked, Unapplied: status.Inbox, Quarantined: status.Quarantined, Missing: status.Missing,
		WholeWalk: instant(status.WholeWalk), Position: string(status.Position),
	}
	problems := status.Problems
	if err := status.Healthy(status.At); err != nil {
		problems = append(strings.Split(err.Error(), "\n"), problems...)
	}
	for _, problem := range problems {
		a.Problems = append(a.Problems, clean(problem))
	}
	a.Total, a.Shown = int(a.Containers), int(a.Containers)
	return a, nil
}

func (a *statusAnswer) write(p *page) {
	p.line("Account %s %s: %d containers, %d shipments, %d tracking requests.", a.Account, quoted(a.Name), a.Containers, a.Shipments, a.Requests)
	p.line("Healthy: %t. Complete: %t, read whole %s. To read again: %d. To apply: %d, quarantined %d. Now: %s.",
		a.Healthy, a.Complete, a.WholeWalk, a.Unread, a.Unapplied, a.Quarantined, a.Now)
	for _, problem := range a.Problems {
		p.line("Problem: %s", quoted(problem))
	}
}

// known returns a text, or that it is unknown.
func known(text string) string { return cmp.Or(clean(text), unknown) }
