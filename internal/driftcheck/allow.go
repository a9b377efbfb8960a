package main

import "slices"

// allowed is a known and intended difference, with its reason.
type allowed struct{ where, what, reason string }

// allowEach allows several differences in one place for one reason.
func allowEach(where, reason string, what ...string) []allowed {
	var list []allowed
	for _, w := range what {
		list = append(list, allowed{where, w, reason})
	}
	return list
}

// The reasons of many entries.
const (
	seenLive    = "the service sends it, but does not document it yet"
	repeatedID  = "the service repeats the resource's id among the attributes"
	inChangelog = "named in the service's changelog only"
)

// allowList returns all intended differences between the catalogue and the document.
func allowList() []allowed {
	return slices.Concat(allowedOperations(), allowedTypes(), allowedMembers(), allowedCustomFields(), allowedValues(), allowedWebhooks(), allowedDocuments(), allowedRecent())
}

func allowedOperations() []allowed {
	return slices.Concat(
		allowEach("query shipments.list", inChangelog, "filter[customer_id]"),
		allowEach("query containers.list", inChangelog, "filter[customer_id]", "filter[customer_name]"),
		allowEach("query containers.list", "recommended in the description of GET /shipments, but not declared as a parameter",
			"filter[number]"),
		allowEach("query tracking_requests.list", "the service's own tools send it", "filter[request_type]"),
	)
}

func allowedTypes() []allowed {
	return slices.Concat(
		allowEach("type container", "copied from the account schema; every example and every response has container", "account"),
		allowEach("type metro_area", "an editor's leftover: a property without a name", `""`),
		allowEach("type", "search hits; the service sends search_result, and the kind in entity_type",
			"shipment|cargo|tracking_request"),
		allowEach("type", "the service sends it for search hits, which the document names after their kind", "search_result"),
		allowEach("type", "only in the webhook samples: the reference object of container.created", "container_created_event"),
		allowEach("type", "withdrawn from the document in favour of map_geojson; the official SDK still calls it",
			"route", "route_location"),
		allowEach("type", "relationships point to it, but the document does not describe it", "user"),
		allowEach("reference", "included users refer to a schema that does not exist", "#/components/schemas/user"),
	)
}

func allowedMembers() []allowed {
	const direct = "the document has the identifier directly below the relationship; samples have it in data, like everywhere else"
	return slices.Concat(
		allowEach("attribute shipment", seenLive, "pol_original_etd_at", "destination_original_eta_at"),
		allowEach("attribute container", seenLive,
			"delivered_at", "empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at",
			"rail_last_tracking_request_at", "ind_facility_holds", "ind_facility_fees", "ssl_lfd"),
		allowEach("attribute container", inChangelog, "inland_destination_eta_source_summary", "release_statuses",
			"holds_at_pod_terminal.detail"),
		allowEach("attribute container", "in test data of the service's own tools of October 2026, in no document yet",
			"import_deadlines.pod"),
		allowEach("attribute tracking_request", "the service sends shipment_tags where the document has tags; both are read",
			"shipment_tags"),
		allowEach("relationship tracking_request", seenLive, "user"),
		allowEach("relationship tracking_request.customer", "in a later version of the service's reference pages", "account"),
		allowEach("attribute transport_event", seenLive, "value", "invalidated_at"),
		allowEach("attribute transport_event", inChangelog, "value_timestamp"),
		allowEach("relationship transport_event", seenLive, "source_event", "previous_version"),
		allowEach("relationship transport_event.vessel", "the document misspells the member type as name", "name"),
		allowEach("attribute raw_event", seenLive,
			"will_occur_at", "invalidated_at", "data_source", "data_provider_name", "data_provider_code"),
		allowEach("relationship raw_event", seenLive, "container", "terminal"),
		allowEach("attribute shipping_line", seenLive, "provided_data", "tracking_url", "contact_url"),
		allowEach("attribute port", repeatedID, "id"),
		allowEach("relationship port", seenLive, "terminals"),
		allowEach("attribute metro_area", repeatedID, "id"),
		allowEach("attribute terminal", repeatedID, "id"),
		allowEach("attribute terminal", seenLive, "provided_data", "facility_type"),
		allowEach("relationship container_pod_terminal_changed_event.container", direct, "data"),
		allowEach("relationship container_pod_terminal_changed_event.shipment", direct, "data"),
		allowEach("relationship container_pod_terminal_changed_event.terminal", direct, "data"),
	)
}

func allowedValues() []allowed {
	return slices.Concat(
		allowEach("enum LineTrackingStoppedReason", "in a webhook sample", "account_closed"),
		allowEach("enum EquipmentType", "in the guide on data coverage", "hard top"),
		allowEach("enum container.equipment_length", "in the guide on data coverage", "50"),
		allowEach("enum HoldName", "the names are listed in prose, not as an enumeration", allValues),
		allowEach("enum FailedReason", "a status that the guides also list as a reason", "awaiting_manifest"),
		allowEach("enum EventName", seenLive, "container.ssl_lfd.changed"),
		allowEach("enum DataSource", seenLive, "rail"),
		allowEach("enum DataSource", inChangelog, "t49_calculation"),
		allowEach("enum DataSource", "named by the service's data export", "t49_operations_team", "user_input"),
	)
}
