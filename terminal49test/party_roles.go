package terminal49test

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// PartyRole assigns a party to a shipment or a container.
type PartyRole struct {
	ID         string         `json:"id,omitzero"`        // "" generates one
	Role       string         `json:"role,omitzero"`      // such as "consignee"
	Party      string         `json:"party,omitzero"`     // id
	Shipment   string         `json:"shipment,omitzero"`  // id of one of them
	Container  string         `json:"container,omitzero"` // id of one of them
	CreatedAt  time.Time      `json:"created_at,omitzero"`
	UpdatedAt  time.Time      `json:"updated_at,omitzero"`
	Attributes map[string]any `json:"attributes,omitzero"`
}

// AddPartyRole adds a party role and returns its id. The role is not checked.
func (s *Server) AddPartyRole(r PartyRole) string {
	return withWorld(s, func(w *world) string { return w.addPartyRole(r) })
}

// PartyRole returns a copy of a party role and whether the id exists.
func (s *Server) PartyRole(id string) (r PartyRole, ok bool) {
	ok = readWorld(s, func(w *world) bool {
		return readRow(&w.partyRoles, id, func(found *PartyRole) { r = *found })
	})
	r.Attributes = maps.Clone(r.Attributes)
	return r, ok
}

func (w *world) addPartyRole(r PartyRole) string {
	r.ID, r.Attributes = w.identify(r.ID, "party_role"), maps.Clone(r.Attributes)
	r.CreatedAt = w.orNow(r.CreatedAt)
	if r.UpdatedAt.IsZero() {
		r.UpdatedAt = r.CreatedAt
	}
	w.partyRoles.Put(r.ID, &r)
	return r.ID
}

// shipmentRoles and containerRole are the roles that the service accepts.
var shipmentRoles = []string{
	"shipper", "consignee", "notify_party", "customs_broker", "customer", "freight_forwarder", containerRole,
}

const containerRole = "pickup_dray_carrier"

// recent wraps the handler of an operation that the older service does not have. The older service
// responds as for an unknown path, which is not a violation, because a client cannot know the
// version.
func recent(handle func(*exchange) service.Reply) func(*exchange) service.Reply {
	return func(x *exchange) service.Reply {
		if !x.s.config.autumn2026 {
			return service.HTMLReply(404)
		}
		return handle(x)
	}
}

// withRoleOwner answers 404 unless the shipment or the container exists. The role that it passes on
// has only an owner.
func withRoleOwner(handle func(*exchange, PartyRole) service.Reply) func(*exchange) service.Reply {
	return func(x *exchange) service.Reply {
		owner := PartyRole{Shipment: x.Args["shipment_id"], Container: x.Args["container_id"]}
		if x.w.shipments.Get(owner.Shipment) == nil && x.w.containers.Get(owner.Container) == nil {
			return service.NotFound()
		}
		return handle(x, owner)
	}
}

func (r *PartyRole) isOf(owner PartyRole) bool {
	return r.Shipment == owner.Shipment && r.Container == owner.Container
}

func (w *world) partyRolesOf(owner PartyRole) (ids []string) {
	for _, r := range w.partyRoles.All() {
		if r.isOf(owner) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func (x *exchange) listPartyRoles(owner PartyRole) service.Reply {
	found := []wire.Resource{}
	for _, id := range x.w.partyRolesOf(owner) {
		r := x.w.renderPartyRole(x.w.partyRoles.Get(id))
		found = append(found, r)
	}
	return service.JSONReply(200, wire.Object{
		{"data", found}, {"included", x.collect(found, []string{"party"})},
		{"links", wire.Object{{"self", x.Self()}}}, {"meta", wire.Object{{"size", len(found)}, {"total", len(found)}}},
	})
}

func (x *exchange) createPartyRole(role PartyRole) service.Reply {
	x.Attribute("role", &role.Role)
	role.Party = x.partyOfRole()
	switch {
	case !slices.Contains(shipmentRoles, role.Role):
		x.Violate("role is %q and must be one of the service's roles", role.Role)
		return detailReply(422, "'"+role.Role+"' is not a valid role")
	case role.Container != "" && role.Role != containerRole:
		return service.Refusal(service.AttributeProblem("/data/attributes/role", "is_not_allowed_for_cargo", "Role is not allowed for cargo"))
	case x.w.parties.Get(role.Party) == nil && role.Party != x.w.account:
		return detailReply(401, "You are not authorized to perform this action.")
	case x.w.partyRoles.Find(func(r *PartyRole) bool { return r.isOf(role) && r.Role == role.Role && r.Party == role.Party }) != nil:
		return service.JSONReply(422, wire.Object{{"errors", []wire.Object{{
			{"status", "422"}, {"source", wire.Object{{"pointer", ""}}}, {"title", "Unprocessable Entity"},
			{"detail", "Party has already been taken"}, {"code", "taken"},
		}}}})
	}
	r := x.w.renderPartyRole(x.w.partyRoles.Get(x.w.addPartyRole(role)))
	return service.JSONReply(201, wire.Object{
		{"data", r}, {"included", x.collect([]wire.Resource{r}, []string{"party"})},
		{"links", wire.Object{{"self", x.In.URL.EscapedPath()}}},
	})
}

func detailReply(status int, detail string) service.Reply {
	return service.ErrorReply(service.ShapeDetailOnly, service.Problem{Status: status, Detail: detail})
}

func (x *exchange) partyOfRole() string {
	var rel struct {
		Data struct{ ID, Type string }
	}
	if json.Unmarshal(x.Data.Relationships["party"], &rel) != nil || rel.Data.ID == "" || rel.Data.Type != "party" {
		x.Violate(`relationship party must be {"data":{"id":...,"type":"party"}}`)
	}
	return rel.Data.ID
}

func (x *exchange) deletePartyRole(owner PartyRole) service.Reply {
	r := x.w.partyRoles.Get(x.Args["id"])
	if r == nil || !r.isOf(owner) {
		return service.NotFound()
	}
	x.w.partyRoles.Remove(r.ID)
	return service.EmptyReply(204)
}

func (w *world) renderPartyRole(r *PartyRole) wire.Resource {
	kind, id := "Shipment", r.Shipment
	if r.Container != "" {
		kind, id = "Cargo", r.Container
	}
	return wire.Resource{
		Ref: wire.Ref{Kind: "party_role", ID: r.ID},
		Attributes: wire.Object{
			{"role", r.Role}, {"roleable_type", kind}, {"roleable_id", id},
			{"created_at", r.CreatedAt}, {"updated_at", r.UpdatedAt},
		}.With(r.Attributes),
		Relations: []wire.Relation{wire.ToOne("party", "party", r.Party)},
	}
}

// partiesWithRole returns the parties that have a role for a shipment or a container.
func (w *world) partiesWithRole(of PartyRole, role string) (ids []string) {
	for _, id := range w.partyRolesOf(of) {
		if r := w.partyRoles.Get(id); role == "" || r.Role == role {
			ids = append(ids, r.Party)
		}
	}
	return ids
}
