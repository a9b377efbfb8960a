package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// kindOf is the kind of a change by the wire type and the attribute. Changes of others are left
// out.
var kindOf = map[string]changeKind{
	"container id": "new", "shipment id": "new",
	"container holds_at_pod_terminal": "hold", "container fees_at_pod_terminal": "fee",
	"container pickup_lfd": "last_free_day", "container import_deadlines": "last_free_day",
	"container available_for_pickup": "availability", "container availability_known": "availability",
	"container pickup_appointment_at": "appointment", "container current_status": "status",
	"container shipment": "eta", "container ind_eta_at": "eta", "shipment pod_eta_at": "eta", "shipment destination_eta_at": "eta",
	"shipment pod_vessel_name": "vessel", "shipment pod_voyage_number": "vessel", "shipment line_tracking_stopped_at": "tracking",
}

func init() {
	for _, attribute := range []string{
		terminal49.AttributeEmptyOut, terminal49.AttributePOLFullIn, terminal49.AttributePOLVesselLoaded, terminal49.AttributePOLVesselDeparted,
		terminal49.AttributePODArrived, terminal49.AttributePODDischarged, terminal49.AttributePODRailLoaded, terminal49.AttributePODRailDeparted,
		terminal49.AttributeINDATA, terminal49.AttributeINDRailUnloaded, terminal49.AttributePODFullOut, terminal49.AttributeFinalDestinationFullOut,
		terminal49.AttributeDelivered, terminal49.AttributeEmptyTerminated,
	} {
		kindOf["container "+attribute] = "milestone"
	}
}

// feedReader reads the feed for the tool changes.
type feedReader struct {
	*server
	kinds []changeKind
	only  map[string]bool // ids; nil for all
	limit int
	kept  []mirror.Change
	a     *changesAnswer

	// What explains the kept changes, also after them: those of availabilities, by container, and of
	// ETAs at the port, by shipment.
	available, etas map[string][]mirror.Change
}

// read reads from a position to the end. It keeps the first changes, and counts all.
func (f *feedReader) read(ctx context.Context, from mirror.Position) error {
	read := 0
	for c, err := range f.Mirror.Changes(ctx, from) {
		if err != nil {
			return err
		}
		if read++; read > mostFeed {
			f.a.note(fmt.Sprintf("Only the first %d changes of the feed were read; total counts those. Go on from the position.", mostFeed))
			break
		}
		wanted := f.wants(&c)
		if wanted {
			f.a.Total++
		}
		switch {
		case isAvailability(&c):
			f.available[c.ID] = append(f.available[c.ID], c)
		case isETA(&c):
			f.etas[c.ID] = append(f.etas[c.ID], c)
		}
		switch {
		case f.a.Total > f.limit && !f.completes(&c):
			continue
		case wanted:
			f.kept = append(f.kept, c)
		}
		f.a.Position = string(c.Position)
	}
	if f.a.Shown = len(f.kept); f.a.Shown < f.a.Total {
		f.a.note("There are more changes; ask again with the position.")
	}
	return nil
}

// completes reports whether a change is the second half of the last one that was kept.
func (f *feedReader) completes(c *mirror.Change) bool {
	last := &f.kept[len(f.kept)-1]
	return f.a.Total == f.limit+1 && isAvailability(c) && isAvailability(last) && c.ID == last.ID && c.At.Equal(last.At)
}

// wants reports whether a change was asked for.
func (f *feedReader) wants(c *mirror.Change) bool {
	if f.only != nil && !f.only[c.ID] {
		return false
	}
	kind := kindOf[c.Kind+" "+c.Attribute]
	if c.Kind == mirror.KindSituation {
		if c.Old == nil {
			return false // the first that was known of the container; nothing has changed
		}
		if kind = "notice"; terminal49.Situation(c.Attribute).Known() {
			kind = "situation"
		}
	}
	return kind != "" && slices.Contains(f.kinds, kind)
}

// name reads what the kept changes are of, and adds them to the answer.
func (f *feedReader) name(ctx context.Context) error {
	containers, err := byID(ctx, f.kept, f.Reader.WithDeleted().Containers, func(c *terminal49.Container) string { return c.ID }, "container", mirror.KindSituation)
	if err != nil {
		return err
	}
	shipments, err := byID(ctx, withMoved(f.kept), f.Reader.WithDeleted().WithoutEvents().Shipments, func(s *terminal49.Shipment) string { return s.ID }, "shipment")
	if err != nil {
		return err
	}
	available := f.availabilities(containers)
	of := map[string]*changedResource{}
	var order []string
	for i := range f.kept {
		c := &f.kept[i]
		if of[c.ID] == nil {
			of[c.ID] = f.resource(c, containers[c.ID], shipments[c.ID])
			order = append(order, c.ID)
		}
		var items []changeItem
		switch {
		case isAvailability(c):
			items = available[c.ID].item(c)
		case isMove(c):
			items = f.movedItem(c, shipments)
		default:
			items = itemsOf(c, containers[c.ID], shipments[c.ID])
		}
		of[c.ID].Changes = append(of[c.ID].Changes, items...)
	}
	for _, id := range order {
		switch r := of[id]; {
		case len(r.Changes) == 0: // such as a date that is written differently
		case shipments[id] != nil:
			f.a.Shipments = append(f.a.Shipments, *r)
		default:
			f.a.Containers = append(f.a.Containers, *r)
		}
	}
	return nil
}

