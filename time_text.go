package terminal49

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// This file holds the forms in which a Time and a Date are sent and stored: text, JSON and SQL.

// Labels of zones that are not the name of one zone. A time that is not at a place has none.
const (
	labelUnknown    = "unknown"
	labelUnreported = "unreported"
	labelEither     = " or "
)

// zoneLabel returns the zone of t as its stored forms have it.
func (t Time) zoneLabel() string {
	switch t.kind {
	case timeFloating:
		return labelUnknown
	case timeZoneUnreported:
		return labelUnreported
	default:
		return strings.Replace(t.zone, " ", labelEither, 1)
	}
}

// setZoneLabel sets the zone of t from its label.
func (t *Time) setZoneLabel(label string) {
	zone, other, either := strings.Cut(label, labelEither)
	switch {
	case t.kind == timeMissing:
	case label == "":
		t.kind, t.zone = timeUTC, ""
	case label == labelUnknown:
		pairZone("", t)
	case label == labelUnreported:
		markZoneUnreported(t)
	case either:
		t.pairEither(zone, other)
	default:
		pairZone(label, t)
	}
}

// wireText returns the time in the service's form, without its zone, or nil for the zero Time.
func (t Time) wireText() *string {
	var text string
	switch {
	case t.kind == timeMissing:
		return nil
	case t.day:
		text = t.utc().Format(time.DateOnly)
	default:
		text = t.asSent().Format(time.RFC3339Nano)
	}
	return &text
}

// timeLayout returns the only layout that b can have, because trying each would make a response of
// broken times expensive. The layouts are RFC 3339 with an offset or a fraction, which the service
// sends, and similar forms. Package time also reads an hour of one digit, a comma before the
// fraction and an offset of 24 hours, which RFC 3339 does not have. Abbreviations other than UTC
// and GMT are ambiguous, so they are not accepted. A form without an offset is read as UTC, which
// is how the service labels all times, even wall clocks.
func timeLayout(b []byte) string {
	n := len(b)
	isOffset := func(from int) bool { return b[from] == '+' || b[from] == '-' }
	switch {
	case n == len(time.DateOnly):
		return time.DateOnly
	case n < len("2006-01-02T15:04:05") || b[10] != 'T' && b[10] != ' ' || b[13] != ':':
		return ""
	case bytes.IndexByte(b, ',') >= 0 || !hasOffsetInRange(b):
		return ""
	case b[10] == 'T' && (b[n-1] == 'Z' || b[n-3] == ':' && isOffset(n-6)):
		return time.RFC3339Nano
	case b[10] == 'T' && isOffset(n-5):
		return "2006-01-02T15:04:05.999999999Z0700"
	case b[10] == 'T':
		return "2006-01-02T15:04:05"
	case b[n-1] == 'Z' || isOffset(n-5):
		return "2006-01-02 15:04:05 Z0700"
	case b[n-1] == 'C':
		return "2006-01-02 15:04:05 UTC"
	case b[n-1] == 'T':
		return "2006-01-02 15:04:05 GMT"
	}
	return "2006-01-02 15:04:05"
}

// hasOffsetInRange reports whether the offset of b, if it has one, is at most 23:59 (RFC 3339,
// section 5.6).
func hasOffsetInRange(b []byte) bool {
	n, sign := len(b), bytes.LastIndexAny(b, "+-")
	if sign < len(time.DateOnly) {
		return true
	}
	return n-sign >= len("-0800") && isBelow(parsePair(b[sign+1], b[sign+2]), 24) && isBelow(parsePair(b[n-2], b[n-1]), 60)
}

// fullForm returns b with the T and Z of RFC 3339 in capitals and with seconds. A leap second, of
// which RFC 3339 has the form 23:59:60, is read as the second before it, because package time has
// none and the second after it may be on another day.
func fullForm(b []byte) (full []byte, leap bool) {
	if len(b) < len("2006-01-02T15:04Z") || b[10] != 'T' && b[10] != 't' {
		return b, false
	}
	full = bytes.Clone(b)
	full[10] = 'T'
	if last := &full[len(full)-1]; *last == 'z' {
		*last = 'Z'
	}
	if c := full[16]; c == 'Z' || c == '+' || c == '-' {
		full = slices.Insert(full, 16, ':', '0', '0')
	}
	if leap = bytes.HasPrefix(full[16:], []byte(":60")); leap {
		copy(full[16:], ":59")
	}
	return full, leap
}

