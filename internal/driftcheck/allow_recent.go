package main

import "slices"

// allowedRecent returns what only documents of September and October 2026 have, which are later
// than the published OpenAPI document. Each reason names its section of docs/service.md.
func allowedRecent() []allowed {
	const (
		roles    = "party roles: several later documents agree, docs/service-tracking.md#party-roles"
		me       = "GET /me, in one later document: docs/service.md#credential"
		summary  = "GET /containers/summary: the service's own TypeScript SDK and the guide of its agents server call it"
		trigger  = "several later documents agree, docs/service-tracking.md#document-events"
		document = "split documents, in one later draft: docs/service-tracking.md#split-documents"
		parties  = "in some later documents: docs/service.md#other-filters"

		containers = "filters and orders: all later documents agree, docs/service.md#container-filters"
		shipments  = "filters and orders: all later documents agree, docs/service.md#shipment-filters"
		drafts     = "filters of containers, in one later document each"
	)
	return slices.Concat(
		allowEach("operation", roles,
			"GET /shipments/{shipment_id}/party_roles", "POST /shipments/{shipment_id}/party_roles",
			"DELETE /shipments/{shipment_id}/party_roles/{id}",
			"GET /containers/{container_id}/party_roles", "POST /containers/{container_id}/party_roles",
			"DELETE /containers/{container_id}/party_roles/{id}"),
		allowEach("query shipments.list", roles, "flag[parties]"),
		allowEach("query shipments.get", roles, "flag[parties]"),
		allowEach("query shipments.list", shipments, "filter[number]",
			"sort", "filter[q]", "filter[created_at]", "filter[pod_eta_changed_at]", "filter[pod_ata_at]",
			"filter[pod_arrival]", "filter[arriving_today]", "filter[actively_tracked]",
			"filter[voyage_status]", "filter[pol_code]", "filter[pod_code]", "filter[pod_terminal_id]",
			"filter[owner_id]", "filter[creator_id]", "filter[product]", "filter[party_id]",
			"filter[tags]", "filter[tags_and]"),
		allowEach("query containers.list", containers,
			"sort", "filter[current_status]", "filter[pod_terminal_id]", "filter[pol_code]",
			"filter[pod_code]", "filter[destination_code]", "filter[shipping_line_scac]", "filter[pol]",
			"filter[pod]", "filter[destination]", "filter[vessel_name]", "filter[has_holds]",
			"filter[has_fees]", "filter[has_fees_or_holds]", "filter[has_demurrage_fees]",
			"filter[requires_attention]", "filter[actively_tracked]", "filter[eta_changed_in_last_24h]",
			"filter[eta_changed_in_past_3_days]", "filter[search_by_ids]", "filter[search_by_number]",
			"filter[search_by_shipment_number]", "filter[search_by_shipment_ref_numbers]",
			"filter[search_by_ref_numbers]", "filter[search_by_owner_id]", "filter[created_at]",
			"filter[updated_at]", "filter[empty_out_at]", "filter[pol_full_in_at]",
			"filter[pol_vessel_loaded_at]", "filter[pol_vessel_departed_at]", "filter[pol_etd_at]",
			"filter[pol_atd_at]", "filter[arrival]", "filter[pod_arrived_at]", "filter[pod_discharged_at]",
			"filter[picked_up_at]", "filter[delivered_at]", "filter[empty_returned_at]",
			"filter[pod_rail_departed_at]", "filter[inland_destination_eta_at]",
			"filter[inland_destination_ata_at]", "filter[inland_destination_rail_unloaded_at]",
			"filter[final_destination_full_out_at]", "filter[pickup_lfd]", "filter[pickup_lfd_line_on]",
			"filter[pickup_lfd_terminal_on]", "filter[pickup_lfd_rail_on]",
			"filter[pickup_lfd_line_effective_on]", "filter[pickup_lfd_terminal_effective_on]",
			"filter[last_free_day_on]", "filter[tags]", "filter[tags_and]", "filter[parties]"),
		allowEach("query containers.list", drafts, "filter[hold_names]", "filter[custom_fields]"),
		allowEach("operation", "in some later documents: docs/service-tracking.md#document-schemas", "GET /documents/types/{code}"),
		allowEach("operation", summary, "GET /containers/summary"),
		allowEach("relationship shipment", roles, "party_roles"),
		allowEach("type", roles, "party_role"),
		allowEach("operation", me, "GET /me"),
		allowEach("type", me, "credential"),
		allowEach("attribute account", me,
			"company_type", "scac", "abbr_name", "city", "state_abbr", "country", "plan",
			"tracking_slots"),
		allowEach("query parties.list", parties, "query"),
		allowEach("attribute party", parties, "nickname", "role_names"),
		allowEach("body webhooks.trigger", trigger, "sample", "sample.document_type"),
		allowEach("attribute document", document, "parsed"),
		allowEach("relationship document", document, "parent_document"),
	)
}
