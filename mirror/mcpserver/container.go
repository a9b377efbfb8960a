package mcpserver

import (
	"cmp"
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

var containerTool = mcp.Tool{
	Name: "container",
	Description: "Everything about one container: what to do now and why, last free days by source, fees, holds since when, " +
		"journey, shipment, references, custom fields. If the number made several journeys: the latest, and a list of them.",
}

type containerInput struct {
	Number string `json:"number,omitempty" jsonschema:"container number; or else id"`
	ID     string `json:"id,omitempty" jsonschema:"id of one journey"`
}

type containerAnswer struct {
	common
	Sentence  string       `json:"sentence"`
	Container containerRow `json:"container"`

	Doubts       []string      `json:"doubts,omitempty" jsonschema:"about what the terminal reported"`
	LastFreeDays []lastFreeDay `json:"last_free_days,omitempty"`
	UrgencyWhy   string        `json:"urgency_unknown_because,omitempty"`
	Fees         []fee         `json:"fees,omitempty"`
	Holds        []hold        `json:"holds,omitempty"`
	Journey      []milestone   `json:"journey,omitempty"`
	Proof        []string      `json:"proof,omitempty" jsonschema:"facts that the place follows from"`
	Against      []string      `json:"against,omitempty"`
	CustomFields []customField `json:"custom_fields,omitempty"`
	ShipmentID   string        `json:"shipment_id,omitempty"`
	AskAgain     string        `json:"ask_again,omitempty" jsonschema:"when something new is expected"`
	Journeys     []journey     `json:"journeys,omitempty" jsonschema:"all of this number, the latest first, if there are several"`
}

type lastFreeDay struct {
	Source   string `json:"source" jsonschema:"terminal, line, rail, or service: what the tracking service chose"`
	Day      string `json:"day"`
	Binds    bool   `json:"binds" jsonschema:"the earliest that counts now"`
	Withheld bool   `json:"withheld,omitempty"`
}

type fee struct {
	Type   string `json:"type"`
	Amount string `json:"amount"`
}

type hold struct {
	Name        string `json:"name"`
	Status      string `json:"status"`
	Since       string `json:"since" jsonschema:"when the copy first saw it"`
	Earlier     bool   `json:"maybe_earlier,omitempty" jsonschema:"it may be older than the copy"`
	ClearedBy   string `json:"cleared_by"`
	Description string `json:"description,omitempty"`
}

type milestone struct {
	Event     string `json:"event"`
	At        string `json:"at"`
	Estimated bool   `json:"estimated,omitempty"`
	Place     string `json:"place,omitempty"`
	Vessel    string `json:"vessel,omitempty"`
	Voyage    string `json:"voyage,omitempty"`
}

type customField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Of    string `json:"of"`
}

type journey struct {
	ID           string `json:"id"`
	Situation    string `json:"situation"`
	BillOfLading string `json:"bill_of_lading"`
	Port         string `json:"port"`
	Tracking     string `json:"tracking"`
}

func (s *server) container(ctx context.Context, in containerInput) (*containerAnswer, error) {
	all, err := s.journeys(ctx, in.Number, in.ID)
	if err != nil {
		return nil, err
	}
	c := all[0]
	v := terminal49.Assess(c, s.Now(), terminal49.VerdictOptions{})
	a := &containerAnswer{Sentence: clean(v.String()), Container: rowOf(c, &v, s.Now()), ShipmentID: c.Shipment.ID()}
	a.Total, a.Shown = len(all), 1
	a.addVerdict(c, &v)
	a.Journey = journeyOf(c)
	if err := a.addHistory(ctx, s, c); err != nil {
		return nil, err
	}
	if more := max(len(c.Fees), len(c.Holds), len(a.Journey)); more > mostParts {
		a.note("Only 60 holds, fees and milestones of each kind are shown.")
		a.Journey = a.Journey[max(0, len(a.Journey)-mostParts):]
	}
	if len(all) > 1 {
		a.Journeys = s.journeyList(all)
		a.note("This number made several journeys; this is the latest. Ask by id for another one.")
	}
	return a, nil
}