// endsMonth reports whether t is in the last second of a month in UTC, the only one that a leap
// second follows (RFC 3339, section 5.7).
func endsMonth(t time.Time) bool {
	next := t.UTC().Add(time.Second)
	return next.Day() == 1 && next.Hour() == 0 && next.Minute() == 0
}

// maxTime limits the characters of a time.
const maxTime = 64

// parseTime parses a time as sent. An empty one was not reported. It returns false if b is not a
// time.
func parseTime(b []byte) (Time, bool) {
	if len(b) == 0 {
		return Time{}, true
	}
	if len(b) > maxTime {
		return Time{}, false
	}
	if len(b) == len("2006-01-02T15:04:05Z") && b[10] == 'T' && b[19] == 'Z' { // nearly all times
		if seconds, ok := parseUTC(b); ok {
			return Time{seconds: seconds, kind: timeUTC}, true
		}
	}
	full, leap := fullForm(b)
	layout := timeLayout(full)
	if layout == "" {
		return Time{}, false
	}
	t, err := time.Parse(layout, string(full))
	if err != nil || leap && !endsMonth(t) {
		return Time{}, false
	}
	_, offset := t.Zone()
	return Time{
		seconds: t.Unix(), nanos: int32(t.Nanosecond()), offset: int16(offset / 60), kind: timeUTC, day: layout == time.DateOnly,
	}, true
}

// parseUTC parses a time in the form "2006-01-02T15:04:05Z", many times faster than time.Parse.
func parseUTC(b []byte) (seconds int64, ok bool) {
	if b[4] != '-' || b[7] != '-' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	b = b[:len("2006-01-02T15:04:05Z")]
	year, month, day := parsePair(b[0], b[1])*100+parsePair(b[2], b[3]), parsePair(b[5], b[6]), parsePair(b[8], b[9])
	hour, minute, second := parsePair(b[11], b[12]), parsePair(b[14], b[15]), parsePair(b[17], b[18])
	if year < 1 || !isBelow(month-1, 12) || day < 1 || day > 28 && day > daysIn(year, month) ||
		!isBelow(hour, 24) || !isBelow(minute, 60) || !isBelow(second, 60) {
		return 0, false
	}
	return int64(daysBefore(year, month)+day-1)*secondsPerDay + int64(hour*3600+minute*60+second), true
}

// isBelow reports whether n is at least zero and below a limit.
func isBelow(n, limit int) bool { return uint(n) < uint(limit) }

// daysIn returns the number of days of a month.
func daysIn(year, month int) int { return daysBefore(year, month+1) - daysBefore(year, month) }

// daysBefore returns the number of days from 1970 to the first of a month; 13 is the next January.
// A year is counted from March, so that its last day is the leap day.
//
//go:noinline
func daysBefore(year, month int) int {
	year, month = year+(month+9)/12-1, (month+9)%12
	return year*365 + year/4 - year/100 + year/400 + (month*153+2)/5 - 719468
}

// parsePair returns the number of two digits. For other characters it is negative, even if 9999 is
// added.
func parsePair(a, b byte) int {
	if a, b = a-'0', b-'0'; a > 9 || b > 9 {
		return -10_000
	}
	return int(a)*10 + int(b)
}

// MarshalText returns the time with its zone in a form like that of RFC 9557, such as
// "2026-03-02T16:00:00Z[America/Los_Angeles]" or, for a calendar day,
// "2026-03-02[America/Los_Angeles]". If the service does not know the zone, the label is [unknown]
// and the digits are the wall clock. If the response did not include the zone, the label is
// [unreported]. If it is one of two zones, the label is "[A or B]". A time that is not at a place
// has no label, and the zero Time is "".
func (t Time) MarshalText() ([]byte, error) {
	text := t.wireText()
	if text == nil {
		return nil, nil
	}
	if label := t.zoneLabel(); label != "" {
		return []byte(*text + "[" + label + "]"), nil
	}
	return []byte(*text), nil
}

// UnmarshalText parses what MarshalText returns and every form that the service sends. A time
// without a label is not at a place.
func (t *Time) UnmarshalText(data []byte) error {
	text, label, labeled := strings.Cut(string(data), "[")
	label, closed := strings.CutSuffix(label, "]")
	v, ok := parseTime([]byte(text))
	if !ok || labeled && (!closed || text == "" || label == "" || strings.ContainsAny(label, "[]")) {
		return fmt.Errorf("terminal49: %.60q is not a time", data)
	}
	v.setZoneLabel(label)
	*t = v
	return nil
}

