package terminal49

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// CustomFieldDataType is the kind of value that a custom field holds.
type CustomFieldDataType string

const (
	CustomFieldShortText CustomFieldDataType = "short_text" // see CustomText
	CustomFieldNumber    CustomFieldDataType = "number"     // see CustomNumber: 18 digits, 6 of them decimals
	CustomFieldDate      CustomFieldDataType = "date"       // see CustomDate: a calendar day
	CustomFieldDateTime  CustomFieldDataType = "datetime"   // see CustomDateTime
	CustomFieldBoolean   CustomFieldDataType = "boolean"    // see CustomBoolean
	CustomFieldEnum      CustomFieldDataType = "enum"       // see CustomEnum: the value of one option
	CustomFieldEnumMulti CustomFieldDataType = "enum_multi" // see CustomEnumMulti: the values of several options
	CustomFieldReference CustomFieldDataType = "reference"  // see CustomReference: another resource
)

var customFieldDataTypes = []CustomFieldDataType{
	CustomFieldShortText, CustomFieldNumber, CustomFieldDate, CustomFieldDateTime, CustomFieldBoolean, CustomFieldEnum,
	CustomFieldEnumMulti, CustomFieldReference,
}

// Known reports whether t is one of the constants of this version. Unknown values are kept unchanged.
func (t CustomFieldDataType) Known() bool { return isKnown(t, customFieldDataTypes) }

// CustomFieldValue is the value of a custom field: a text, an exact number, a day, a moment, yes or no, one option or
// several, a reference, or null. Make one with [CustomText] and its siblings; a value that the service would not take
// is refused by the call that would send it, with an [*ArgumentError].
//
// A value that was read keeps the JSON as the service sent it. The JSON does not tell a text from a date or an option:
// the field's definition does (its DataType). So ask for what the definition says; each accessor is false for null, for
// a value that was not sent, and for JSON that is nothing of the kind.
//
// The zero CustomFieldValue is no value at all, which is not the same as null.
type CustomFieldValue struct {
	made    CustomFieldDataType // what it was made as; "" if it was read
	json    string              // as sent, without white space; "" for no value
	problem string              // why it cannot be sent
}

// ResourceRef names a resource: what a custom field of the data type "reference" holds.
type ResourceRef struct {
	Type string `json:"type"` // wire type, such as "party"
	ID   string `json:"id"`
}

// customNumberDecimals and customNumberLimit are the decimal(18,6) that the service keeps numbers in: 12 digits before
// the point and 6 behind.
const (
	customNumberDecimals = 6
	customNumberLimit    = 1_000_000_000_000
)

// CustomText is a value of the data type short_text.
func CustomText(text string) CustomFieldValue {
	return makeCustom(CustomFieldShortText, text, textProblem(text))
}

// CustomNumber is a value of the data type number. It is sent digit by digit, never as a float. The service keeps 12
// digits before the decimal point and 6 behind it; a longer number is refused rather than rounded.
func CustomNumber(n decimal.Decimal) CustomFieldValue {
	if e := n.Exponent(); e < -decimals.MaxExponent || e > decimals.MaxExponent || n.Abs().GreaterThanOrEqual(decimal.New(customNumberLimit, 0)) ||
		!n.Truncate(customNumberDecimals).Equal(n) {
		return makeCustom(CustomFieldNumber, nil, "must have at most 12 digits before the decimal point and 6 behind it; round it first")
	}
	return makeCustom(CustomFieldNumber, json.Number(n.String()), "")
}

// CustomDate is a value of the data type date.
func CustomDate(day Date) CustomFieldValue {
	if _, err := time.Parse(time.DateOnly, day.String()); err != nil {
		return makeCustom(CustomFieldDate, nil, "must be a day of the calendar; use CustomNull to clear the field")
	}
	return makeCustom(CustomFieldDate, day.String(), "")
}

// CustomDateTime is a value of the data type datetime. It is sent in UTC; the service shows it without a zone.
func CustomDateTime(t time.Time) CustomFieldValue {
	if y := t.UTC().Year(); t.IsZero() || y < 1 || y > 9999 {
		return makeCustom(CustomFieldDateTime, nil, "must be a moment in the years 1 to 9999; use CustomNull to clear the field")
	}
	return makeCustom(CustomFieldDateTime, t.UTC().Format(time.RFC3339Nano), "")
}

// CustomBoolean is a value of the data type boolean.
func CustomBoolean(yes bool) CustomFieldValue { return makeCustom(CustomFieldBoolean, yes, "") }

// CustomEnum is a value of the data type enum: the Value of one of the field's options, not its Label.
func CustomEnum(option string) CustomFieldValue {
	problem := textProblem(option)
	if option == "" {
		problem = "must be the value of an option; use CustomNull to clear the field"
	}
	return makeCustom(CustomFieldEnum, option, problem)
}

// CustomEnumMulti is a value of the data type enum_multi: the Values of some of the field's options, not their Labels.
// The service keeps them joined by commas, so none may hold one.
func CustomEnumMulti(options ...string) CustomFieldValue {
	var problem string
	if len(options) == 0 {
		problem = "must be the value of one option or more; use CustomNull to clear the field"
	}
	for i, option := range options {
		switch {
		case option == "" || strings.Contains(option, ","):
			problem = "holds an empty option or one with a comma; give each on its own"
		case slices.Contains(options[:i], option):
			problem = "holds an option twice"
		case textProblem(option) != "":
			problem = textProblem(option)
		}
	}
	return makeCustom(CustomFieldEnumMulti, options, problem)
}

