package main

import "slices"

// allowedRecent returns what only documents of September and October 2026 have, which are later
// than the published OpenAPI document. Each reason names its section of the service facts.
func allowedRecent() []allowed {
	const (
		roles    = "party roles of later documents, several of which agree: service-facts 14.6"
		me       = "GET /me, in one later document: service-facts 14.7"
		trigger  = "of later documents, several of which agree: service-facts 14.8"
		document = "split documents, in one later draft: service-facts 14.8"
		parties  = "in some later documents: service-facts 14.6"
	)
	return slices.Concat(
		allowEach("operation", roles,
			"GET /shipments/{shipment_id}/party_roles", "POST /shipments/{shipment_id}/party_roles",
			"DELETE /shipments/{shipment_id}/party_roles/{id}",
			"GET /containers/{container_id}/party_roles", "POST /containers/{container_id}/party_roles",
			"DELETE /containers/{container_id}/party_roles/{id}"),
		allowEach("query shipments.list", roles, "flag[parties]"),
		allowEach("query shipments.get", roles, "flag[parties]"),
		allowEach("relationship shipment", roles, "party_roles"),
		allowEach("type", roles, "party_role"),
		allowEach("operation", me, "GET /me"),
		allowEach("type", me, "credential"),
		allowEach("attribute account", me,
			"company_type", "scac", "abbr_name", "city", "state_abbr", "country", "plan",
			"tracking_slots", "tracking_slots.limit", "tracking_slots.used", "tracking_slots.remaining"),
		allowEach("enum account.plan", me, allValues),
		allowEach("query parties.list", parties, "query"),
		allowEach("attribute party", parties, "nickname", "role_names"),
		allowEach("body webhooks.trigger", trigger, "sample", "sample.document_type"),
		allowEach("attribute document", document, "parsed"),
		allowEach("relationship document", document, "parent_document"),
	)
}
