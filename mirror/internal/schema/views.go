package schema

import (
	"slices"
	"strings"
)

// View is what a statement of Reader.Query may read: rows that are not deleted, without what only
// the mirror needs, and without documents as JSON.
type View struct {
	Name, Doc string
	Columns   []Column
	From      string   // its tables, joined, with t49. before each
	Tables    []string // their names
	values    map[string]string
}

// String returns what a column of the kind has in a view.
func (k Kind) String() string {
	switch k {
	case KindInteger:
		return "integer"
	case kindFloat:
		return "number"
	case kindBoolean:
		return "boolean"
	case KindInstant, KindMoment:
		return "instant"
	case KindLocal:
		return "wall clock"
	case KindJSON:
		return "json"
	}
	return "text"
}

// Value returns the expression of a column. A long text is cut, so that a statement cannot make
// much of it.
func (v *View) Value(column string) string {
	if value := v.values[column]; value != "" {
		return value
	}
	return "t." + column
}

// Column returns whether the view has a column.
func (v *View) Column(name string) bool {
	return slices.ContainsFunc(v.Columns, func(c Column) bool { return c.Name == name })
}

// Views are all of them, those first that most statements need.
var Views = []*View{
	joined(viewOf(ContainerTable), ShipmentTable, "shipment_id", "bill_of_lading_number", "customer_name",
		"shipping_line_scac", "shipping_line_name", "port_of_lading_locode", "port_of_lading_name", "port_of_discharge_locode",
		"port_of_discharge_name", "destination_locode", "destination_name", "pod_vessel_name", "pod_vessel_imo", "pod_voyage_number",
		"pod_eta_at", "pod_eta_at_local", "pod_original_eta_at", "pod_original_eta_at_local", "line_tracking_stopped_at"),
	viewOf(ShipmentTable),
	situationView,
	holdView,
	feeView,
	changeView,
	viewOf(TrackingRequestTable),
	viewOf(TransportEventTable),
	viewOf(EstimateTable),
	viewOf(DocumentTable),
	viewOf(CustomFieldTable),
	viewOf(PartyTable),
	viewOf(ShippingLineTable),
	viewOf(PortTable),
	viewOf(TerminalTable),
	viewOf(VesselTable),
}

// offeredLists are the lists that views have, as JSON in a text.
var offeredLists = []string{"shipment_ids", "container_ids", "role_names", "alternative_scacs"}

// notOffered are addresses, texts of documents, ids that lead nowhere, columns that are always
// null, and a sum without a currency.
var notOffered = []string{
	"classification_notes", "tracking_url", "contact_url", "user_id", "account_id", "email_submission_id",
	"last_document_representation_id", "source_event_id", "previous_version_id", "line_tracking_stopped_by_user_id", "definition_id",
	"ind_facility_lfd_on", "ind_facility_lfd_on_local", "ssl_lfd", "ssl_lfd_local", "demurrage",
}

// wholeTexts are those that statements join and search by, besides ids. Other texts are cut.
var wholeTexts = []string{
	"number", "bill_of_lading_number", "normalized_number", "request_number", "current_status", "event", "api_slug",
}

// isWhole reports whether a column is not cut, so that an index of it can be used.
func isWhole(c Column) bool {
	return c.Kind != KindText && c.Kind != KindJSON || strings.HasSuffix(c.Name, "_id") || slices.Contains(wholeTexts, c.Name)
}

// viewOf returns the view of a table of resources.
func viewOf(t *Table) *View {
	v := &View{Name: t.Name, Doc: t.Doc, From: "t49.live_" + t.Name + " t", Tables: []string{t.Name}, values: map[string]string{}}
	v.Columns = []Column{
		{"id", KindText, "Id at the service."},
		{"changed_at", KindInstant, "The last read that differed."},
	}
	for _, c := range Physical(t.Columns) {
		if c.Kind == KindJSON && !slices.Contains(offeredLists, c.Name) || slices.Contains(notOffered, c.Name) {
			continue
		}
		if !isWhole(c) {
			c.Kind, v.values[c.Name] = KindText, cut("t."+c.Name)
		}
		v.Columns = append(v.Columns, c)
	}
	return v
}

