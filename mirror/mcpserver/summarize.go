package mcpserver

import (
	"cmp"
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/worklist"
)

var summarizeTool = mcp.Tool{
	Name:        "summarize",
	Description: "Count containers of the whole account by one or two keys, with what is owed, by the filters of worklist.",
}

var _ = enumOf(worklist.KeySituation, worklist.KeyStage, worklist.KeyTerminal, worklist.KeyBoundFor, worklist.KeyLine, worklist.KeyPort, worklist.KeyDestination,
	worklist.KeyVessel, worklist.KeyCustomer, worklist.KeyHold, worklist.KeyEquipment, worklist.KeyFee, worklist.KeyLastFreeDay, worklist.KeyETA, worklist.KeyETAWeek,
	worklist.KeySinceWeek)

type summarizeInput struct {
	filters
	By    []worklist.Key `json:"by,omitempty" jsonschema:"one or two keys; default situation"`
	Limit int            `json:"limit,omitempty" jsonschema:"groups; default 60, at most 500"`
}

type summarizeAnswer struct {
	common
	Containers  int      `json:"containers" jsonschema:"each counted once; total is the number of groups"`
	Stopped     int      `json:"tracking_stopped" jsonschema:"as in worklist"`
	Undated     int      `json:"undated,omitempty"`
	Days        workDays `json:"days,omitempty"`
	Limit       int      `json:"limit,omitempty"`
	Owed        []owed   `json:"owed,omitempty" jsonschema:"by currency, with those that have left"`
	Fees        []owed   `json:"fees,omitempty" jsonschema:"the same by type"`
	Owing       int      `json:"owing" jsonschema:"that owe something"`
	FeesUnknown int      `json:"fees_unknown" jsonschema:"whose fees or their amounts are not reported"`
	Groups      []group  `json:"groups,omitempty" jsonschema:"a container with several holds is in several"`
}

// owed is an amount.
type owed struct {
	Type   string `json:"type,omitempty"`
	Amount string `json:"amount" jsonschema:"such as USD 555.00"`
}

// group is the containers that share one or two keys.
type group struct {
	Key         string `json:"key" jsonschema:"unknown: none, or not reported"`
	Name        string `json:"name,omitempty"`
	Second      string `json:"second_key,omitempty"`
	SecondName  string `json:"second_name,omitempty"`
	Containers  int    `json:"containers"`
	Overdue     int    `json:"overdue,omitempty"`
	Imminent    int    `json:"imminent,omitempty"`
	DaysPast    int    `json:"days_past,omitempty" jsonschema:"days since last free days that passed, summed"`
	Owed        joined `json:"owed,omitempty"`
	Owing       int    `json:"owing,omitempty"`
	FeesUnknown int    `json:"fees_unknown,omitempty"`
}

const (
	usualGroups = 60
	mostGroups  = 500
)

func (s *server) summarize(ctx context.Context, in summarizeInput) (*summarizeAnswer, error) {
	filter, err := in.filter(s)
	if err != nil {
		return nil, err
	}
	if in.Limit < 0 || in.Limit > mostGroups {
		return nil, mend("limit", "must be from 1 to %d; use filters for less", mostGroups)
	}
	if len(in.By) == 0 {
		in.By = []worklist.Key{worklist.KeySituation}
	}
	counts, err := s.overview.Count(ctx, s.Now(), mirror.CountOptions{Filter: filter, By: in.By})
	if err != nil {
		return nil, mended(err)
	}
	return summaryOf(counts, in), nil
}

// summaryOf returns counts as an answer.
func summaryOf(counts *mirror.Counts, in summarizeInput) *summarizeAnswer {
	fees := counts.Owed.Fees
	a := &summarizeAnswer{
		Containers: counts.Total, Stopped: counts.Stopped, Undated: counts.Undated, Days: counts.Days, Limit: cmp.Or(in.Limit, usualGroups),
		Owing: counts.Owed.Containers, FeesUnknown: counts.Owed.Unknown,
	}
	for _, sum := range fees.Currencies() {
		a.Owed = appendOwed(a.Owed, owed{"", terminal49.FormatMoney(sum.Owed, sum.CurrencyCode)}, !sum.Owed.IsZero())
	}
	for _, sum := range fees.ByType() {
		a.Fees = appendOwed(a.Fees, owed{clean(string(sum.Type)), terminal49.FormatMoney(sum.Amount, sum.CurrencyCode)}, !sum.Amount.IsZero())
	}
	a.Total = len(counts.Groups)
	for i := range counts.Groups[:min(a.Total, a.Limit)] {
		a.Groups = append(a.Groups, groupOf(&counts.Groups[i], in.By))
	}
	if a.Shown = len(a.Groups); a.Shown < a.Total {
		a.note(fmt.Sprintf("%d of %d groups are shown: ask with a limit up to %d, or with filters.", a.Shown, a.Total, mostGroups))
	}
	a.noteFilter(counts.Waiting, counts.Aside, counts.Meanings)
	return a
}

func appendOwed(to []owed, one owed, is bool) []owed {
	if !is {
		return to
	}
	one.Amount = clean(one.Amount)
	return append(to, one)
}

func groupOf(c *worklist.Count, by []worklist.Key) group {
	g := group{
		Containers: c.Containers, Overdue: c.Urgencies[terminal49.UrgencyOverdue], Imminent: c.Urgencies[terminal49.UrgencyImminent],
		DaysPast: c.DaysPast, Owing: c.Owed.Containers, FeesUnknown: c.Owed.Unknown,
	}
	g.Key, g.Name = keyOf(by[0], c.Key, c.Label)
	if len(by) == 2 {
		g.Second, g.SecondName = keyOf(by[1], c.SecondKey, c.SecondLabel)
	}
	if c.Owed.Containers > 0 {
		g.Owed = owedOf(c.Owed.Fees)
		if !c.Owed.Fees.Reported {
			g.Owed = joined(c.Owed.Fees.String())
		}
	}
	return g
}

// keyOf returns the key and the name of a group. Terminals have no code that anybody knows.
func keyOf(by worklist.Key, key, label string) (string, string) {
	switch {
	case key == "":
		return unknown, ""
	case by == worklist.KeyTerminal || by == worklist.KeyBoundFor:
		return known(label), ""
	case clean(label) == clean(key):
		label = ""
	}
	return clean(key), clean(label)
}

func (a *summarizeAnswer) write(p *page) {
	p.line("%s in %s%s.", plural(a.Containers, "container", "containers"), plural(a.Total, "group", "groups"), a.Days.text())
	var amounts []string
	for _, o := range a.Owed {
		amounts = append(amounts, o.Amount)
	}
	if len(amounts) > 0 {
		p.line("Owed for %d: %s. Unknown for %d.", a.Owing, quotedAll(amounts, " + "), a.FeesUnknown)
	}
	for i := range a.Groups {
		p.line("%s", own(a.Groups[i].String()))
	}
}

// String returns a group for a person.
func (g *group) String() string {
	text := named(g.Key, g.Name)
	if g.Second != "" {
		text += " / " + named(g.Second, g.SecondName)
	}
	text += fmt.Sprintf(": %d", g.Containers)
	if g.Overdue > 0 {
		text += fmt.Sprintf(", %d overdue", g.Overdue)
	}
	if g.Imminent > 0 {
		text += fmt.Sprintf(", %d imminent", g.Imminent)
	}
	if g.Owed != "" {
		text += ", owed " + string(quoted(string(g.Owed)))
	}
	return text
}

// named returns a key with its name.
func named(key, name string) string {
	if name == "" {
		return string(quoted(key))
	}
	return string(quoted(key) + " " + quoted(name))
}
