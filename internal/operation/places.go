package operation

import "net/http"

// Places.
var (
	PortsGet = Operation{
		Name: "ports.get", Method: http.MethodGet, Path: "/ports/{id}", Resource: "port",
		Bucket: BucketDefault, Retry: Read,
	}
	MetroAreasGet = Operation{
		Name: "metro_areas.get", Method: http.MethodGet, Path: "/metro_areas/{id}", Resource: "metro_area",
		Bucket: BucketDefault, Retry: Read,
	}
	TerminalsGet = Operation{
		Name: "terminals.get", Method: http.MethodGet, Path: "/terminals/{id}", Resource: "terminal",
		Bucket: BucketDefault, Retry: Read,
	}
)

// Vessels.
var (
	VesselsGet = Operation{
		Name: "vessels.get", Method: http.MethodGet, Path: "/vessels/{id}", Resource: "vessel",
		Bucket: BucketDefault, Retry: Read,
	}
	// The same route as vessels.get: the service distinguishes an IMO number from an id.
	VesselsGetByIMO = Operation{
		Name: "vessels.get_by_imo", Method: http.MethodGet, Path: "/vessels/{imo}", Resource: "vessel",
		Bucket: BucketDefault, Retry: Read,
	}
	VesselsFuturePositions = Operation{
		Name: "vessels.future_positions", Method: http.MethodGet, Path: "/vessels/{id}/future_positions",
		Resource: "vessel",
		Bucket:   BucketDefault, Retry: Read,
	}
	VesselsFuturePositionsWithCoordinates = Operation{
		Name: "vessels.future_positions_with_coordinates", Method: http.MethodGet,
		Path: "/vessels/{id}/future_positions_with_coordinates", Resource: "vessel",
		Bucket: BucketDefault, Retry: Read,
	}
)

// Parties.
var (
	PartiesList = Operation{
		Name: "parties.list", Method: http.MethodGet, Path: "/parties", Resource: "party",
		Bucket: BucketDefault, Retry: Read,
	}
	PartiesCreate = Operation{
		Name: "parties.create", Method: http.MethodPost, Path: "/parties", Resource: "party",
		Bucket: BucketDefault, Retry: Write,
	}
	PartiesGet = Operation{
		Name: "parties.get", Method: http.MethodGet, Path: "/parties/{id}", Resource: "party",
		Bucket: BucketDefault, Retry: Read,
	}
	PartiesUpdate = Operation{
		Name: "parties.update", Method: http.MethodPatch, Path: "/parties/{id}", Resource: "party",
		Bucket: BucketDefault, Retry: Idempotent,
	}
)

// Party roles. A repetition of an addition is refused as a duplicate.
var (
	ShipmentsPartyRolesList = Operation{
		Name: "shipments.party_roles.list", Method: http.MethodGet, Path: "/shipments/{shipment_id}/party_roles",
		Resource: "party_role",
		Bucket:   BucketDefault, Retry: Read, Recent: true,
	}
	ShipmentsPartyRolesAdd = Operation{
		Name: "shipments.party_roles.add", Method: http.MethodPost, Path: "/shipments/{shipment_id}/party_roles",
		Resource: "party_role",
		Bucket:   BucketDefault, Retry: Write, Recent: true,
	}
	ShipmentsPartyRolesRemove = Operation{
		Name: "shipments.party_roles.remove", Method: http.MethodDelete,
		Path:   "/shipments/{shipment_id}/party_roles/{id}",
		Bucket: BucketDefault, Retry: Idempotent, Recent: true,
	}
	ContainersPartyRolesList = Operation{
		Name: "containers.party_roles.list", Method: http.MethodGet, Path: "/containers/{container_id}/party_roles",
		Resource: "party_role",
		Bucket:   BucketDefault, Retry: Read, Recent: true,
	}
	ContainersPartyRolesAdd = Operation{
		Name: "containers.party_roles.add", Method: http.MethodPost, Path: "/containers/{container_id}/party_roles",
		Resource: "party_role",
		Bucket:   BucketDefault, Retry: Write, Recent: true,
	}
	ContainersPartyRolesRemove = Operation{
		Name: "containers.party_roles.remove", Method: http.MethodDelete,
		Path:   "/containers/{container_id}/party_roles/{id}",
		Bucket: BucketDefault, Retry: Idempotent, Recent: true,
	}
)

// The credential of the client.
var (
	MeGet = Operation{
		Name: "me.get", Method: http.MethodGet, Path: "/me", Resource: "credential",
		Bucket: BucketDefault, Retry: Read, Recent: true,
	}
)

// Search.
var (
	SearchQuery = Operation{
		Name: "search.query", Method: http.MethodGet, Path: "/search", Resource: "search_result",
		Bucket: BucketDefault, Retry: Read,
	}
)

// places returns the operations of places, vessels, parties, the search and the credential.
func places() []Operation {
	return []Operation{
		PortsGet, MetroAreasGet, TerminalsGet, VesselsGet, VesselsGetByIMO,
		VesselsFuturePositions, VesselsFuturePositionsWithCoordinates, PartiesList,
		PartiesCreate, PartiesGet, PartiesUpdate, SearchQuery, ShipmentsPartyRolesList,
		ShipmentsPartyRolesAdd, ShipmentsPartyRolesRemove, ContainersPartyRolesList,
		ContainersPartyRolesAdd, ContainersPartyRolesRemove, MeGet,
	}
}
