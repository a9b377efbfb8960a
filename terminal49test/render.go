package terminal49test

// render builds the resource a reference leads to; false if there is none.
func (w *world) render(r ref) (resource, bool) {
	switch r.kind {
	case "shipment":
		return rendered(w.shipments.get(r.id), w.renderShipment)
	case "container":
		return rendered(w.containers.get(r.id), w.renderContainer)
	case "tracking_request":
		return rendered(w.requests.get(r.id), w.renderRequest)
	case "transport_event":
		return rendered(w.events.get(r.id), w.renderEvent)
	case "raw_event":
		return rendered(w.rawEvents.get(r.id), w.renderRawEvent)
	case "shipping_line":
		return rendered(w.lines.get(r.id), w.renderLine)
	case "port":
		return rendered(w.ports.get(r.id), w.renderPort)
	case "metro_area":
		return rendered(w.metroAreas.get(r.id), w.renderMetroArea)
	case "terminal", "rail_terminal":
		return rendered(w.terminals.get(r.id), w.renderTerminal)
	case "vessel":
		return rendered(w.vessels.get(r.id), w.renderVessel)
	case "webhook":
		return rendered(w.webhooks.get(r.id), w.renderWebhook)
	case "webhook_notification":
		return rendered(w.notifications.get(r.id), w.renderNotification)
	case "estimated_event", "container_created_event", "container_updated_event", "container_pod_terminal_changed_event":
		return rendered(w.news.get(r.id), w.renderNews)
	case "party":
		return rendered(w.parties.get(r.id), w.renderParty)
	case "custom_field":
		return rendered(w.custom.values.get(r.id), w.renderCustomField)
	case "custom_field_definition":
		return rendered(w.custom.definitions.get(r.id), w.renderDefinition)
	case "custom_field_option":
		return w.renderOption(r.id)
	}
	return w.renderPaper(r)
}

func rendered[T any](row *T, render func(*T) resource) (resource, bool) {
	if row == nil {
		return resource{}, false
	}
	return render(row), true
}