// MarshalJSON returns the text of [Time.MarshalText], or null for the zero Time. The JSON of a
// resource has its times in the service's form instead.
func (t Time) MarshalJSON() ([]byte, error) {
	text, err := t.MarshalText()
	if text == nil {
		return []byte("null"), err
	}
	return json.Marshal(string(text))
}

// UnmarshalJSON parses what [Time.UnmarshalText] parses. Null is the zero Time.
func (t *Time) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	return t.UnmarshalText([]byte(s))
}

// Value returns the text of [Time.MarshalText] for a column of type text, or nil for the zero Time.
// For a column that holds instants, use the result of [Time.Instant]. It implements
// [driver.Valuer].
func (t Time) Value() (driver.Value, error) {
	text, err := t.MarshalText()
	if text == nil {
		return nil, err
	}
	return string(text), err
}

// Scan reads what Value returned. NULL is the zero Time. The instant of a timestamp column becomes
// a time whose zone was not reported. It implements sql.Scanner.
func (t *Time) Scan(src any) error {
	if instant, ok := src.(time.Time); ok {
		*t = NewTime(instant, "")
		markZoneUnreported(t)
		return nil
	}
	text, err := scannedText(src, "Time")
	if err != nil {
		return err
	}
	return t.UnmarshalText([]byte(text))
}

// scannedText returns the text of a column, "" for NULL.
func scannedText(src any, name string) (string, error) {
	switch src := src.(type) {
	case nil:
		return "", nil
	case string:
		return src, nil
	case []byte:
		return string(src), nil
	default:
		return "", fmt.Errorf("terminal49: cannot scan a %T into a %s", src, name)
	}
}

// ParseDate parses a day in the form "2006-01-02".
func ParseDate(s string) (Date, error) {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("terminal49: %.40q is not a day in the form 2006-01-02", s)
	}
	return DateOf(d), nil
}

// MarshalText returns the day in the form "2006-01-02", or "" for the zero Date.
func (d Date) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// UnmarshalText parses what [ParseDate] parses. Empty text is the zero Date.
func (d *Date) UnmarshalText(data []byte) (err error) {
	if len(data) == 0 {
		*d = Date{}
		return nil
	}
	*d, err = ParseDate(string(data))
	return err
}

// MarshalJSON returns the day as a string in the form "2006-01-02", or null for the zero Date.
func (d Date) MarshalJSON() ([]byte, error) {
	if d.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(d.String())
}

// UnmarshalJSON parses a string in the form "2006-01-02". Null is the zero Date.
func (d *Date) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	return d.UnmarshalText([]byte(s))
}

// Value returns the day in the form "2006-01-02", for a column of type date or text, or nil for the
// zero Date. It implements [driver.Valuer].
func (d Date) Value() (driver.Value, error) {
	if d.IsZero() {
		return nil, nil
	}
	return d.String(), nil
}

// Scan reads a day from a date or text column, and from a time.Time the day in its location. NULL
// is the zero Date. It implements sql.Scanner.
func (d *Date) Scan(src any) error {
	if day, ok := src.(time.Time); ok {
		*d = DateOf(day)
		return nil
	}
	text, err := scannedText(src, "Date")
	if err != nil {
		return err
	}
	return d.UnmarshalText([]byte(text))
}

// storedTime is the JSON form of a Time without loss, whatever its zone is called.
type storedTime struct {
	Unix   int64  `json:"unix"` // of the instant, or of the digits read as UTC if the instant is unknown
	Nanos  int32  `json:"nanos,omitempty"`
	Offset int16  `json:"offset,omitempty"` // in minutes, as sent
	Kind   string `json:"kind"`             // one of timeKinds
	Day    bool   `json:"day,omitempty"`
	Zone   string `json:"zone,omitempty"`
}

// timeKinds are the stored names of the values of timeKind.
var timeKinds = [...]string{
	timeMissing: "", timeUTC: "utc", timeAtPlace: "place", timeAtEither: "either", timeFloating: "wall_clock",
	timeZoneUnreported: "zone_unreported",
}

func (t Time) stored() storedTime {
	if t.IsZero() {
		return storedTime{}
	}
	return storedTime{t.seconds, t.nanos, t.offset, timeKinds[t.kind], t.day, t.zone}
}

func (s storedTime) time() Time {
	kind := slices.Index(timeKinds[:], s.Kind)
	if kind <= int(timeMissing) {
		return Time{}
	}
	return Time{s.Unix, s.Nanos, s.Offset, timeKind(kind), s.Day, s.Zone}
}
