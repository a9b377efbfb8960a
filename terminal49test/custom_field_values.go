package terminal49test

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
	"github.com/shopspring/decimal"
)

// parseValue checks a value against the definition's data type and returns it in the form in which
// it is sent. wrong is the reason for a refusal.
func (d *CustomFieldDefinition) parseValue(raw json.RawMessage) (value any, wrong string) {
	var sent any
	if err := wire.DecodeExact(raw, &sent); err != nil {
		return nil, "is missing"
	}
	if sent == nil {
		if required, _ := d.Validation["required"].(bool); required {
			return nil, "can't be blank"
		}
		return nil, ""
	}
	text, isText := sent.(string)
	switch d.DataType {
	case "number":
		return parseNumber(sent)
	case "boolean":
		yes, ok := sent.(bool)
		return yes, problemUnless(ok, "must be true or false")
	case "date":
		t, ok := parseTime(text, d.DefaultFormat)
		return t.Format(time.DateOnly), problemUnless(ok, "is not a date")
	case "datetime":
		t, ok := parseTime(text, d.DefaultFormat)
		return t.UTC().Format(time.RFC3339), problemUnless(ok, "is not a date and time")
	case "enum":
		return text, problemUnless(isText && d.option(text) != nil, "is not an option of this field")
	case "enum_multi":
		return d.parseOptions(sent)
	case "reference":
		return d.parseReference(sent)
	default:
		return text, cmp.Or(problemUnless(isText, "must be a string"), d.textProblem(text))
	}
}

func problemUnless(ok bool, wrong string) string {
	if ok {
		return ""
	}
	return wrong
}

// parseNumber keeps the digits as sent, within decimal(18,6).
func parseNumber(sent any) (any, string) {
	digits, isText := sent.(string)
	if n, isNumber := sent.(json.Number); isNumber {
		digits, isText = n.String(), true
	}
	const wrong = "is not a number of at most 12 digits and 6 decimals"
	if !isText || len(digits) > 64 {
		return nil, wrong
	}
	n, err := decimal.NewFromString(digits)
	if err != nil || n.Exponent() > 12 || n.Exponent() < -30 || !n.Truncate(6).Equal(n) || n.Abs().GreaterThanOrEqual(decimal.New(1, 12)) {
		return nil, wrong
	}
	return json.Number(n.String()), ""
}

func (d *CustomFieldDefinition) parseOptions(sent any) (any, string) {
	list, _ := sent.([]any)
	options := []string{}
	for _, item := range list {
		text, isText := item.(string)
		if !isText || d.option(text) == nil {
			return nil, "holds something that is not an option of this field"
		}
		options = append(options, text)
	}
	return options, problemUnless(len(options) > 0, "must be a list of options")
}

func (d *CustomFieldDefinition) parseReference(sent any) (any, string) {
	to, _ := sent.(map[string]any)
	kind, _ := to["type"].(string)
	id, _ := to["id"].(string)
	if kind == "" || id == "" || !strings.EqualFold(kind, d.ReferenceType) {
		return nil, "must be a reference to a " + cmp.Or(d.ReferenceType, "resource")
	}
	return wire.Object{{"type", kind}, {"id", id}}, ""
}

// textProblem checks a text against the validation keys that the simulator supports.
func (d *CustomFieldDefinition) textProblem(text string) string {
	if limit, ok := wholeNumber(d.Validation["max_length"]); ok && utf8.RuneCountInString(text) > limit {
		return "is too long"
	}
	if required, _ := d.Validation["required"].(bool); required && text == "" {
		return "can't be blank"
	}
	if pattern, ok := d.Validation["pattern"].(string); ok {
		if matches, err := regexp.MatchString(pattern, text); err == nil && !matches {
			return "does not match the pattern"
		}
	}
	return ""
}

// wholeNumber reads a number from a test's map or from a request.
func wholeNumber(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case float64:
		return int(min(v, math.MaxInt32)), true
	case json.Number:
		n, err := strconv.Atoi(v.String())
		return n, err == nil
	}
	return 0, false
}

// parseTime tries the definition's format, then common ones. A text without a zone is read as UTC.
func parseTime(text, format string) (time.Time, bool) {
	for _, layout := range []string{
		layoutOf(format), time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04",
		"01/02/2006", "2 Jan 2006", "Jan 2, 2006", "January 2, 2006",
	} {
		if t, err := time.Parse(layout, text); err == nil && layout != "" {
			return t, true
		}
	}
	return time.Time{}, false
}

// layoutOf translates strftime letters to a layout of package time.
func layoutOf(format string) string {
	return strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "01", "%d", "02", "%H", "15", "%M", "04", "%S", "05",
		"%b", "Jan", "%B", "January").Replace(format)
}

// displayValue returns the human-readable form of a value; nil for null.
func (w *world) displayValue(d *CustomFieldDefinition, value any) any {
	switch v := value.(type) {
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case json.Number:
		return v.String()
	case []string:
		labels := make([]string, len(v))
		for i, option := range v {
			labels[i] = d.optionLabel(option)
		}
		return strings.Join(labels, ", ")
	case wire.Object:
		return w.displayReference(v)
	case string:
		switch d.DataType {
		case "enum":
			return d.optionLabel(v)
		case "datetime":
			t, _ := time.Parse(time.RFC3339, v) // written by parseValue
			return t.Format(time.DateTime)
		}
		return v
	}
	return nil
}

func (w *world) displayReference(to wire.Object) string {
	kind, _ := to[0].Value.(string)
	id, _ := to[1].Value.(string)
	switch strings.ToLower(kind) {
	case "party":
		return cmp.Or(w.parties.Get(id), &Party{CompanyName: id}).CompanyName
	case "shipment":
		return cmp.Or(w.shipments.Get(id), &Shipment{BillOfLadingNumber: id}).BillOfLadingNumber
	case "container":
		return cmp.Or(w.containers.Get(id), &Container{Number: id}).Number
	}
	return id
}
