package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

var shipmentTool = mcp.Tool{
	Name: "shipment",
	Description: "One shipment by bill of lading, booking, reference or id: route, vessel, ETA and original ETA, how its containers stand in sum, " +
		"each container as a row, documents, custom fields.",
}

type shipmentInput struct {
	Number string  `json:"number,omitempty" jsonschema:"bill of lading, booking or reference; or else id"`
	ID     string  `json:"id,omitempty"`
	Fields []field `json:"fields,omitempty" jsonschema:"members of the rows; default situation, place, last_free_day, days_left"`
	Offset int     `json:"offset,omitempty" jsonschema:"containers to skip"`
}

type shipmentAnswer struct {
	common
	Shipment shipmentRow `json:"shipment"`

	OriginalETA    string        `json:"original_eta"`
	Departed       string        `json:"departed"`
	DestinationETA string        `json:"destination_eta,omitempty" jsonschema:"the line's estimate for the inland destination"`
	Terminal       string        `json:"terminal"`
	Tags           []string      `json:"tags,omitempty"`
	Out            int           `json:"out"`
	Next           string        `json:"next,omitempty" jsonschema:"container with the earliest last free day, and the day"`
	Furthest       string        `json:"furthest,omitempty" jsonschema:"container that is furthest from pickup, and why"`
	Owed           joined        `json:"owed"`
	Documents      int           `json:"documents"`
	CustomFields   []customField `json:"custom_fields,omitempty"`
	Others         []otherThing  `json:"others,omitempty" jsonschema:"further shipments of the number or reference: ask which"`
}

// otherThing is a shipment that was also meant, perhaps.
type otherThing struct {
	ID           string `json:"id"`
	BillOfLading string `json:"bill_of_lading"`
	Customer     string `json:"customer"`
	Port         string `json:"port"`
	Containers   int    `json:"containers"`
	Tracking     string `json:"tracking"`
}

// mostRows is how many rows an answer has at most, unless it has a limit.
const mostRows = 100

func (s *server) shipment(ctx context.Context, in shipmentInput) (*shipmentAnswer, error) {
	all, err := s.shipments(ctx, in.Number, in.ID)
	if err != nil {
		return nil, err
	}
	of := all[0]
	a := &shipmentAnswer{
		Shipment: shipmentRowOf(of), OriginalETA: known(local(of.PODOriginalETA)), Departed: known(local(of.POLATD)), DestinationETA: local(of.DestinationETA),
		Tags: cleaned(of.Tags), Terminal: known(terminalOf(&terminal49.Container{}, of)),
	}
	containers := sortedContainers(of)
	a.addSummary(s, containers)
	if in.Offset < 0 || in.Offset > len(containers) {
		return nil, mend("offset", "must be from 0 to %d", len(containers))
	}
	for _, c := range containers[in.Offset:min(len(containers), in.Offset+mostRows)] {
		a.Shipment.Containers = append(a.Shipment.Containers, s.row(c, in.Fields, few))
	}
	a.Total, a.Shown = len(containers), len(a.Shipment.Containers)
	if in.Offset+a.Shown < a.Total {
		a.note("There are more containers; ask with an offset.")
	}
	a.addOthers(all[1:])
	return a, a.addRest(ctx, s, of)
}

// addSummary adds up the verdicts of the containers.
func (a *shipmentAnswer) addSummary(s *server, containers []*terminal49.Container) {
	verdicts := make([]terminal49.Verdict, len(containers))
	for i, c := range containers {
		verdicts[i] = terminal49.Assess(c, s.Now(), terminal49.VerdictOptions{})
	}
	sum := terminal49.SumVerdicts(verdicts)
	a.Shipment.Summary, a.Out, a.Owed = clean(sum.String()), sum.HaveLeft, owedOf(sum.Fees)
	if sum.Next != nil {
		a.Next = clean(sum.Next.Number) + " " + day(sum.Next.LastFreeDay.At)
	}
	if sum.Furthest != nil {
		a.Furthest = clean(sum.Furthest.Number) + " " + strings.ReplaceAll(string(sum.Furthest.Situation), "_", " ")
	}
}

// addOthers lists what else has the number.
func (a *shipmentAnswer) addOthers(others []*terminal49.Shipment) {
	for _, s := range others[:min(len(others), mostTexts)] {
		r := shipmentRowOf(s)
		a.Others = append(a.Others, otherThing{r.ID, r.BillOfLading, r.Customer, r.Port, s.Containers.Len(), r.Tracking})
	}
	if len(others) > 0 {
		a.note("Several shipments have this number or reference; this is the latest. Ask which is meant, and then by id.")
	}
}

// addRest adds the documents and the custom fields.
func (a *shipmentAnswer) addRest(ctx context.Context, s *server, of *terminal49.Shipment) (err error) {
	if a.CustomFields, err = s.customFields(ctx, of.ID, of.ID); err != nil {
		return err
	}
	for _, err := range s.Reader.Documents(ctx, "where cast(shipment_ids as text) like $1", `%"`+of.ID+`"%`) {
		if err != nil {
			return err
		}
		a.Documents++
	}
	return nil
}

// shipments returns the shipments of a number or reference, the latest first, or the one with an
// id. There is at least one.
func (s *server) shipments(ctx context.Context, number, id string) ([]*terminal49.Shipment, error) {
	switch {
	case (number == "") == (id == ""):
		return nil, mend("number", "set number or id, one of them")
	case id != "":
		of, err := s.Reader.Shipment(ctx, id)
		return []*terminal49.Shipment{of}, err
	}
	found, err := s.Reader.Find(ctx, number)
	if err != nil {
		return nil, err
	}
	var all []*terminal49.Shipment
	for _, item := range found[0].Items {
		if item.Shipment != nil && !found[0].Deleted {
			all = append(all, item.Shipment)
		}
	}
	if len(all) == 0 {
		return nil, s.noShipment(&found[0])
	}
	return all, nil
}

// noShipment is the error for a text that names no shipment.
func (s *server) noShipment(found *mirror.Found) error {
	m := missingOf(found)
	for _, item := range found.Items {
		switch {
		case found.Deleted:
		case item.Container != nil:
			return mend("number", "%s is of a container, whose shipment has the id %s; ask by that, or the tool container", quoted(found.Text), clean(item.Container.Shipment.ID()))
		case item.Request != nil:
			return mend("number", "%s is a tracking request without a shipment; ask the tool find why", quoted(found.Text))
		}
	}
	return mend("number", "%s: %s%s", quoted(m.Input), m.Why, before("; nearest tracked numbers: ", numberTexts(m.Nearest)))
}

func (a *shipmentAnswer) write(p *page) {
	a.Shipment.write(p)
	p.line("Original ETA %s, departed %s%s, terminal %s. Owed %s. %s picked up, %s.", a.OriginalETA, a.Departed, before(", ETA at the destination ", a.DestinationETA),
		quoted(a.Terminal), a.Owed, plural(a.Out, "container", "containers"), plural(a.Documents, "document", "documents"))
	for _, f := range a.CustomFields {
		p.line("Field %s: %s.", quoted(f.Name), quoted(f.Value))
	}
	for _, o := range a.Others {
		p.line("Also shipment %s of %s to %s, %s, id %s.", quoted(o.BillOfLading), quoted(o.Customer), quoted(o.Port), plural(o.Containers, "container", "containers"), o.ID)
	}
}
