package terminal49test

// view is the world as one response shows it.
type view struct {
	w      *world
	roles  bool // shipments have party_roles, because the request has flag[parties]
	emails bool // the response is about e-mails, in which documents and e-mails have other attributes
}

// renderer builds the resource of a reference; false if it does not exist.
type renderer func(view, ref) (resource, bool)

// render builds the resource of a reference; false if it does not exist.
func (v view) render(r ref) (resource, bool) {
	render, known := v.w.renderers[r.kind]
	if !known {
		return resource{}, false
	}
	res, ok := render(v, r)
	return v.w.relink(res), ok
}

// renderers returns a renderer for each type of resource.
func renderers() map[string]renderer {
	terminal := rowOf(func(w *world) *table[Terminal] { return &w.terminals }, (*world).renderTerminal)
	event := rowOf(func(w *world) *table[changeEvent] { return &w.changeEvents }, (*world).renderChangeEvent)
	return map[string]renderer{
		"shipment":                             rowOfView(func(w *world) *table[Shipment] { return &w.shipments }, view.renderShipment),
		"container":                            rowOf(func(w *world) *table[Container] { return &w.containers }, (*world).renderContainer),
		"tracking_request":                     rowOf(func(w *world) *table[TrackingRequest] { return &w.requests }, (*world).renderRequest),
		"transport_event":                      rowOf(func(w *world) *table[TransportEvent] { return &w.events }, (*world).renderEvent),
		"raw_event":                            rowOf(func(w *world) *table[RawEvent] { return &w.rawEvents }, (*world).renderRawEvent),
		"shipping_line":                        rowOf(func(w *world) *table[ShippingLine] { return &w.lines }, (*world).renderLine),
		"port":                                 rowOf(func(w *world) *table[Port] { return &w.ports }, (*world).renderPort),
		"metro_area":                           rowOf(func(w *world) *table[MetroArea] { return &w.metroAreas }, (*world).renderMetroArea),
		"terminal":                             terminal,
		"rail_terminal":                        terminal,
		"vessel":                               rowOf(func(w *world) *table[Vessel] { return &w.vessels }, (*world).renderVessel),
		"webhook":                              rowOf(func(w *world) *table[Webhook] { return &w.webhooks }, (*world).renderWebhook),
		"webhook_notification":                 rowOf(func(w *world) *table[WebhookNotification] { return &w.notifications }, (*world).renderNotification),
		"estimated_event":                      event,
		"container_created_event":              event,
		"container_updated_event":              event,
		"container_pod_terminal_changed_event": event,
		"party":                                rowOf(func(w *world) *table[Party] { return &w.parties }, (*world).renderParty),
		"party_role":                           rowOf(func(w *world) *table[PartyRole] { return &w.partyRoles }, (*world).renderPartyRole),
		"custom_field":                         rowOf(func(w *world) *table[customField] { return &w.custom.values }, (*world).renderCustomField),
		"custom_field_definition":              rowOf(func(w *world) *table[CustomFieldDefinition] { return &w.custom.definitions }, (*world).renderDefinition),
		"custom_field_option":                  view.renderOption,
		"document":                             view.renderDocument,
		"document_representation":              view.renderRepresentation,
		"document_schema":                      rowOf(func(w *world) *table[DocumentSchema] { return &w.docs.schemas }, (*world).renderSchema),
		"email_submission":                     rowOfView(func(w *world) *table[EmailSubmission] { return &w.docs.emails }, view.renderEmail),
		"account": func(v view, r ref) (resource, bool) {
			return resource{ref: r, attributes: object{{"company_name", "Simulated Account"}}}, r.id == v.w.account
		},
		"user": func(v view, r ref) (resource, bool) { return resource{ref: r, attributes: object{}}, r.id == v.w.user },
	}
}

// rowOf returns a renderer of a table's rows.
func rowOf[T any](of func(*world) *table[T], render func(*world, *T) resource) renderer {
	return rowOfView(of, func(v view, row *T) resource { return render(v.w, row) })
}

func rowOfView[T any](of func(*world) *table[T], render func(view, *T) resource) renderer {
	return func(v view, r ref) (resource, bool) {
		row := of(v.w).get(r.id)
		if row == nil {
			return resource{}, false
		}
		return render(v, row), true
	}
}
