package terminal49

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// CustomFieldDataType is the data type of a custom field.
//
//t49:enum
type CustomFieldDataType string

// The values of CustomFieldDataType, each with the constructor of its values.
const (
	CustomFieldShortText CustomFieldDataType = "short_text" // CustomText
	CustomFieldNumber    CustomFieldDataType = "number"     // CustomNumber: 12 digits before the point, 6 after it
	CustomFieldDate      CustomFieldDataType = "date"       // CustomDate
	CustomFieldDateTime  CustomFieldDataType = "datetime"   // CustomDateTime
	CustomFieldBoolean   CustomFieldDataType = "boolean"    // CustomBoolean
	CustomFieldEnum      CustomFieldDataType = "enum"       // CustomEnum: the value of one option
	CustomFieldEnumMulti CustomFieldDataType = "enum_multi" // CustomEnumMulti: the values of several options
	CustomFieldReference CustomFieldDataType = "reference"  // CustomReference: another resource
)

// CustomFieldValue is the value of a custom field: text, an exact number, a date, a time, a
// boolean, one option or several, a reference, or null. Create one with [CustomText] or another
// constructor. A call with an invalid value returns an [*ArgumentError].
//
// A value that was read keeps the service's JSON, which does not distinguish text from a date or an
// option: use the accessor for the DataType of the field's definition. Accessors report false for
// null, for no value and for JSON of another kind. The zero CustomFieldValue holds no value, which
// differs from null.
type CustomFieldValue struct {
	made    CustomFieldDataType // data type set by the constructor; "" if decoded
	json    string              // compact; "" for no value
	problem string              // why it is invalid
}

// ResourceRef identifies a resource. It is the value of a custom field with the data type
// reference.
type ResourceRef struct {
	Type string `json:"type"` // JSON:API type, such as "party"
	ID   string `json:"id"`
}

// The service stores numbers as decimal(18,6): 12 digits before the decimal point and 6 after it.
const (
	customNumberDecimals = 6
	customNumberLimit    = 1_000_000_000_000
)

// CustomText returns a value of the data type short_text.
func CustomText(text string) CustomFieldValue {
	return newCustomValue(CustomFieldShortText, text, textProblem(text))
}

// CustomNumber returns a value of the data type number. It is sent exactly, never as a float. A
// number with more than 12 digits before the decimal point or 6 after it is invalid rather than
// rounded.
func CustomNumber(n decimal.Decimal) CustomFieldValue {
	if e := n.Exponent(); e < -decimals.MaxExponent || e > decimals.MaxExponent || n.Abs().GreaterThanOrEqual(decimal.New(customNumberLimit, 0)) ||
		!n.Truncate(customNumberDecimals).Equal(n) {
		return newCustomValue(CustomFieldNumber, nil, "must have at most 12 digits before the decimal point and 6 after it; round it first")
	}
	return newCustomValue(CustomFieldNumber, json.Number(n.String()), "")
}

// CustomDate returns a value of the data type date.
func CustomDate(day Date) CustomFieldValue {
	if _, err := time.Parse(time.DateOnly, day.String()); err != nil {
		return newCustomValue(CustomFieldDate, nil, "must be a calendar day; use CustomNull to clear the field")
	}
	return newCustomValue(CustomFieldDate, day.String(), "")
}

// CustomDateTime returns a value of the data type datetime. It is sent in UTC; the service shows it
// without a zone.
func CustomDateTime(t time.Time) CustomFieldValue {
	if y := t.UTC().Year(); t.IsZero() || y < 1 || y > 9999 {
		return newCustomValue(CustomFieldDateTime, nil, "must be a time in the years 1 to 9999; use CustomNull to clear the field")
	}
	return newCustomValue(CustomFieldDateTime, t.UTC().Format(time.RFC3339Nano), "")
}

// CustomBoolean returns a value of the data type boolean.
func CustomBoolean(yes bool) CustomFieldValue { return newCustomValue(CustomFieldBoolean, yes, "") }

// CustomEnum returns a value of the data type enum. option is the Value of one of the field's
// options, not its Label.
func CustomEnum(option string) CustomFieldValue {
	problem := textProblem(option)
	if option == "" {
		problem = "must be the value of an option; use CustomNull to clear the field"
	}
	return newCustomValue(CustomFieldEnum, option, problem)
}

// CustomEnumMulti returns a value of the data type enum_multi. options are the Values of some of
// the field's options, not their Labels. They must not contain a comma, because the service joins
// them by commas.
func CustomEnumMulti(options ...string) CustomFieldValue {
	var problem string
	if len(options) == 0 {
		problem = "must have at least one option; use CustomNull to clear the field"
	}
	for i, option := range options {
		switch {
		case option == "" || strings.Contains(option, ","):
			problem = "must not have an option that is empty or contains a comma; pass each option separately"
		case slices.Contains(options[:i], option):
			problem = "must not have the same option twice"
		case textProblem(option) != "":
			problem = textProblem(option)
		}
	}
	return newCustomValue(CustomFieldEnumMulti, options, problem)
}

// CustomReference returns a value of the data type reference.
func CustomReference(to ResourceRef) CustomFieldValue {
	var problem string
	if to.Type == "" || to.ID == "" {
		problem = "must have a Type and an ID"
	}
	return newCustomValue(CustomFieldReference, to, problem)
}

// CustomNull returns the value that clears a custom field of any data type.
func CustomNull() CustomFieldValue { return CustomFieldValue{json: "null"} }