// resource returns a container or a shipment without its changes. What is forgotten has its id
// only.
func (f *feedReader) resource(c *mirror.Change, container *terminal49.Container, shipment *terminal49.Shipment) *changedResource {
	r := &changedResource{ID: c.ID, Number: unknown}
	switch {
	case container != nil:
		r.Number, r.Situation = known(container.Number), f.row(container, []field{"situation"}, nil).Situation
	case shipment != nil:
		r.Number = known(shipment.BillOfLadingNumber)
		for _, c := range sortedContainers(shipment) {
			r.Containers = append(r.Containers, c.Number)
		}
		r.Containers = cleaned(r.Containers)
	}
	return r
}

// itemsOf returns what a change means.
func itemsOf(c *mirror.Change, container *terminal49.Container, shipment *terminal49.Shipment) []changeItem {
	z := zoneOf(container, shipment)
	item := changeItem{At: instant(c.At), Kind: kindOf[c.Kind+" "+c.Attribute], What: strings.ReplaceAll(strings.TrimSuffix(c.Attribute, "_at"), "_", " ")}
	switch {
	case c.Kind == mirror.KindSituation:
		return noticeItem(c, item)
	case c.Attribute == "id":
		item.What = "no longer shown by the service"
		if c.New != nil {
			item.What = "new in the account"
		}
		return []changeItem{item}
	case item.Kind == "hold":
		return holdItems(c, item)
	case item.Kind == "fee":
		return feeItems(c, item)
	case c.Attribute == "import_deadlines":
		return deadlineItems(c, item, z, railZone(container, z))
	case item.Kind == "last_free_day":
		return moved(item, "service", z.day(c.Old), z.day(c.New))
	}
	return moved(item, item.What, z.text(c.Old), z.text(c.New))
}

// moved returns an item with two values, or none if they are the same.
func moved(item changeItem, what, from, to string) []changeItem {
	if from == to {
		return nil
	}
	item.What, item.From, item.To = what, known(from), known(to)
	return []changeItem{item}
}

func noticeItem(c *mirror.Change, item changeItem) []changeItem {
	n, _, err := c.Notice()
	if err != nil {
		return nil
	}
	if item.Kind = "notice"; terminal49.Situation(n.Name).Known() {
		item.Kind, item.To = "situation", string(n.After.Situation)
		if item.From = unknown; n.Before != nil {
			item.From = string(n.Before.Situation)
		}
	}
	item.What = clean(n.Sentence)
	return []changeItem{item}
}

func holdItems(c *mirror.Change, item changeItem) (list []changeItem) {
	var before, after []terminal49.Hold
	_, _ = json.Unmarshal(c.Old, &before), json.Unmarshal(c.New, &after) // null is none
	for _, h := range terminal49.DiffHolds(before, after) {
		name := h.New.Name
		if name == "" {
			name = h.Old.Name
		}
		list = append(list, moved(item, clean(string(name)), orNone(string(h.Old.Status)), orNone(string(h.New.Status)))...)
	}
	return list
}

func feeItems(c *mirror.Change, item changeItem) (list []changeItem) {
	var before, after []terminal49.Fee
	_, _ = json.Unmarshal(c.Old, &before), json.Unmarshal(c.New, &after)
	for _, f := range terminal49.DiffFees(before, after) {
		from, to := feeOf(terminal49.Fee{Amount: f.Old, CurrencyCode: f.CurrencyCode}).Amount, feeOf(terminal49.Fee{Amount: f.New, CurrencyCode: f.CurrencyCode}).Amount
		switch f.Kind {
		case terminal49.FeeChangeAdded:
			from = "none"
		case terminal49.FeeChangeRemoved:
			to = "none"
		}
		list = append(list, moved(item, clean(string(f.Type)), from, to)...)
	}
	return list
}

func deadlineItems(c *mirror.Change, item changeItem, port, ramp zone) (list []changeItem) {
	var before, after map[string]json.RawMessage
	_, _ = json.Unmarshal(c.Old, &before), json.Unmarshal(c.New, &after)
	for source, z := range map[string]zone{"terminal": port, "line": port, "rail": ramp} {
		list = append(list, moved(item, source, z.day(before["pickup_lfd_"+source]), z.day(after["pickup_lfd_"+source]))...)
	}
	slices.SortFunc(list, func(a, b changeItem) int { return strings.Compare(a.What, b.What) })
	return list
}

// railZone returns the zone of the inland destination, or else that of the port.
func railZone(c *terminal49.Container, port zone) zone {
	if c == nil {
		return port
	}
	return zone{locationOf(c.FinalDestinationTimezone, port.String())}
}

// locationOf returns the first zone that is known, or UTC. Only package terminal49 finds zones on a
// machine without a database of them.
func locationOf(names ...string) *time.Location {
	for _, name := range names {
		if at, err := terminal49.NewTime(time.Time{}, name).Local(); err == nil && name != "" {
			return at.Location()
		}
	}
	return time.UTC
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return clean(text)
}

// zone is that of the port of a container or a shipment.
type zone struct{ *time.Location }

func zoneOf(c *terminal49.Container, s *terminal49.Shipment) zone {
	name := ""
	switch {
	case c != nil:
		name = c.PODTimezone
	case s != nil:
		name = s.PODTimezone
	}
	return zone{locationOf(name)}
}

// day returns the day at the place of a time in JSON.
func (z zone) day(data json.RawMessage) string {
	text := z.text(data)
	return text[:min(len(text), len(time.DateOnly))]
}

// text returns a value in JSON: a time at the place, or a text.
func (z zone) text(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return clean(strings.TrimPrefix(string(data), "null"))
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.In(z.Location).Format(time.RFC3339)
	}
	return clean(text)
}
