package main

import "slices"

// allowed is a difference that is known and meant, with the reason for it.
type allowed struct{ where, what, reason string }

// each allows several differences of one place for one reason.
func each(where, reason string, what ...string) []allowed {
	var list []allowed
	for _, w := range what {
		list = append(list, allowed{where, w, reason})
	}
	return list
}

// Reasons that many entries share.
const (
	seenLive    = "live answers carry it; the document has not caught up"
	repeatedID  = "live answers repeat the resource's id among the attributes"
	inChangelog = "named in the service's changelog only"
)

// allowList returns every difference between the catalogue and the document
// that is meant.
func allowList() []allowed {
	return slices.Concat(allowedOperations(), allowedTypes(), allowedMembers(), allowedCustomFields(), allowedValues(), allowedWebhooks(), allowedDocuments())
}

func allowedOperations() []allowed {
	return slices.Concat(
		each("query shipments.list", inChangelog, "filter[customer_id]"),
		each("query containers.list", inChangelog, "filter[customer_id]", "filter[customer_name]"),
		each("query containers.list", "recommended in the description of GET /shipments, but not declared as a parameter",
			"filter[number]"),
		each("query tracking_requests.list", "the service's own tools send it", "filter[request_type]"),
	)
}

func allowedTypes() []allowed {
	return slices.Concat(
		each("type container", "copied from the account schema; every example and every live answer says container", "account"),
		each("type metro_area", "an editor's leftover: a property without a name", `""`),
		each("type", "search hits; their live type is search_result, and entity_type tells what was found",
			"shipment|cargo|tracking_request"),
		each("type", "the live type of search hits, which the document calls by what was found", "search_result"),
		each("type", "only in the webhook samples: the reference object of container.created", "container_created_event"),
		each("type", "withdrawn from the document in favour of map_geojson; the official SDK still calls it",
			"route", "route_location"),
		each("type", "relationships point to it, but the document describes it nowhere", "user"),
		each("reference", "included users refer to a schema that does not exist", "#/components/schemas/user"),
	)
}

func allowedMembers() []allowed {
	const direct = "the document puts the identifier directly under the relationship; samples wrap it in data as everywhere else"
	return slices.Concat(
		each("attribute shipment", seenLive, "pol_original_etd_at", "destination_original_eta_at"),
		each("attribute container", seenLive,
			"delivered_at", "empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at",
			"rail_last_tracking_request_at", "ind_facility_holds", "ind_facility_fees", "ssl_lfd"),
		each("attribute container", inChangelog, "inland_destination_eta_source_summary"),
		each("attribute tracking_request", "live answers have shipment_tags where the document has tags; both are read",
			"shipment_tags"),
		each("relationship tracking_request", seenLive, "user"),
		each("attribute transport_event", seenLive, "value", "invalidated_at"),
		each("attribute transport_event", inChangelog, "value_timestamp"),
		each("relationship transport_event", seenLive, "source_event", "previous_version"),
		each("relationship transport_event.vessel", "the document misspells the member type as name", "name"),
		each("attribute raw_event", seenLive,
			"will_occur_at", "invalidated_at", "data_source", "data_provider_name", "data_provider_code"),
		each("relationship raw_event", seenLive, "container", "terminal"),
		each("attribute shipping_line", seenLive, "provided_data", "tracking_url", "contact_url"),
		each("attribute port", repeatedID, "id"),
		each("relationship port", seenLive, "terminals"),
		each("attribute metro_area", repeatedID, "id"),
		each("attribute terminal", repeatedID, "id"),
		each("attribute terminal", seenLive, "provided_data", "facility_type"),
		each("attribute rail_terminal", repeatedID, "id"),
		each("attribute rail_terminal", seenLive, "city"),
		each("relationship container_pod_terminal_changed_event.container", direct, "data"),
		each("relationship container_pod_terminal_changed_event.shipment", direct, "data"),
		each("relationship container_pod_terminal_changed_event.terminal", direct, "data"),
	)
}

func allowedValues() []allowed {
	return slices.Concat(
		each("enum shipment.line_tracking_stopped_reason", "in a webhook sample", "account_closed"),
		each("enum container.equipment_type", "in the guide on data coverage", "hard top"),
		each("enum container.equipment_length", "in the guide on data coverage", "50"),
		each("enum container.holds_at_pod_terminal.name", "the names are listed in prose, not as an enumeration", allValues),
		each("enum tracking_request.failed_reason", "the guides list it as a reason too, though it is a status", "awaiting_manifest"),
		each("enum transport_event.data_source", seenLive, "rail"),
		each("enum transport_event.data_source", inChangelog, "t49_calculation"),
		each("enum transport_event.data_source", "named by the service's data export", "t49_operations_team", "user_input"),
		each("enum transport_event.event", "copied from the list of webhook events; no container event is about a document",
			"document.extracted", "document.extraction_failed"),
		each("enum terminal.facility_type", "the attribute itself is missing from the document", allValues),
	)
}
