package terminal49

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Credential is what a client authenticates with, an API key or a user's access token, and what it
// may do. ID is that of the key or of the user.
//
// It is in one copy of the service's documents, later than the published OpenAPI file and dated
// October 2026, so a service may not have it yet.
type Credential struct {
	Resource

	Kind     string          // kind: "api_key" or "user"
	Channel  string          // channel: "api", "dashboard", "mcp" or "askt49"
	Name     string          // name: of the key; "" for a user
	Features []FeatureAccess // features: those that the service reports, in its order; a missing one is unknown

	Account ToOne[*Account] // account: included; the only one whose TrackingSlots are reported
	User    ToOne[*User]    // user: null for an API key
}

// Feature is a feature of the service that an account may have. The service may add some.
type Feature string

// The features that the service documents.
const (
	FeatureDataOutAPI   Feature = "data_out_api"
	FeatureCustomFields Feature = "custom_fields"
	FeatureRoutingData  Feature = "routing_data"
	FeatureRailData     Feature = "rail_data"
	FeatureStopTracking Feature = "stop_tracking"
	FeatureTradeIntel   Feature = "trade_intel"
)

var features = []Feature{
	FeatureDataOutAPI, FeatureCustomFields, FeatureRoutingData, FeatureRailData, FeatureStopTracking, FeatureTradeIntel,
}

// Known reports whether f is one of the constants of this version. Unknown values are kept
// unchanged.
func (f Feature) Known() bool { return isKnown(f, features) }

// FeatureAccess is what a credential may do with a feature.
type FeatureAccess struct {
	Feature Feature       // as sent, even if it is unknown to this version
	Status  FeatureStatus // status: "" if not reported
}

// Status returns the status of a feature, or "" if the service did not report it.
func (c *Credential) Status(feature Feature) FeatureStatus {
	for _, access := range c.Features {
		if access.Feature == feature {
			return access.Status
		}
	}
	return ""
}

// FeatureStatus reports whether a feature is available, or what it requires.
type FeatureStatus string

// The values of FeatureStatus.
const (
	FeatureStatusAvailable              FeatureStatus = "available"
	FeatureStatusRequiresPaidPlan       FeatureStatus = "requires_paid_plan"
	FeatureStatusRequiresUserCredential FeatureStatus = "requires_user_credential" // not available to an API key
	FeatureStatusNotEnabled             FeatureStatus = "not_enabled"
)

var featureStatuses = []FeatureStatus{
	FeatureStatusAvailable, FeatureStatusRequiresPaidPlan, FeatureStatusRequiresUserCredential, FeatureStatusNotEnabled,
}

// Known reports whether s is one of the constants of this version. Unknown values are kept
// unchanged.
func (s FeatureStatus) Known() bool { return isKnown(s, featureStatuses) }

// Me returns the credential that the client authenticates with, its account and its features. It
// changes nothing, so it also checks a key. ErrNotFound means that the service does not have the
// operation yet; see [Credential]. A user's access token reports the account of [WithAccountID] or,
// without it, the user's primary account.
//
// API: GET /me. Errors: ErrUnauthorized, ErrNotFound.
func (c *Client) Me(ctx context.Context, opts ...CallOption) (*Credential, error) {
	return fetchOne[Credential](ctx, c, newEndpoint(operation.MeGet), opts)
}

// TrackingSlots count what an account may track at the same time. The zero value means that the
// service did not report them.
type TrackingSlots struct {
	Unlimited bool     // the service sent null
	Limit     Opt[int] // limit
	Used      Opt[int] // used
	Remaining Opt[int] // remaining
}

func (c *Credential) members(m *jsonapi.Members) {
	m.Add("kind", &c.Kind)
	m.Add("channel", &c.Channel)
	m.Add("name", &c.Name)
	m.Add("features", (*featureList)(&c.Features))
}

func (c *Credential) relationships(m *jsonapi.Members) {
	m.Add("account", &c.Account)
	m.Add("user", &c.User)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (c Credential) MarshalJSON() ([]byte, error) { return marshalResource(&c) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (c *Credential) UnmarshalJSON(data []byte) error { return unmarshalResource(data, c) }

// featureList is a list of features in the service's form, an object by name.
type featureList []FeatureAccess

var featureMembers = jsonapi.NewTable(model{}, new(feature))

// feature is a FeatureAccess with the members that the object of a feature has.
type feature FeatureAccess

func (f *feature) members(m *jsonapi.Members) { m.Add("status", &f.Status) }

// decode keeps features that are unknown to this version.
func (l *featureList) decode(d *jsonapi.Decoder) {
	*l = nil
	if d.Null() {
		return
	}
	d.Object(func(key []byte) {
		access := FeatureAccess{Feature: Feature(key)}
		if !d.Null() {
			featureMembers.Read(d, (*feature)(&access))
		}
		*l = append(*l, access)
	})
}

// MarshalJSON keeps the order of the list.
func (l featureList) MarshalJSON() ([]byte, error) {
	object := []byte{'{'}
	for i, access := range l {
		name, err := json.Marshal(access.Feature)
		status, err2 := json.Marshal(access.Status)
		if err = cmp.Or(err, err2); err != nil {
			return nil, err
		}
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(append(append(object, name...), `:{"status":`...), status...), '}')
	}
	return append(object, '}'), nil
}

var slotMembers = jsonapi.NewTable(model{}, new(slots))

// slots is TrackingSlots that are not unlimited.
type slots TrackingSlots

func (s *slots) members(m *jsonapi.Members) {
	m.Add("limit", &s.Limit)
	m.Add("used", &s.Used)
	m.Add("remaining", &s.Remaining)
}

func (s *TrackingSlots) decode(d *jsonapi.Decoder) {
	if s.Unlimited = d.Null(); !s.Unlimited {
		slotMembers.Read(d, (*slots)(s))
	}
}

// MarshalJSON returns the counts, or null if the slots are unlimited.
func (s TrackingSlots) MarshalJSON() ([]byte, error) {
	if s.Unlimited {
		return []byte("null"), nil
	}
	return jsonapi.EncodeObject(slotMembers, (*slots)(&s), marshalMember)
}

// UnmarshalJSON parses what MarshalJSON returns.
func (s *TrackingSlots) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*s = TrackingSlots{Unlimited: true}
		return nil
	}
	return unmarshalObject(data, "tracking_slots", slotMembers, (*slots)(s))
}

// Account is an account of the service. Only [Client.Me] reports more than its name. The other
// fields are in a document later than the published OpenAPI file, and are zero if not reported.
type Account struct {
	Resource

	CompanyName string // company_name
	CompanyType string // company_type: such as "freight_forwarder"
	SCAC        string // scac
	AbbrName    string // abbr_name: the short form of the name
	City        string // city
	StateAbbr   string // state_abbr
	Country     string // country
	Plan        string // plan: "free_plan", "in_trial", "customer", "locked" or "churned"

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