// mostParts bounds each list of the parts of a container.
const mostParts = 60

// journeys returns the journeys of a container number, or the one with an id. There is at least
// one.
func (s *server) journeys(ctx context.Context, number, id string) ([]*terminal49.Container, error) {
	switch {
	case (number == "") == (id == ""):
		return nil, mend("number", "set number or id, one of them")
	case id != "":
		c, err := s.Reader.Container(ctx, id)
		return []*terminal49.Container{c}, err
	}
	all, err := s.Reader.ContainersByNumber(ctx, number)
	if err != nil || len(all) > 0 {
		return all, err
	}
	found, err := s.Reader.Find(ctx, number)
	if err != nil {
		return nil, err
	}
	return nil, noContainer(&found[0])
}

// noContainer is the error for a text that names no container.
func noContainer(found *mirror.Found) error {
	if len(found.Items) > 0 && !found.Deleted {
		return mend("number", "%s is not a container number but of a shipment, a reference or a tracking request; ask the tool find or shipment", quoted(found.Text))
	}
	m := missingOf(found)
	return mend("number", "%s: %s%s%s", quoted(m.Input), m.Why, before("; with the right check digit it is ", m.Correct), before("; nearest tracked numbers: ", numberTexts(m.Nearest)))
}

// addVerdict adds what the verdict says.
func (a *containerAnswer) addVerdict(c *terminal49.Container, v *terminal49.Verdict) {
	for _, w := range v.Readiness.Warnings {
		a.Doubts = append(a.Doubts, strings.ReplaceAll(string(w), "_", " "))
	}
	if !v.Situation.HasLeft() {
		a.LastFreeDays, a.UrgencyWhy = lastFreeDaysOf(c, v), strings.ReplaceAll(string(v.UrgencyReason), "_", " ")
	}
	for _, f := range c.Fees[:min(len(c.Fees), mostParts)] {
		a.Fees = append(a.Fees, feeOf(f))
	}
	a.Proof, a.Against = factsOf(v.Proof), factsOf(v.Against)
	if !v.AskAgain.IsZero() {
		a.AskAgain = instant(v.AskAgain)
	}
}

func feeOf(f terminal49.Fee) fee {
	amount := clean(terminal49.FormatMoney(f.Amount, f.CurrencyCode))
	if f.Amount.IsZero() {
		amount = unknown // it is not posted yet
	}
	return fee{clean(string(f.Type)), amount}
}

// lastFreeDaysOf returns the day of each source; that of the terminal, the line and the service
// also if they report none.
func lastFreeDaysOf(c *terminal49.Container, v *terminal49.Verdict) (list []lastFreeDay) {
	days := terminal49.LastFreeDays(c)
	bySource := map[terminal49.LFDSource]terminal49.LastFreeDay{}
	for _, d := range days.Reported {
		bySource[d.Source] = d
	}
	add := func(name string, d terminal49.LastFreeDay, binds bool) {
		list = append(list, lastFreeDay{name, known(day(d.At)), binds, d.Withheld})
	}
	for _, source := range []terminal49.LFDSource{terminal49.LFDSourceTerminal, terminal49.LFDSourceLine, terminal49.LFDSourceRail} {
		d, reported := bySource[source]
		if reported || source != terminal49.LFDSourceRail {
			add(string(source), d, reported && source == v.LastFreeDay.Source)
		}
	}
	add("service", days.Chosen, v.LastFreeDay.Source == "" && !v.LastFreeDay.At.IsZero())
	return list
}

func factsOf(facts []terminal49.VerdictFact) (list []string) {
	for _, f := range facts {
		list = append(list, clean(f.String()))
	}
	return list[:min(len(list), 8)]
}

func journeyOf(c *terminal49.Container) (list []milestone) {
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
		list = append(list, milestone{
			Event: clean(strings.TrimPrefix(string(m.Event), "container.transport.")), At: known(local(m.At)), Estimated: m.Estimated,
			Place: placeOf(m.Place, m.LOCODE), Vessel: clean(m.VesselName), Voyage: clean(m.Voyage),
		})
	}
	return list
}

