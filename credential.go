package terminal49

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/text"
)

// Credential is what a client authenticates with, an API key or a user's access token, and what it
// may do. ID is that of the key or of the user.
//
// It is in one copy of the service's documents, later than the published OpenAPI file and dated
// October 2026, so a service may not have it yet.
//
//t49:resource credential
type Credential struct {
	Resource

	Kind     string          `t49:"kind"`                    // "api_key" or "user"
	Channel  string          `t49:"channel"`                 // "api", "dashboard", "mcp" or "askt49"
	Name     string          `t49:"name"`                    // of the key; "" for a user
	Features []FeatureAccess `t49:"features,as=featureList"` // those that the service reports, in its order; a missing one is unknown

	Account ToOne[*Account] `t49:"account"` // included; the only one whose TrackingSlots are reported
	User    ToOne[*User]    `t49:"user"`    // null for an API key
}

// Feature is a feature of the service that an account may have. The service may add some.
//
//t49:enum
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

// FeatureAccess is what a credential may do with a feature.
//
//t49:members feature
type FeatureAccess struct {
	Feature Feature       `t49:"-"`      // as sent, even if it is unknown to this version
	Status  FeatureStatus `t49:"status"` // "" if not reported
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
//
//t49:enum
type FeatureStatus string

// The values of FeatureStatus.
const (
	FeatureStatusAvailable              FeatureStatus = "available"
	FeatureStatusRequiresPaidPlan       FeatureStatus = "requires_paid_plan"
	FeatureStatusRequiresUserCredential FeatureStatus = "requires_user_credential" // not available to an API key
	FeatureStatusNotEnabled             FeatureStatus = "not_enabled"
)

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
//
//t49:members slots
type TrackingSlots struct {
	Unlimited bool     `t49:"-"` // the service sent null
	Limit     Opt[int] `t49:"limit"`
	Used      Opt[int] `t49:"used"`
	Remaining Opt[int] `t49:"remaining"`
}

// featureList is a list of features in the service's form, an object by name.
type featureList []FeatureAccess

var featureMembers = jsonapi.NewTable(model{}, new(feature))

// feature is a FeatureAccess with the members that the object of a feature has.
type feature FeatureAccess

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
//
//t49:resource account
type Account struct {
	Resource

	CompanyName string `t49:"company_name"`
	CompanyType string `t49:"company_type"` // such as "freight_forwarder"
	SCAC        string `t49:"scac"`
	AbbrName    string `t49:"abbr_name"` // the short form of the name
	City        string `t49:"city"`
	StateAbbr   string `t49:"state_abbr"`
	Country     string `t49:"country"`
	Plan        string `t49:"plan"` // "free_plan", "in_trial", "customer", "locked" or "churned"

	TrackingSlots TrackingSlots `t49:"tracking_slots"` // only of the account that the client is authenticated for
}

// User is a person with a login. Only [Client.Me] reports attributes of it, in the form of a
// document later than the published OpenAPI file; with [WithRawJSON], Raw returns what the service
// sent.
//
//t49:resource user
type User struct {
	Resource

	Email    string    `t49:"email"`
	Name     string    `t49:"name"`
	Role     string    `t49:"role"`     // "member" or "account_manager"
	JobRole  string    `t49:"job_role"` // such as "dispatcher"
	JobTitle string    `t49:"job_title"`
	Admin    Opt[bool] `t49:"admin"` // of the service's own staff only

	Accounts ToMany[*Account] `t49:"accounts"` // those that [WithAccountID] can select
}

// Secret is text that must not be printed, because it grants rights to anyone who reads it: the
// signed id of an uploaded file, a presigned URL, the key that signs webhooks. Every format, log
// and encoder shows "[secret]" instead; only Reveal returns the text.
type Secret struct {
	_    [0]func() // not comparable: two Secrets with the same text would differ
	text conceal.Value[string]
}

// NewSecret returns a Secret that holds text. NewSecret("") is the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: conceal.New(text)}
}

// Reveal returns the text, "" for the zero Secret.
func (s Secret) Reveal() string { return s.text.Get() }

// IsZero reports whether there is no text.
func (s Secret) IsZero() bool { return s.text.IsZero() }

// String returns "[secret]".
func (s Secret) String() string { return text.Mask }

// GoString returns "[secret]".
func (s Secret) GoString() string { return text.Mask }

// LogValue returns "[secret]".
func (s Secret) LogValue() slog.Value { return s.text.LogValue() }

// MarshalText returns "[secret]".
func (s Secret) MarshalText() ([]byte, error) { return s.text.MarshalText() }

// redactor takes credentials out of the parts of a response that are kept: a service or proxy may
// repeat them to the sender. It is a function because printing a function shows nothing.
type redactor func(string) string

