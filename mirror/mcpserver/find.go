package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

var findTool = mcp.Tool{
	Name: "find",
	Description: "Look up to 200 container numbers, bills of lading, bookings or references at once, typed in any way. " +
		"Answers each with its containers, or why there is none: not tracked, deleted, a wrong check digit, a failed tracking request.",
}

// mostInputs bounds the numbers of a call.
const mostInputs = 200

type findInput struct {
	Numbers []string `json:"numbers" jsonschema:"container numbers, bills of lading, bookings, references; 1 to 200"`
	Fields  []field  `json:"fields,omitempty" jsonschema:"members of the rows; default situation, place, last_free_day, days_left"`
}

type findAnswer struct {
	common
	Containers []containerRow `json:"containers,omitempty" jsonschema:"by container number, in the order given"`
	Shipments  []shipmentRow  `json:"shipments,omitempty" jsonschema:"by another number or reference, in the order given"`
	Requests   []requestRow   `json:"tracking_requests,omitempty" jsonschema:"that found nothing, yet or at all"`
	Missing    []missing      `json:"missing,omitempty"`
	Ambiguous  []string       `json:"ambiguous,omitempty" jsonschema:"inputs that name several things: ask which"`
}

// missing is an input that names nothing.
type missing struct {
	Input   string   `json:"input"`
	Why     string   `json:"why"`
	Correct string   `json:"correct,omitempty"`
	Nearest []string `json:"nearest,omitempty" jsonschema:"tracked numbers that one typing error makes of it"`
}

// requestRow is a tracking request without a shipment.
type requestRow struct {
	Input   string `json:"input,omitempty"`
	Number  string `json:"number"`
	Line    string `json:"line"`
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty" jsonschema:"why it, or its last attempt, failed"`
	Again   bool   `json:"again" jsonschema:"further attempts follow"`
	Created string `json:"created"`
}

func (s *server) find(ctx context.Context, in findInput) (*findAnswer, error) {
	numbers := slices.DeleteFunc(slices.Clone(in.Numbers), func(n string) bool { return strings.TrimSpace(n) == "" })
	switch {
	case len(numbers) == 0:
		return nil, mend("numbers", "must have at least one number or reference")
	case len(numbers) > mostInputs:
		return nil, mend("numbers", "must have at most %d, not %d; split the list", mostInputs, len(numbers))
	}
	found, err := s.Reader.Find(ctx, numbers...)
	if err != nil {
		return nil, err
	}
	a := &finding{server: s, fields: in.Fields, a: new(findAnswer)}
	for i := range found {
		a.add(&found[i])
	}
	a.a.Total, a.a.Shown = len(found), len(found)
	return a.a, nil
}

// finding makes the answer of the tool find.
type finding struct {
	*server
	fields []field
	a      *findAnswer
}

// add adds what an input names.
func (f *finding) add(found *mirror.Found) {
	if len(found.Items) == 0 || found.Deleted {
		f.a.Missing = append(f.a.Missing, missingOf(found))
		return
	}
	containers, things := f.containersOf(found), 0
	if containers > 0 {
		things++
	}
	for _, m := range found.Items {
		switch {
		case m.Shipment != nil:
			f.a.Shipments = append(f.a.Shipments, f.shipmentRow(m.Shipment, found.Text))
			things++
		case m.Request != nil:
			f.a.Requests = append(f.a.Requests, requestRowOf(m.Request, found.Text))
			things++
		case m.By == mirror.FoundByReference:
			f.addContainer(m.Container, found.Text, 0)
			things++
		}
	}
	if things > 1 {
		f.a.Ambiguous = append(f.a.Ambiguous, clean(found.Text))
	}
}

// containersOf adds the latest journey of a container number, and returns how many there are.
func (f *finding) containersOf(found *mirror.Found) (journeys int) {
	var latest *terminal49.Container
	for _, m := range found.Items {
		if m.By == mirror.FoundByContainerNumber && m.Container != nil {
			latest = cmp.Or(latest, m.Container)
			journeys++
		}
	}
	if latest != nil {
		f.addContainer(latest, found.Text, journeys)
	}
	return journeys
}

func (f *finding) addContainer(c *terminal49.Container, input string, journeys int) {
	r := f.row(c, f.fields, few)
	if input = clean(input); input != r.Number {
		r.Input = input
	}
	if journeys > 1 {
		r.Journeys = journeys
	}
	f.a.Containers = append(f.a.Containers, r)
}

// row returns a container with the fields that were asked for, or else the usual ones.
func (s *server) row(c *terminal49.Container, asked, usual []field) containerRow {
	now := s.Now()
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	r := rowOf(c, &v, now)
	if len(asked) > 0 {
		return r.only(asked...)
	}
	if r = r.only(append(slices.Clone(usual), "bound_for")...); r.Place != "" {
		r.BoundFor = ""
	}
	return r
}

func requestRowOf(q *terminal49.TrackingRequest, input string) requestRow {
	r := requestRow{
		Number: clean(q.RequestNumber), Line: known(q.SCAC), Status: known(string(q.Status)),
		Reason: clean(strings.ReplaceAll(string(q.FailedReason), "_", " ")), Again: q.IsRetrying, Created: known(local(q.CreatedAt)),
	}
	if input = clean(input); input != r.Number {
		r.Input = input
	}
	return r
}

// missingOf explains why an input names nothing.
func missingOf(found *mirror.Found) missing {
	m := missing{Input: clean(found.Text), Why: "not tracked in this account", Nearest: cleaned(found.Nearest)}
	if found.Deleted {
		m.Why = "deleted: the service does not show it any more"
		return m
	}
	n, err := terminal49.ParseContainerNumber(found.Text)
	if digit, ok := n.ExpectedCheckDigit(); err != nil && ok {
		n.CheckDigit = digit
		m.Correct = n.String()
		m.Why = "not tracked, and the check digit is wrong: look for a mistyped character"
	}
	return m
}

func (a *findAnswer) write(p *page) {
	writeRows(p, a.Containers)
	for i := range a.Shipments {
		a.Shipments[i].write(p)
	}
	for i := range a.Requests {
		a.Requests[i].write(p)
	}
	for _, m := range a.Missing {
		p.line("Nothing for %s: %s%s%s.", quoted(m.Input), own(m.Why), before("; with the right digit it is ", m.Correct), before("; nearest tracked: ", quotedAll(m.Nearest, ", ")))
	}
	if len(a.Ambiguous) > 0 {
		p.line("Several things have the name: %s. Ask which.", quotedAll(a.Ambiguous, ", "))
	}
}

func (q *requestRow) write(p *page) {
	p.line("Tracking request %s%s of %s: %s, line %s, %s.", quoted(q.Number), ofInput(q.Input), q.Created, q.Status, quoted(q.Line),
		cmp.Or(quotedOrNone(q.Reason), "no failure"))
}

func ofInput(input string) own {
	if input == "" {
		return ""
	}
	return " for " + quoted(input)
}