func cut(column string) string { return "substr(cast(" + column + " as text), 1, 2000)" }

// joined adds columns of another table, whose id a column has.
func joined(v *View, of *Table, by string, columns ...string) *View {
	v.From += " left join t49.live_" + of.Name + " o on o.id = t." + by
	v.Tables = append(v.Tables, of.Name)
	for _, c := range Physical(of.Columns) {
		if slices.Contains(columns, c.Name) {
			c.Doc = strings.TrimSpace(c.Doc + " Of the shipment.")
			v.Columns = append(v.Columns, c)
			if v.values[c.Name] = "o." + c.Name; !isWhole(c) {
				v.values[c.Name] = cut("o." + c.Name)
			}
		}
	}
	return v
}

// periodColumns are those of all tables of periods.
var periodColumns = []Column{
	{"first_seen", KindInstant, "The first read that showed it."},
	{"last_seen", KindInstant, "The last one."},
	{"cleared_at", KindInstant, "The first read that no longer showed it; null while it lasts."},
}

var holdView = &View{
	Name: "holds", Doc: "Holds of containers as periods. A hold with another status is another period.",
	Columns: append([]Column{
		{"container_id", KindText, "In containers."},
		{"name", KindText, "Such as customs."},
		{"status", KindText, "hold or pending."},
		{"description", KindText, "As last read."},
	}, periodColumns...),
	From: "t49.holds t", Tables: []string{"holds"}, values: map[string]string{"description": cut("t.description")},
}

var feeView = &View{
	Name: "fees", Doc: "Fees of containers as periods. A fee with another amount is another period. What is owed is the sum of amount, for each currency, where counted and cleared_at is null.",
	Columns: append([]Column{
		{"container_id", KindText, "In containers."},
		{"type", KindText, "Such as demurrage."},
		{"amount", kindFloat, "0 if it is not posted yet."},
		{"currency_code", KindText, "ISO 4217; null if not reported."},
		{"counted", kindBoolean, "Whether it adds to what is owed: not for a total next to other fees."},
	}, periodColumns...),
	From: "t49.fees t", Tables: []string{"fees"}, values: map[string]string{"amount": "cast(t.amount as numeric)"}, // text in SQLite
}

var situationView = &View{
	Name: "situations", Doc: "Where each container is and what that means, by the rules of the verdict, without what depends on the clock.",
	Columns: []Column{
		{"container_id", KindText, "In containers."},
		{"situation", KindText, "While the terminal's data is recent, such as ready."},
		{"old_situation", KindText, "Once it is old, such as stale; the same in most situations."},
		{"checked_at", KindInstant, "When the terminal was last checked."},
		{"place", KindText, "Name of the terminal, port or city where it is."},
		{"since", KindInstant, "First recorded fact of the place or leg."},
		{"eta", KindInstant, "When it is expected where it goes next."},
		{"last_free_day", KindText, "The one that binds, on the calendar of its place, such as 2026-03-08."},
		{"urgency_reason", KindText, "Why the urgency of that day is unknown, such as no_deadline; empty if it is known."},
	},
	From: "t49.situations t", Tables: []string{"situations"},
}

var changeView = &View{
	Name: "changes", Doc: "What changed when: one row for each attribute or relationship.",
	Columns: []Column{
		{"seq", KindInteger, "In the order in which they were noticed."},
		{"kind", KindText, "Such as container or shipment."},
		{"id", KindText, "Of what changed."},
		{"attribute", KindText, "Wire name; id if it appeared or disappeared."},
		{"old", KindText, "As JSON; null if it was not reported, and for documents."},
		{"new", KindText, "As JSON; null if it is no longer reported, and for documents."},
		{"source", KindText, "walk, poll, cursor, notification or verdict."},
		{"at", KindInstant, "When it was noticed."},
	},
	From: "t49.changes t where t.kind <> ''", Tables: []string{"changes"},
	values: map[string]string{"old": ofNoDocument("t.old"), "new": ofNoDocument("t.new")},
}

func ofNoDocument(column string) string {
	return "case when t.kind not like 'document%' and t.kind <> 'shipping_line' then substr(cast(" + column + " as text), 1, 300) end"
}