// CustomJSON returns a value from JSON, for a data type unknown to this version.
func CustomJSON(raw json.RawMessage) CustomFieldValue {
	var v CustomFieldValue
	if v.UnmarshalJSON(raw) != nil {
		v.problem = "must be one JSON value"
	}
	return v
}

func newCustomValue(as CustomFieldDataType, value any, problem string) CustomFieldValue {
	if problem != "" {
		return CustomFieldValue{made: as, problem: problem}
	}
	raw, err := json.Marshal(value)
	if err != nil {
		problem = "cannot be written as JSON: " + err.Error()
	}
	return CustomFieldValue{made: as, json: string(raw), problem: problem}
}

func textProblem(text string) string {
	if !utf8.ValidString(text) {
		return "must be valid UTF-8"
	}
	return ""
}

// DataType returns the data type set by the constructor. It is "" for null and for a decoded value,
// whose data type is in the field's definition.
func (v CustomFieldValue) DataType() CustomFieldDataType { return v.made }

// IsZero reports whether there is no value, not even null. The omitzero JSON option uses it.
func (v CustomFieldValue) IsZero() bool { return v.json == "" && v.problem == "" }

// IsNull reports whether the value is null.
func (v CustomFieldValue) IsNull() bool { return v.json == "null" }

// JSON returns the JSON of the value, as the service sent it or as it will be sent; nil for no
// value.
func (v CustomFieldValue) JSON() json.RawMessage {
	if v.json == "" {
		return nil
	}
	return json.RawMessage(v.json)
}

// Text returns the text of a short_text, date, datetime or enum.
func (v CustomFieldValue) Text() (string, bool) { return decodeCustom[string](v, '"') }

// Number returns an exact number. The service may send it as a JSON number or a string.
func (v CustomFieldValue) Number() (decimal.Decimal, bool) {
	text, ok := jsonapi.NewDecoder([]byte(v.json), "value", nil).Number()
	if !ok {
		return decimal.Decimal{}, false
	}
	n, err := decimals.Parse(string(text))
	return n, err == nil
}

// Date returns a calendar day in the year 1 or later.
func (v CustomFieldValue) Date() (Date, bool) {
	text, _ := v.Text()
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1 {
		return Date{}, false
	}
	return DateOf(day), true
}

// DateTime returns a time. If it was sent without a zone, it is the local time of an unknown place,
// whose instant is unknown; see [Time.Instant].
func (v CustomFieldValue) DateTime() (Time, bool) {
	text, ok := v.Text()
	if !ok || text == "" {
		return Time{}, false
	}
	// The layouts match fractions of a second too.
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return NewWallTime(t), true
		}
	}
	t, ok := parseTime([]byte(text))
	return t, ok && !t.DateOnly()
}

// Boolean returns a boolean.
func (v CustomFieldValue) Boolean() (yes, ok bool) {
	return v.json == "true", v.json == "true" || v.json == "false"
}

// Enum returns the Value of an option. Its Label is the DisplayValue of the field.
func (v CustomFieldValue) Enum() (option string, ok bool) {
	option, ok = v.Text()
	return option, ok && option != ""
}

// EnumMulti returns the Values of options, in order. The service sends them as an array or joined
// by commas.
func (v CustomFieldValue) EnumMulti() (options []string, ok bool) {
	if text, isText := v.Text(); isText && text != "" {
		for option := range strings.SplitSeq(text, ",") {
			options = append(options, strings.TrimSpace(option))
		}
		return options, true
	}
	return decodeCustom[[]string](v, '[')
}

// Reference returns the resource that the value refers to.
func (v CustomFieldValue) Reference() (ResourceRef, bool) {
	to, ok := decodeCustom[ResourceRef](v, '{')
	return to, ok && to.Type != "" && to.ID != ""
}

// decodeCustom decodes a value whose JSON starts with the given character.
func decodeCustom[T any](v CustomFieldValue, begin byte) (as T, ok bool) {
	var zero T
	if v.json == "" || v.json[0] != begin || json.Unmarshal([]byte(v.json), &as) != nil {
		return zero, false
	}
	return as, true
}

// String returns text without quotes, any other value as JSON, null as "null" and no value as "".
func (v CustomFieldValue) String() string {
	if text, ok := v.Text(); ok {
		return text
	}
	return v.json
}

// MarshalJSON returns the JSON of the value, and null for no value unless the field has the
// omitzero option. An invalid value is an error.
func (v CustomFieldValue) MarshalJSON() ([]byte, error) {
	switch {
	case v.problem != "":
		return nil, &ArgumentError{Op: "MarshalJSON", Field: "CustomFieldValue", Problem: v.problem}
	case v.json == "":
		return []byte("null"), nil
	}
	return []byte(v.json), nil
}

// UnmarshalJSON accepts any JSON value.
func (v *CustomFieldValue) UnmarshalJSON(data []byte) error {
	text, err := canonical(data)
	if err == nil {
		*v = CustomFieldValue{json: text}
	}
	return err
}

// check returns an error if v cannot be sent as field.
func (v CustomFieldValue) check(field string) error {
	switch {
	case v.problem != "":
		return &ArgumentError{Field: field, Problem: v.problem}
	case v.IsZero():
		return &ArgumentError{Field: field, Problem: "must be set; make it with a constructor such as CustomText, or use CustomNull to clear the field"}
	}
	return nil
}