// CustomReference is a value of the data type reference.
func CustomReference(to ResourceRef) CustomFieldValue {
	var problem string
	if to.Type == "" || to.ID == "" {
		problem = "must have the type and the id of what it refers to"
	}
	return makeCustom(CustomFieldReference, to, problem)
}

// CustomNull is the value that clears a custom field of any data type.
func CustomNull() CustomFieldValue { return CustomFieldValue{json: "null"} }

// CustomJSON is a value of a data type that this version does not know, given as JSON.
func CustomJSON(raw json.RawMessage) CustomFieldValue {
	var v CustomFieldValue
	if v.UnmarshalJSON(raw) != nil {
		v.problem = "must be one JSON value"
	}
	return v
}

func makeCustom(as CustomFieldDataType, value any, problem string) CustomFieldValue {
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

// DataType returns the data type that the value was made as. It is "" for null, and for a value that was read: the
// definition of its field tells then.
func (v CustomFieldValue) DataType() CustomFieldDataType { return v.made }

// IsZero reports whether there is no value, not even null. It is what the omitzero JSON option asks.
func (v CustomFieldValue) IsZero() bool { return v.json == "" && v.problem == "" }

// IsNull reports whether the value is null.
func (v CustomFieldValue) IsNull() bool { return v.json == "null" }

// JSON returns the value as the service sent it, or as it will be sent; nil if there is none.
func (v CustomFieldValue) JSON() json.RawMessage {
	if v.json == "" {
		return nil
	}
	return json.RawMessage(v.json)
}

// Text returns a short_text; dates, moments and options are texts too.
func (v CustomFieldValue) Text() (string, bool) { return customAs[string](v, '"') }

// Number returns a number exactly. The service may send it as a number or as a text.
func (v CustomFieldValue) Number() (decimal.Decimal, bool) {
	digits, isText := v.Text()
	if !isText {
		digits = v.json
	}
	if len(digits) > customNumberLength {
		return decimal.Decimal{}, false
	}
	n, err := decimals.Parse(digits)
	return n, err == nil
}

// customNumberLength is far more than any decimal(18,6) takes to write.
const customNumberLength = 64

// Date returns a calendar day, of the year 1 or later.
func (v CustomFieldValue) Date() (Date, bool) {
	text, _ := v.Text()
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1 {
		return Date{}, false
	}
	return DateOf(day), true
}

// DateTime returns a moment. One that was sent without a zone is the clock of a place that the service does not name:
// its digits are known, its instant is not, and [Time.Instant] says so.
func (v CustomFieldValue) DateTime() (Time, bool) {
	text, ok := v.Text()
	if !ok || text == "" {
		return Time{}, false
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04"} { // fractions pass
		if t, err := time.Parse(layout, text); err == nil {
			return NewWallTime(t), true
		}
	}
	t, ok := parseTime([]byte(text))
	return t, ok && !t.DateOnly()
}

// Boolean returns yes or no.
func (v CustomFieldValue) Boolean() (yes, ok bool) {
	return v.json == "true", v.json == "true" || v.json == "false"
}

// Enum returns the Value of an option. Its Label is the field's DisplayValue.
func (v CustomFieldValue) Enum() (option string, ok bool) {
	option, ok = v.Text()
	return option, ok && option != ""
}

// EnumMulti returns the Values of options, in order, whether they came as an array or joined by commas.
func (v CustomFieldValue) EnumMulti() (options []string, ok bool) {
	if text, isText := v.Text(); isText && text != "" {
		for option := range strings.SplitSeq(text, ",") {
			options = append(options, strings.TrimSpace(option))
		}
		return options, true
	}
	return customAs[[]string](v, '[')
}

// Reference returns what the value refers to.
func (v CustomFieldValue) Reference() (ResourceRef, bool) {
	to, ok := customAs[ResourceRef](v, '{')
	return to, ok && to.Type != "" && to.ID != ""
}

// customAs decodes a value whose JSON begins with a certain character.
func customAs[T any](v CustomFieldValue, begin byte) (as T, ok bool) {
	var zero T
	if v.json == "" || v.json[0] != begin || json.Unmarshal([]byte(v.json), &as) != nil {
		return zero, false
	}
	return as, true
}

// String returns a text as it is, other values as JSON, null as "null" and no value as "".
func (v CustomFieldValue) String() string {
	if text, ok := v.Text(); ok {
		return text
	}
	return v.json
}

// MarshalJSON writes the value as it came or as it was made; no value is null unless the field has the omitzero option.
// A value that the service would not take is an error.
func (v CustomFieldValue) MarshalJSON() ([]byte, error) {
	switch {
	case v.problem != "":
		return nil, &ArgumentError{Op: "MarshalJSON", Field: "CustomFieldValue", Problem: v.problem}
	case v.json == "":
		return []byte("null"), nil
	}
	return []byte(v.json), nil
}

// UnmarshalJSON keeps any JSON value as it is.
func (v *CustomFieldValue) UnmarshalJSON(data []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return err
	}
	*v = CustomFieldValue{json: compact.String()}
	return nil
}

// check says why v cannot be sent as field, if so.
func (v CustomFieldValue) check(field string) error {
	switch {
	case v.problem != "":
		return &ArgumentError{Field: field, Problem: v.problem}
	case v.IsZero():
		return &ArgumentError{Field: field, Problem: "must be set; make it with CustomText and its siblings, or clear the field with CustomNull"}
	}
	return nil
}

// customValueField is the row of an attribute that holds a value of any data type.
func customValueField[T any](name string, at func(*T) *CustomFieldValue) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		if raw := d.Raw(); d.Err() == nil && at(v).UnmarshalJSON(raw) != nil {
			d.Warn("not JSON")
		}
	}}
}
