package terminal49test

import (
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// view is the world as one response shows it.
type view struct {
	w      *world
	roles  bool // shipments have party_roles, because the request has flag[parties]
	emails bool // the response is about e-mails, in which documents and e-mails have other attributes
}

// renderer builds the resource of a reference; false if it does not exist.
type renderer func(view, wire.Ref) (wire.Resource, bool)

// render builds the resource of a reference; false if it does not exist.
func (v view) render(r wire.Ref) (wire.Resource, bool) {
	render, known := v.w.renderers[r.Kind]
	if !known {
		return wire.Resource{}, false
	}
	res, ok := render(v, r)
	return v.w.relink(res), ok
}

// renderers returns a renderer for each type of resource.
func renderers() map[string]renderer {
	terminal := rowOf(func(w *world) *state.Table[Terminal] { return &w.terminals }, (*world).renderTerminal)
	event := rowOf(func(w *world) *state.Table[changeEvent] { return &w.changeEvents }, (*world).renderChangeEvent)
	return map[string]renderer{
		"shipment":                             rowOfView(func(w *world) *state.Table[Shipment] { return &w.shipments }, view.renderShipment),
		"container":                            rowOf(func(w *world) *state.Table[Container] { return &w.containers }, (*world).renderContainer),
		"tracking_request":                     rowOf(func(w *world) *state.Table[TrackingRequest] { return &w.requests }, (*world).renderRequest),
		"transport_event":                      rowOf(func(w *world) *state.Table[TransportEvent] { return &w.events }, (*world).renderEvent),
		"raw_event":                            rowOf(func(w *world) *state.Table[RawEvent] { return &w.rawEvents }, (*world).renderRawEvent),
		"shipping_line":                        rowOf(func(w *world) *state.Table[ShippingLine] { return &w.lines }, (*world).renderLine),
		"port":                                 rowOf(func(w *world) *state.Table[Port] { return &w.ports }, (*world).renderPort),
		"metro_area":                           rowOf(func(w *world) *state.Table[MetroArea] { return &w.metroAreas }, (*world).renderMetroArea),
		"terminal":                             terminal,
		"rail_terminal":                        terminal,
		"vessel":                               rowOf(func(w *world) *state.Table[Vessel] { return &w.vessels }, (*world).renderVessel),
		"webhook":                              rowOf(func(w *world) *state.Table[Webhook] { return &w.webhooks }, (*world).renderWebhook),
		"webhook_notification":                 rowOf(func(w *world) *state.Table[WebhookNotification] { return &w.notifications }, (*world).renderNotification),
		"estimated_event":                      event,
		"container_created_event":              event,
		"container_updated_event":              event,
		"container_pod_terminal_changed_event": event,
		"party":                                rowOf(func(w *world) *state.Table[Party] { return &w.parties }, (*world).renderParty),
		"party_role":                           rowOf(func(w *world) *state.Table[PartyRole] { return &w.partyRoles }, (*world).renderPartyRole),
		"custom_field":                         rowOf(func(w *world) *state.Table[customField] { return &w.custom.values }, (*world).renderCustomField),
		"custom_field_definition":              rowOf(func(w *world) *state.Table[CustomFieldDefinition] { return &w.custom.definitions }, (*world).renderDefinition),
		"custom_field_option":                  view.renderOption,
		"document":                             view.renderDocument,
		"document_representation":              view.renderRepresentation,
		"document_schema":                      rowOf(func(w *world) *state.Table[DocumentSchema] { return &w.docs.schemas }, (*world).renderSchema),
		"email_submission":                     rowOfView(func(w *world) *state.Table[EmailSubmission] { return &w.docs.emails }, view.renderEmail),
		"account": func(v view, r wire.Ref) (wire.Resource, bool) {
			return wire.Resource{Ref: r, Attributes: wire.Object{{"company_name", "Simulated Account"}}}, r.ID == v.w.account
		},
		"user": func(v view, r wire.Ref) (wire.Resource, bool) {
			return wire.Resource{Ref: r, Attributes: wire.Object{}}, r.ID == v.w.user
		},
	}
}

// rowOf returns a renderer of a table's rows.
func rowOf[T any](of func(*world) *state.Table[T], render func(*world, *T) wire.Resource) renderer {
	return rowOfView(of, func(v view, row *T) wire.Resource { return render(v.w, row) })
}

func rowOfView[T any](of func(*world) *state.Table[T], render func(view, *T) wire.Resource) renderer {
	return func(v view, r wire.Ref) (wire.Resource, bool) {
		row := of(v.w).Get(r.ID)
		if row == nil {
			return wire.Resource{}, false
		}
		return render(v, row), true
	}
}
