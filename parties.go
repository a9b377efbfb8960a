package terminal49

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Party is a company in the account, such as the customer of a shipment.
//
//t49:resource party
type Party struct {
	Resource

	CompanyName string `t49:"company_name"`

	// Only documents later than the published OpenAPI file have these: an example and a test.
	Nickname  string   `t49:"nickname"`   // "" if not reported
	RoleNames []string `t49:"role_names"` // nil if not reported
}

// PartyListParams selects parties. Nil and the zero value start at the first page, which has 25
// parties unless PageSize is set.
type PartyListParams struct {
	PageParams

	// Query selects the parties whose company name contains the text, in any case. It is in
	// documents later than the published OpenAPI file, and a service may ignore it. Parties that do
	// not match are therefore left out after reading: a page may then have fewer than its Size, or
	// none.
	Query string
}

// PartyFields are the values of a party that can be set.
type PartyFields struct {
	CompanyName string `json:"company_name"` // required, and unique within the account
}

// PartiesService reads and changes the companies of the account. The service cannot delete them.
type PartiesService service

// List returns one page of parties.
//
// API: GET /parties
func (s *PartiesService) List(ctx context.Context, params *PartyListParams, opts ...CallOption) (*Page[Party], error) {
	page, err := fetchPage[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
	return params.matching(page), err
}

// Pages iterates over the pages of parties.
//
// API: GET /parties. Errors: ErrPagination.
func (s *PartiesService) Pages(ctx context.Context, params *PartyListParams, opts ...CallOption) iter.Seq2[*Page[Party], error] {
	pages := pagesOf[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
	return func(yield func(*Page[Party], error) bool) {
		for page, err := range pages {
			if !yield(params.matching(page), err) {
				return
			}
		}
	}
}

// All iterates over all parties and fetches pages as needed.
//
// API: GET /parties. Errors: ErrPagination.
func (s *PartiesService) All(ctx context.Context, params *PartyListParams, opts ...CallOption) iter.Seq2[*Party, error] {
	parties := allOf[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
	return func(yield func(*Party, error) bool) {
		for party, err := range parties {
			if (err != nil || params.matches(party)) && !yield(party, err) {
				return
			}
		}
	}
}

// matches checks what the service may not have checked. A party without a name may match.
func (p *PartyListParams) matches(party *Party) bool {
	if p == nil || party.CompanyName == "" {
		return true
	}
	return strings.Contains(strings.ToLower(party.CompanyName), strings.ToLower(strings.TrimSpace(p.Query)))
}

func (p *PartyListParams) matching(page *Page[Party]) *Page[Party] {
	if page != nil {
		page.Items = slices.DeleteFunc(page.Items, func(party *Party) bool { return !p.matches(party) })
	}
	return page
}

func (p *PartyListParams) query(q *query) {
	p.PageParams.query(q)
	q.setText("query", p.Query)
}

// Create adds a company. For a name that the account already has, it returns ErrDuplicate.
//
// API: POST /parties. Errors: ErrDuplicate, ErrInvalid.
func (s *PartiesService) Create(ctx context.Context, party PartyFields, opts ...CallOption) (*Party, error) {
	e := newEndpoint(operation.PartiesCreate).check(companyNameArg(party.CompanyName)).resource("party", "", party)
	return fetchOne[Party](ctx, s.client, e, opts)
}

// Get returns one party.
//
// API: GET /parties/{id}. Errors: ErrNotFound.
func (s *PartiesService) Get(ctx context.Context, id string, opts ...CallOption) (*Party, error) {
	return fetchOne[Party](ctx, s.client, newEndpoint(operation.PartiesGet, uuidArg(id)), opts)
}

// Update renames a party and returns the result. The name must be unique within the account, as for
// Create.
//
// API: PATCH /parties/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *PartiesService) Update(ctx context.Context, id string, party PartyFields, opts ...CallOption) (*Party, error) {
	e := newEndpoint(operation.PartiesUpdate, uuidArg(id)).check(companyNameArg(party.CompanyName)).resource("party", id, party)
	return fetchOne[Party](ctx, s.client, e, opts)
}

// companyNameArg rejects a name that the service would reject with "can't be blank".
func companyNameArg(name string) argument {
	a := argument{name: "CompanyName", value: name}
	if strings.TrimSpace(name) == "" {
		a.problem = "must not be blank"
	}
	return a
}

// PartyRole assigns a party to a shipment or a container, such as its consignee. Several parties
// may have the same role. To replace a party, remove its role and add another: roles cannot be
// changed.
//
// Party roles are in documents later than the published OpenAPI file, of September and October
// 2026. Several copies agree on them, so they are most likely released; an older service responds
// with 404.
//
//t49:resource party_role
type PartyRole struct {
	Resource

	Role       PartyRoleKind `t49:"role"`
	EntityType string        `t49:"roleable_type"` // "Shipment", or "Cargo" for a container
	EntityID   string        `t49:"roleable_id"`   // of the shipment or the container
	CreatedAt  Time          `t49:"created_at"`    // UTC
	UpdatedAt  Time          `t49:"updated_at"`    // UTC

	Party ToOne[*Party] `t49:"party"`
}

// PartyRoleKind is what a party does for a shipment or a container.
//
//t49:enum
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

// PartyRoles returns the roles that parties have for a shipment, with the parties. The service may
// not have the operation yet; see [PartyRole].
//
// API: GET /shipments/{shipment_id}/party_roles. Errors: ErrNotFound.
func (s *ShipmentsService) PartyRoles(ctx context.Context, id string, opts ...CallOption) ([]*PartyRole, error) {
	return Collect(allOf[PartyRole](ctx, s.client, newEndpoint(operation.ShipmentsPartyRolesList, shipmentArg(id)).unpaged(), opts))
}

// AddPartyRole assigns a role for a shipment to a party of the account, in addition to those that
// have the role already. It returns ErrDuplicate if the party has the role, and ErrForbidden if the
// party belongs to another account. The service may not have the operation yet; see [PartyRole].
//
// API: POST /shipments/{shipment_id}/party_roles. Errors: ErrNotFound, ErrInvalid, ErrDuplicate,
// ErrForbidden.
func (s *ShipmentsService) AddPartyRole(ctx context.Context, id string, role PartyRoleKind, partyID string, opts ...CallOption) (*PartyRole, error) {
	return fetchOne[PartyRole](ctx, s.client, addRole(operation.ShipmentsPartyRolesAdd, shipmentArg(id), role, partyID), opts)
}

// RemovePartyRole removes a role from a shipment, by the id of the [PartyRole]. The party remains.
// The service may not have the operation yet.
//
// API: DELETE /shipments/{shipment_id}/party_roles/{id}. Errors: ErrNotFound.
func (s *ShipmentsService) RemovePartyRole(ctx context.Context, id, roleID string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.ShipmentsPartyRolesRemove, shipmentArg(id), uuidArg(roleID).named("roleID")), opts)
}

