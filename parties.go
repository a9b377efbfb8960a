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
type Party struct {
	Resource

	CompanyName string // company_name

	// Only documents later than the published OpenAPI file have these: an example and a test.
	Nickname  string   // nickname: "" if not reported
	RoleNames []string // role_names: nil if not reported
}

// Account is an account of the service. Only [Client.Me] reports more than its name. The other
// fields are in a document later than the published OpenAPI file, and are zero if not reported.
type Account struct {
	Resource

	CompanyName string      // company_name
	CompanyType string      // company_type: such as "freight_forwarder"
	SCAC        string      // scac
	AbbrName    string      // abbr_name: the short form of the name
	City        string      // city
	StateAbbr   string      // state_abbr
	Country     string      // country
	Plan        AccountPlan // plan

	TrackingSlots TrackingSlots // tracking_slots: only of the account that the client is authenticated for
}

// User is a person with a login. Only [Client.Me] reports attributes of it, in the form of a
// document later than the published OpenAPI file; with [WithRawJSON], Raw returns what the service
// sent.
type User struct {
	Resource

	Email    string    // email
	Name     string    // name
	Role     string    // role: "member" or "account_manager"
	JobRole  string    // job_role: such as "dispatcher"
	JobTitle string    // job_title
	Admin    Opt[bool] // admin: of the service's own staff only

	Accounts ToMany[*Account] // accounts: those that [WithAccountID] can select
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

func (p *Party) members(m *jsonapi.Members) {
	m.Add("company_name", &p.CompanyName)
	m.Add("nickname", &p.Nickname)
	m.Add("role_names", &p.RoleNames)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (p Party) MarshalJSON() ([]byte, error) { return marshalResource(&p) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (p *Party) UnmarshalJSON(data []byte) error { return unmarshalResource(data, p) }

func (a *Account) members(m *jsonapi.Members) {
	m.Add("company_name", &a.CompanyName)
	m.Add("company_type", &a.CompanyType)
	m.Add("scac", &a.SCAC)
	m.Add("abbr_name", &a.AbbrName)
	m.Add("city", &a.City)
	m.Add("state_abbr", &a.StateAbbr)
	m.Add("country", &a.Country)
	m.Add("plan", &a.Plan)
	m.Add("tracking_slots", &a.TrackingSlots)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (a Account) MarshalJSON() ([]byte, error) { return marshalResource(&a) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (a *Account) UnmarshalJSON(data []byte) error { return unmarshalResource(data, a) }

func (u *User) members(m *jsonapi.Members) {
	m.Add("email", &u.Email)
	m.Add("name", &u.Name)
	m.Add("role", &u.Role)
	m.Add("job_role", &u.JobRole)
	m.Add("job_title", &u.JobTitle)
	m.Add("admin", &u.Admin)
}

func (u *User) relationships(m *jsonapi.Members) {
	m.Add("accounts", &u.Accounts)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (u User) MarshalJSON() ([]byte, error) { return marshalResource(&u) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (u *User) UnmarshalJSON(data []byte) error { return unmarshalResource(data, u) }
