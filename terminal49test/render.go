package terminal49test

// render builds the resource of a reference; false if it does not exist.
func (w *world) render(r ref) (resource, bool) {
	res, ok := w.renderStored(r)
	return w.relink(res), ok
}

func (w *world) renderStored(r ref) (resource, bool) {
	switch r.kind {
	case "shipment":
		return renderRow(w.shipments.get(r.id), w.renderShipment)
	case "container":
		return renderRow(w.containers.get(r.id), w.renderContainer)
	case "tracking_request":
		return renderRow(w.requests.get(r.id), w.renderRequest)
	case "transport_event":
		return renderRow(w.events.get(r.id), w.renderEvent)
	case "raw_event":
		return renderRow(w.rawEvents.get(r.id), w.renderRawEvent)
	case "shipping_line":
		return renderRow(w.lines.get(r.id), w.renderLine)
	case "port":
		return renderRow(w.ports.get(r.id), w.renderPort)
	case "metro_area":
		return renderRow(w.metroAreas.get(r.id), w.renderMetroArea)
	case "terminal", "rail_terminal":
		return renderRow(w.terminals.get(r.id), w.renderTerminal)
	case "vessel":
		return renderRow(w.vessels.get(r.id), w.renderVessel)
	case "webhook":
		return renderRow(w.webhooks.get(r.id), w.renderWebhook)
	case "webhook_notification":
		return renderRow(w.notifications.get(r.id), w.renderNotification)
	case "estimated_event", "container_created_event", "container_updated_event", "container_pod_terminal_changed_event":
		return renderRow(w.changeEvents.get(r.id), w.renderChangeEvent)
	case "party":
		return renderRow(w.parties.get(r.id), w.renderParty)
	case "party_role":
		return renderRow(w.partyRoles.get(r.id), w.renderPartyRole)
	case "custom_field":
		return renderRow(w.custom.values.get(r.id), w.renderCustomField)
	case "custom_field_definition":
		return renderRow(w.custom.definitions.get(r.id), w.renderDefinition)
	case "custom_field_option":
		return w.renderOption(r.id)
	}
	return w.renderDocumentResource(r)
}

func renderRow[T any](row *T, render func(*T) resource) (resource, bool) {
	if row == nil {
		return resource{}, false
	}
	return render(row), true
}
