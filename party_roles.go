package terminal49

import (
	"context"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// PartyRole assigns a party to a shipment or a container, such as its consignee. Several parties
// may have the same role. To replace a party, remove its role and add another: roles cannot be
// changed.
//
// Party roles are in documents later than the published OpenAPI file, of September and October
// 2026. Several copies agree on them, so they are most likely released; an older service responds
// with 404.
type PartyRole struct {
	Resource

	Role       PartyRoleKind // role
	EntityType string        // roleable_type: "Shipment", or "Cargo" for a container
	EntityID   string        // roleable_id: of the shipment or the container
	CreatedAt  Time          // created_at, UTC
	UpdatedAt  Time          // updated_at, UTC

	Party ToOne[*Party] // party
}

// PartyRoleKind is what a party does for a shipment or a container.
type PartyRoleKind string

// The values of PartyRoleKind. A shipment can have all of them, a container only the last.
const (
	PartyRoleShipper           PartyRoleKind = "shipper"
	PartyRoleConsignee         PartyRoleKind = "consignee"
	PartyRoleNotifyParty       PartyRoleKind = "notify_party"
	PartyRoleCustomsBroker     PartyRoleKind = "customs_broker"
	PartyRoleCustomer          PartyRoleKind = "customer"
	PartyRoleFreightForwarder  PartyRoleKind = "freight_forwarder"
	PartyRolePickupDrayCarrier PartyRoleKind = "pickup_dray_carrier"
)

var partyRoleKinds = []PartyRoleKind{
	PartyRoleShipper, PartyRoleConsignee, PartyRoleNotifyParty, PartyRoleCustomsBroker, PartyRoleCustomer,
	PartyRoleFreightForwarder, PartyRolePickupDrayCarrier,
}

// Known reports whether k is one of the constants of this version. Unknown values are kept
// unchanged.
func (k PartyRoleKind) Known() bool { return isKnown(k, partyRoleKinds) }

// PartyRoleCreate assigns a role to a party of the account. Both fields are required.
type PartyRoleCreate struct {
	Role    PartyRoleKind `json:"role"`
	PartyID string        `json:"-"` // id of the party; see [PartiesService]
}

func (r PartyRoleCreate) validate() error {
	if r.Role == "" {
		return &ArgumentError{Field: "Role", Problem: "must be a role, such as PartyRoleConsignee"}
	}
	return nil
}

// PartyRoles returns the roles that parties have for a shipment, with the parties. The service may
// not have the operation yet; see [PartyRole].
//
// API: GET /shipments/{shipment_id}/party_roles. Errors: ErrNotFound.
func (s *ShipmentsService) PartyRoles(ctx context.Context, id string, opts ...CallOption) ([]*PartyRole, error) {
	return collectAll(allOf[PartyRole](ctx, s.client, newEndpoint(operation.ShipmentsPartyRolesList, uuidArg(id)).unpaged(), opts))
}

// AddPartyRole assigns a role for a shipment to a party, in addition to those that have the role
// already. It returns ErrDuplicate if the party has the role, and ErrForbidden if the party belongs
// to another account. The service may not have the operation yet; see [PartyRole].
//
// API: POST /shipments/{shipment_id}/party_roles. Errors: ErrNotFound, ErrInvalid, ErrDuplicate,
// ErrForbidden.
func (s *ShipmentsService) AddPartyRole(ctx context.Context, id string, role PartyRoleCreate, opts ...CallOption) (*PartyRole, error) {
	return fetchOne[PartyRole](ctx, s.client, role.endpoint(operation.ShipmentsPartyRolesAdd, uuidArg(id)), opts)
}

// RemovePartyRole removes a role from a shipment, by the id of the [PartyRole]. The party remains.
// The service may not have the operation yet.
//
// API: DELETE /shipments/{shipment_id}/party_roles/{id}. Errors: ErrNotFound.
func (s *ShipmentsService) RemovePartyRole(ctx context.Context, id, roleID string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.ShipmentsPartyRolesRemove, uuidArg(id), uuidArg(roleID).named("roleID")), opts)
}

// PartyRoles returns the roles that parties have for a container, with the parties. The service may
// not have the operation yet; see [PartyRole].
//
// API: GET /containers/{container_id}/party_roles. Errors: ErrNotFound.
func (s *ContainersService) PartyRoles(ctx context.Context, id string, opts ...CallOption) ([]*PartyRole, error) {
	return collectAll(allOf[PartyRole](ctx, s.client, newEndpoint(operation.ContainersPartyRolesList, containerArg(id)).unpaged(), opts))
}

// AddPartyRole assigns a role for a container to a party. The service accepts only
// PartyRolePickupDrayCarrier and returns ErrRoleNotAllowed for the roles of shipments. It returns
// ErrDuplicate if the party has the role, and ErrForbidden if the party belongs to another account.
// The service may not have the operation yet; see [PartyRole].
//
// API: POST /containers/{container_id}/party_roles. Errors: ErrNotFound, ErrInvalid, ErrDuplicate,
// ErrRoleNotAllowed, ErrForbidden.
func (s *ContainersService) AddPartyRole(ctx context.Context, id string, role PartyRoleCreate, opts ...CallOption) (*PartyRole, error) {
	return fetchOne[PartyRole](ctx, s.client, role.endpoint(operation.ContainersPartyRolesAdd, containerArg(id)), opts)
}

// RemovePartyRole removes a role from a container, by the id of the [PartyRole]. The party remains.
// The service may not have the operation yet.
//
// API: DELETE /containers/{container_id}/party_roles/{id}. Errors: ErrNotFound.
func (s *ContainersService) RemovePartyRole(ctx context.Context, id, roleID string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.ContainersPartyRolesRemove, containerArg(id), uuidArg(roleID).named("roleID")), opts)
}

func (r PartyRoleCreate) endpoint(o operation.Operation, owner argument) endpoint {
	e := newEndpoint(o, owner).check(uuidArg(r.PartyID).named("PartyID")).resource("party_role", "", r)
	return e.related(map[string]jsonapi.Related{"party": jsonapi.RelatedTo("party", r.PartyID)})
}

func (r *PartyRole) members(m *jsonapi.Members) {
	m.Add("role", &r.Role)
	m.Add("roleable_type", &r.EntityType)
	m.Add("roleable_id", &r.EntityID)
	m.Add("created_at", &r.CreatedAt)
	m.Add("updated_at", &r.UpdatedAt)
}

func (r *PartyRole) relationships(m *jsonapi.Members) {
	m.Add("party", &r.Party)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (r PartyRole) MarshalJSON() ([]byte, error) { return marshalResource(&r) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (r *PartyRole) UnmarshalJSON(data []byte) error { return unmarshalResource(data, r) }
