package terminal49test

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// MarshalJSON returns the journey's form. It fails if a step has a [Custom] action.
func (j Journey) MarshalJSON() ([]byte, error) { return forms.Encode(j) }

// namedJourneys are this package's journeys by their names in JSON.
var namedJourneys = map[string]func() Journey{
	"default": DefaultJourney, "ready": ReadyJourney, "customs_hold": CustomsHoldJourney, "not_released": NotReleasedJourney,
	"demurrage": DemurrageJourney, "on_ship": OnShipJourney, "rail": RailJourney,
}

// UnmarshalJSON reads a journey's form, or the name of one of this package: "default", "ready",
// "customs_hold", "not_released", "demurrage", "on_ship" or "rail".
func (j *Journey) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, j) }

func readJourney(value any, j *Journey) error {
	name, named := value.(string)
	if !named {
		return forms.Fields(value, j)
	}
	if err := forms.Choose(&name, []byte(name), state.SortedKeys(namedJourneys)...); err != nil || name == "" {
		return err
	}
	*j = namedJourneys[name]()
	return nil
}

// MarshalJSON returns the script's form.
func (d DocumentScript) MarshalJSON() ([]byte, error) { return forms.Encode(d) }

// UnmarshalJSON reads a script's form.
func (d *DocumentScript) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, d) }

// MarshalJSON returns the form of the noise.
func (n WebhookNoise) MarshalJSON() ([]byte, error) { return forms.Encode(n) }

// UnmarshalJSON reads the form of the noise.
func (n *WebhookNoise) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, n) }

// MarshalJSON returns the document's form. Its content is a text, or {"base64":"..."} if it is not.
func (d Document) MarshalJSON() ([]byte, error) { return forms.Encode(d) }

// UnmarshalJSON reads a document's form.
func (d *Document) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, d) }

// MarshalJSON returns the webhook's form. Its member "active" is absent if it is true.
func (h Webhook) MarshalJSON() ([]byte, error) { return forms.Encode(h) }

// UnmarshalJSON reads a webhook's form.
func (h *Webhook) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, h) }

// MarshalJSON returns the request's form. Its body is a text, or {"base64":"..."} if it is not.
func (r Request) MarshalJSON() ([]byte, error) { return forms.Encode(r) }

// UnmarshalJSON reads a request's form.
func (r *Request) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, r) }

// MarshalJSON returns the delivery's form. Its body is exactly the text that was signed.
func (d WebhookDelivery) MarshalJSON() ([]byte, error) { return forms.Encode(d) }

// UnmarshalJSON reads a delivery's form.
func (d *WebhookDelivery) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, d) }

// UnmarshalText reads an outcome and refuses any other text.
func (o *Outcome) UnmarshalText(text []byte) error { return forms.ChooseFrom(o, text) }

// UnmarshalText reads an outcome and refuses any other text.
func (o *DocumentOutcome) UnmarshalText(text []byte) error { return forms.ChooseFrom(o, text) }

// UnmarshalText reads a policy and refuses any other text.
func (p *DuplicatePolicy) UnmarshalText(text []byte) error { return forms.ChooseFrom(p, text) }

// UnmarshalText reads a shape and refuses any other text.
func (s *ErrorShape) UnmarshalText(text []byte) error { return forms.ChooseFrom(s, text) }

// UnmarshalText reads a kind and refuses any other text.
func (k *FaultKind) UnmarshalText(text []byte) error { return forms.ChooseFrom(k, text) }

// MarshalJSON returns the fault's form.
func (f Fault) MarshalJSON() ([]byte, error) { return forms.Encode(f) }

// UnmarshalJSON reads a fault's form, and refuses what [Server.AddFault] would.
func (f *Fault) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, f) }

func readFault(value any, f *Fault) error {
	if err := forms.Fields(value, f); err != nil {
		return err
	}
	if p := f.problem(); p != nil {
		return &p.Error
	}
	return nil
}

// retryLayouts are the layouts of [RetryAfterDate] by their names in JSON.
var retryLayouts = map[string]string{"http": http.TimeFormat, "rfc850": time.RFC850, "ansic": time.ANSIC}

// retryForm is the form of a header that is not in seconds.
type retryForm struct {
	After  time.Duration `json:"after,omitzero"`
	Layout string        `json:"layout,omitzero"`
	Raw    *string       `json:"raw,omitzero"`
}

// MarshalJSON returns "30s" for seconds, {"after":"30s","layout":"http"} (or "rfc850" or "ansic")
// for a date, and {"raw":"soon"} for any other value.
func (r RetryAfter) MarshalJSON() ([]byte, error) {
	switch r.kind {
	case retrySeconds:
		return json.Marshal(forms.FormatDuration(r.after))
	case retryRaw:
		return forms.Encode(retryForm{Raw: &r.text})
	}
	for name, layout := range retryLayouts {
		if layout == r.text {
			return forms.Encode(retryForm{After: r.after, Layout: name})
		}
	}
	return nil, &forms.Error{Member: "layout", Problem: "must be one of HTTP's layouts"}
}

// UnmarshalJSON reads the form of a header.
func (r *RetryAfter) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, r) }

func readRetryAfter(value any, r *RetryAfter) error {
	if text, seconds := value.(string); seconds {
		after, err := forms.ParseDuration(text)
		*r = RetryAfterSeconds(after)
		return err
	}
	var form retryForm
	if err := forms.Fields(value, &form); err != nil {
		return err
	}
	if form.Raw != nil {
		*r = RetryAfterRaw(*form.Raw)
		return nil
	}
	var layout string
	err := forms.Choose(&layout, []byte(form.Layout), state.SortedKeys(retryLayouts)...)
	if layout == "" && err == nil {
		err = &forms.Error{Problem: "must be a duration, or have a layout or raw"}
	}
	*r = RetryAfterDate(form.After, retryLayouts[layout])
	return err
}