// addHistory adds since when holds are known, and the custom fields.
func (a *containerAnswer) addHistory(ctx context.Context, s *server, c *terminal49.Container) error {
	past, err := s.Reader.History(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, h := range c.Holds[:min(len(c.Holds), mostParts)] {
		of := hold{Name: clean(string(h.Name)), Status: clean(string(h.Status)), Since: unknown, ClearedBy: clean(string(h.Name.ClearedBy())), Description: clean(h.Description)}
		for _, p := range past.Holds {
			if p.Until.IsZero() && p.Value.Name == h.Name && p.Value.Status == h.Status {
				of.Since, of.Earlier = instant(p.From), p.Earlier
			}
		}
		a.Holds = append(a.Holds, of)
	}
	a.CustomFields, err = s.customFields(ctx, c.ID, c.Shipment.ID())
	return err
}

// customFields reads the custom fields of a container and its shipment.
func (s *server) customFields(ctx context.Context, container, shipment string) (list []customField, err error) {
	for f, err := range s.Reader.CustomFields(ctx, "where entity_id in ($1, $2) order by api_slug", container, shipment) {
		if err != nil {
			return nil, err
		}
		of := "container"
		if f.Entity.ID() == shipment {
			of = "shipment"
		}
		list = append(list, customField{clean(f.APISlug), known(cmp.Or(f.DisplayValue, f.Value.String())), of})
	}
	return list, nil
}

// journeyList lists the journeys of a number.
func (s *server) journeyList(all []*terminal49.Container) (list []journey) {
	for _, c := range all[:min(len(all), mostParts)] {
		r := s.row(c, []field{"situation", "bill_of_lading", "port", "tracking"}, nil)
		list = append(list, journey{c.ID, r.Situation, r.BillOfLading, r.Port, r.Tracking})
	}
	return list
}

func (a *containerAnswer) write(p *page) {
	r := a.Container
	p.line("%s: %s", numberText(r.Number), quoted(a.Sentence))
	r.ID, r.Since = "", ""
	p.line("Facts: %s.", own(strings.Join(r.others(), "; ")))
	for _, d := range a.LastFreeDays {
		p.line("Last free day of the %s: %s%s%s.", d.Source, d.Day, mark(d.Binds, ", this one binds"), mark(d.Withheld, ", withheld"))
	}
	for _, f := range a.Fees {
		p.line("Fee %s: %s.", quoted(f.Type), f.Amount)
	}
	for _, h := range a.Holds {
		p.line("Hold %s (%s) seen since %s%s, cleared by %s%s.", quoted(h.Name), quoted(h.Status), h.Since, mark(h.Earlier, " or earlier"), words(h.ClearedBy),
			before(": ", quotedOrNone(h.Description)))
	}
	for _, d := range a.Doubts {
		p.line("Doubt: %s.", own(d))
	}
	for _, m := range a.Journey {
		p.line("%s %s%s%s%s.", m.At, eventText(m.Event), mark(m.Estimated, " expected"), before(" at ", quotedOrNone(m.Place)), before(" by ", quotedOrNone(strings.TrimSpace(m.Vessel+" "+m.Voyage))))
	}
	for _, f := range a.CustomFields {
		p.line("Field %s of the %s: %s.", quoted(f.Name), f.Of, quoted(f.Value))
	}
	for _, j := range a.Journeys {
		p.line("Journey %s: %s, bill of lading %s, to %s, tracking %s.", j.ID, words(j.Situation), quoted(j.BillOfLading), quoted(j.Port), quoted(j.Tracking))
	}
}

// eventText returns the name of an event, quoted if it is not a known one.
func eventText(name string) own {
	if terminal49.EventName("container.transport." + name).Known() {
		return words(name)
	}
	return quoted(name)
}

// mark returns a text if it applies.
func mark(applies bool, text own) own {
	if applies {
		return text
	}
	return ""
}