func newRedactor(credentials ...string) redactor { return text.Hide(credentials...) }

// RedactToken returns text with "[secret]" in place of the client's token, for programs that keep
// or show what the service sent: a service or proxy may repeat the token. It finds the token in
// letters of any case, escaped as in JSON, HTML or URLs, also repeatedly, and in base64. It leaves
// the rest as it is, and does not replace a token of fewer than six characters, which words may
// contain.
func (c *Client) RedactToken(text string) string { return c.hideToken(text) }

// Redactor returns a function that returns a text with "[secret]" in place of the secrets, for
// programs that log or keep what others sent: a service, a proxy or a driver may repeat what it was
// sent. It finds the secrets in the forms that [Client.RedactToken] finds the token in, and secrets
// of fewer than six characters only where they are words of their own. It leaves the rest as it is.
// An empty secret is ignored. The function may be used concurrently.
func Redactor(secrets ...Secret) func(text string) string {
	return text.HideWhole(revealAll(secrets)...)
}

func revealAll(secrets []Secret) []string {
	texts := make([]string, len(secrets))
	for i, secret := range secrets {
		texts[i] = secret.Reveal()
	}
	return texts
}

// also returns a redactor that takes further secrets out, those of one call.
func (r redactor) also(secrets []Secret) redactor {
	if len(secrets) == 0 {
		return r
	}
	hide := text.Hide(revealAll(secrets)...)
	return func(s string) string { return hide(r(s)) }
}

// longestForm is more than the length of a credential with every character escaped.
const longestForm = 8 << 10

// start returns the first n bytes of text, redacted and in valid UTF-8. It redacts little more than
// it returns, because that takes long, and drops what may be half of a credential at the end.
// Invalid bytes, which could split a credential, are removed before it is redacted.
func (r redactor) start(text string, n int) string {
	cut := text[:min(len(text), n+longestForm)]
	redacted := r(strings.ToValidUTF8(cut, ""))
	if len(cut) < len(text) {
		redacted = redacted[:max(0, len(redacted)-longestForm)]
	}
	return strings.ToValidUTF8(redacted[:min(len(redacted), n)], "")
}

// beginning is start for what an error keeps of a response.
func (r redactor) beginning(text string) string { return r.start(text, snippet) }

// short is upTo for a name.
func (r *redactor) short(s string) string { return r.upTo(longestName, s) }

// upTo returns the first n bytes of text on one line, as an error may show it. It redacts nothing
// in an error that a caller made.
func (r *redactor) upTo(n int, text string) string {
	redact := redactor(strings.Clone)
	if r != nil {
		redact = *r
	}
	start := printable(redact.start(text, n))
	if len(text) > n {
		start += "..."
	}
	return start
}

// in returns err, whose text quotes what the service sent, redacted.
func (r redactor) in(err error) error {
	switch e := err.(type) {
	case *CarrierUndecidedError:
		e.redact = &r
	case *InvalidNumberError:
		e.redact = &r
	case *TrackingFailedError:
		e.redact = &r
	}
	return err
}

// longestText limits the texts of an error object and the headers of a Response.
const longestText = 4 << 10

// object redacts a decoded error object, because JSON may have written the token with escapes.
func (r redactor) object(o ErrorObject) ErrorObject {
	for _, s := range []*string{&o.Title, &o.Detail, &o.Code, &o.Status, &o.Pointer, &o.Parameter} {
		*s = r.start(*s, longestText)
	}
	if o.Meta != nil {
		o.Meta = r.value(o.Meta).(map[string]any)
	}
	return o
}

// value redacts the strings of decoded JSON, names and values.
func (r redactor) value(v any) any {
	switch v := v.(type) {
	case string:
		return r.start(v, longestText)
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, member := range v {
			clean[r.start(name, longestText)] = r.value(member)
		}
		return clean
	}
	return v
}

// printable returns text of the service as it may appear in an error: on one line, with everything
// that a terminal or a log reader would interpret escaped as Go writes it, such as \n.
func printable(s string) string { return text.Printable(s) }

// unquoted returns the problem that encoding/json reports, without the value that its errors and
// those of the caller's types may quote.
func unquoted(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var stored *storedError
	var form *jsonapi.SyntaxError
	switch {
	case errors.As(err, &stored):
		return stored.err
	case errors.As(err, &form):
		return form
	case errors.As(err, &kind):
		return fmt.Errorf("member %q at byte %d is not a %v", kind.Field, kind.Offset, kind.Type)
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON from byte %d on", syntax.Offset)
	default:
		return errors.New("a value does not fit its Go type")
	}
}