// PartyRoles returns the roles that parties have for a container, with the parties. The service may
// not have the operation yet; see [PartyRole].
//
// API: GET /containers/{container_id}/party_roles. Errors: ErrNotFound.
func (s *ContainersService) PartyRoles(ctx context.Context, id string, opts ...CallOption) ([]*PartyRole, error) {
	return Collect(allOf[PartyRole](ctx, s.client, newEndpoint(operation.ContainersPartyRolesList, containerArg(id)).unpaged(), opts))
}

// AddPartyRole assigns a role for a container to a party of the account. The service accepts only
// PartyRolePickupDrayCarrier and returns ErrRoleNotAllowed for the roles of shipments. It returns
// ErrDuplicate if the party has the role, and ErrForbidden if the party belongs to another account.
// The service may not have the operation yet; see [PartyRole].
//
// API: POST /containers/{container_id}/party_roles. Errors: ErrNotFound, ErrInvalid, ErrDuplicate,
// ErrRoleNotAllowed, ErrForbidden.
func (s *ContainersService) AddPartyRole(ctx context.Context, id string, role PartyRoleKind, partyID string, opts ...CallOption) (*PartyRole, error) {
	return fetchOne[PartyRole](ctx, s.client, addRole(operation.ContainersPartyRolesAdd, containerArg(id), role, partyID), opts)
}

// RemovePartyRole removes a role from a container, by the id of the [PartyRole]. The party remains.
// The service may not have the operation yet.
//
// API: DELETE /containers/{container_id}/party_roles/{id}. Errors: ErrNotFound.
func (s *ContainersService) RemovePartyRole(ctx context.Context, id, roleID string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.ContainersPartyRolesRemove, containerArg(id), uuidArg(roleID).named("roleID")), opts)
}

// addRole returns the endpoint that assigns a role for owner to a party.
func addRole(o operation.Operation, owner argument, role PartyRoleKind, partyID string) endpoint {
	r := newRole{role}
	e := newEndpoint(o, owner).check(uuidArg(partyID).named("partyID")).resource("party_role", "", r)
	return e.related(map[string]jsonapi.Related{"party": jsonapi.RelatedTo("party", partyID)})
}

type newRole struct {
	Role PartyRoleKind `json:"role"`
}

func (r newRole) validate() error {
	if r.Role == "" {
		return &ArgumentError{Field: "role", Problem: "must be a role, such as PartyRoleConsignee"}
	}
	return nil
}
