package terminal49

import (
	"context"
	"iter"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Party is a company in the account, such as the customer of a shipment.
type Party struct {
	Resource

	CompanyName string // company_name
}

// Account is an account of the service.
type Account struct {
	Resource

	CompanyName string // company_name
}

// User is a person with a login. The service documents no attributes of it; with [WithRawJSON], Raw
// returns what it sent.
type User struct {
	Resource
}

// PartyListParams selects a page of parties. Nil and the zero value start at the first page.
type PartyListParams struct {
	PageParams
}

// PartyCreate is a company to add to the account.
type PartyCreate struct {
	CompanyName string `json:"company_name"` // required, and unique within the account
}

// PartyUpdate is a change to a party. Unset fields are not changed.
type PartyUpdate struct {
	CompanyName Opt[string] `json:"company_name,omitzero"` // unique within the account; cannot be cleared
}

// PartiesService reads and changes the companies of the account. The service cannot delete them.
type PartiesService service

// List returns one page of parties.
//
// API: GET /parties
func (s *PartiesService) List(ctx context.Context, params *PartyListParams, opts ...CallOption) (*Page[Party], error) {
	return fetchPage[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
}

// Pages iterates over the pages of parties.
//
// API: GET /parties. Errors: ErrPagination.
func (s *PartiesService) Pages(ctx context.Context, params *PartyListParams, opts ...CallOption) iter.Seq2[*Page[Party], error] {
	return pagesOf[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
}

// All iterates over all parties and fetches pages as needed.
//
// API: GET /parties. Errors: ErrPagination.
func (s *PartiesService) All(ctx context.Context, params *PartyListParams, opts ...CallOption) iter.Seq2[*Party, error] {
	return allOf[Party](ctx, s.client, newEndpoint(operation.PartiesList).with(params), opts)
}

// Create adds a company. For a name that the account already has it fails with ErrInvalid, with an
// error object whose pointer is "/data/attributes/customer".
//
// API: POST /parties. Errors: ErrInvalid.
func (s *PartiesService) Create(ctx context.Context, party PartyCreate, opts ...CallOption) (*Party, error) {
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
func (s *PartiesService) Update(ctx context.Context, id string, update PartyUpdate, opts ...CallOption) (*Party, error) {
	e := newEndpoint(operation.PartiesUpdate, uuidArg(id))
	if !update.CompanyName.IsZero() {
		e = e.check(companyNameArg(update.CompanyName.Or("")))
	}
	return fetchOne[Party](ctx, s.client, e.resource("party", id, update), opts)
}

// companyNameArg rejects a name that the service would reject with "can't be blank".
func companyNameArg(name string) argument {
	a := argument{name: "CompanyName", value: name}
	if strings.TrimSpace(name) == "" {
		a.problem = "must not be blank"
	}
	return a
}

func (*Party) table() *jsonapi.Type[*Party] { return partyTable }

var partyTable = jsonapi.NewType(jsonapi.Spec[*Party]{
	Identify: func(p *Party, id jsonapi.Identity) { p.identify(id) },
	Attributes: []jsonapi.Field[*Party]{
		textField("company_name", func(p *Party) *string { return &p.CompanyName }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (p Party) MarshalJSON() ([]byte, error) { return marshalResource(&p) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (p *Party) UnmarshalJSON(data []byte) error { return unmarshalResource(data, p) }

var accountTable = jsonapi.NewType(jsonapi.Spec[*Account]{
	Identify: func(a *Account, id jsonapi.Identity) { a.identify(id) },
	Attributes: []jsonapi.Field[*Account]{
		textField("company_name", func(a *Account) *string { return &a.CompanyName }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (a Account) MarshalJSON() ([]byte, error) { return marshalResource(&a) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (a *Account) UnmarshalJSON(data []byte) error { return unmarshalResource(data, a) }

var userTable = jsonapi.NewType(jsonapi.Spec[*User]{
	Identify: func(u *User, id jsonapi.Identity) { u.identify(id) },
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (u User) MarshalJSON() ([]byte, error) { return marshalResource(&u) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (u *User) UnmarshalJSON(data []byte) error { return unmarshalResource(data, u) }
