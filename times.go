package terminal49

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	_ "time/tzdata" // the zones of ports, legacy names such as US/Eastern too, on machines that have none installed
)

// Time is a moment as the service reports it, together with the IANA zone of the place it belongs to: the port of
// discharge for an arrival there, the inland destination for a rail arrival, and so on. The doc comment of each field
// says which.
//
// The zero Time means "not reported". Four kinds of reported times exist:
//
//   - with a zone: the instant is known, and [Time.Local] gives the clock at that place;
//   - plain UTC, for what the service itself did, such as creating a record;
//   - at a place whose zone the service does not know (it sent a null zone): the digits are that place's wall clock and
//     the true instant is not known. [Time.Instant] then says so, rather than taking them for UTC;
//   - at a place whose zone this response did not tell, such as a loading time on a container that came without its
//     shipment: the instant is known, the calendar day there is not.
//
// Some carriers report only a calendar day; see [Time.DateOnly].
type Time struct {
	seconds int64 // Unix seconds of the instant, or of the digits read as UTC
	nanos   int32
	kind    timeKind
	day     bool // only a calendar day was sent
	zone    string
}

type timeKind uint8

const (
	timeMissing  timeKind = iota
	timeUTC               // belongs to no place
	timeAtPlace           // belongs to the place whose zone is named
	timeFloating          // belongs to a place whose zone the service does not know: a wall clock
	timeUntold            // belongs to a place whose zone the response did not tell
)

// ErrNoZone is returned when a Time cannot be shown on a clock: it is not reported, is a calendar day without a time,
// or the zone of its place is not known.
var ErrNoZone = errors.New("terminal49: the time has no known zone")

// NewTime returns t as a time at a place in zone, an IANA name such as "America/Los_Angeles". With an empty zone the
// result is a plain UTC time.
func NewTime(t time.Time, zone string) Time {
	v := Time{seconds: t.Unix(), nanos: int32(t.Nanosecond()), kind: timeUTC, zone: zone}
	if zone != "" {
		v.kind = timeAtPlace
	}
	return v
}

// NewWallTime returns the clock reading of t as a time at an unknown place: the digits are known, the instant is not.
func NewWallTime(t time.Time) Time {
	_, offset := t.Zone()
	return Time{seconds: t.Unix() + int64(offset), nanos: int32(t.Nanosecond()), kind: timeFloating}
}

// IsZero reports whether no time was reported.
func (t Time) IsZero() bool { return t.kind == timeMissing }

// Zone returns the IANA name of the place's zone, or "" for a plain UTC time, an unknown place, or no time at all.
func (t Time) Zone() string { return t.zone }

// DateOnly reports whether the service sent a calendar day without a time of day.
func (t Time) DateOnly() bool { return t.day }

// Instant returns the moment in UTC. It is false when there is none to give: nothing was reported, only a calendar day
// was, or the place has no zone.
func (t Time) Instant() (time.Time, bool) {
	if t.kind == timeMissing || t.kind == timeFloating || t.day {
		return time.Time{}, false
	}
	return t.utc(), true
}

// Local returns the moment on the clock of its place; a plain UTC time stays in UTC. The error is [ErrNoZone] when the
// zone is unknown, or says that this machine does not know it. It never falls back to another zone.
func (t Time) Local() (time.Time, error) {
	instant, ok := t.Instant()
	switch {
	case !ok || t.kind == timeUntold:
		return time.Time{}, ErrNoZone
	case t.kind == timeUTC:
		return instant, nil
	}
	place, err := t.place()
	if err != nil {
		return time.Time{}, err
	}
	return instant.In(place), nil
}

// place returns the zone of the time's place.
func (t Time) place() (*time.Location, error) {
	if t.kind != timeAtPlace {
		return nil, ErrNoZone
	}
	if t.zone == "Local" { // would be this machine's zone
		return nil, fmt.Errorf("terminal49: zone %q names no place", t.zone)
	}
	place, err := time.LoadLocation(t.zone)
	if err != nil {
		return nil, fmt.Errorf("terminal49: zone %q of the place: %w", t.zone, err)
	}
	return place, nil
}

// Date returns the calendar day at the time's place. It is false when nothing was reported, the response did not tell
// the zone, or this machine does not know it. For a null zone it is the day of the wall clock that the source reported.
func (t Time) Date() (Date, bool) {
	switch {
	case t.kind == timeMissing:
		return Date{}, false
	case t.kind == timeFloating || t.day:
		return DateOf(t.utc()), true
	}
	local, err := t.Local()
	return DateOf(local), err == nil
}

// String returns the time as a person at the place would read it, such as "2026-03-02 08:00 PST". A calendar day has
// no clock; a time at an unknown place, or in a zone this machine does not know, says so. No time is "-".
func (t Time) String() string {
	switch {
	case t.kind == timeMissing:
		return "-"
	case t.day:
		return t.utc().Format(time.DateOnly)
	case t.kind == timeFloating:
		return t.utc().Format("2006-01-02 15:04") + " (zone unknown)"
	case t.kind == timeUntold:
		return t.utc().Format("2006-01-02 15:04 MST") + " (place not told)"
	}
	local, err := t.Local()
	if err != nil {
		return t.utc().Format("2006-01-02 15:04 MST") + " (zone " + strconv.Quote(t.zone) + " not known here)"
	}
	return local.Format("2006-01-02 15:04 MST")
}

// MarshalJSON writes the form the service uses: RFC 3339 in UTC, a calendar day, or null. The zone is not part of it.
func (t Time) MarshalJSON() ([]byte, error) {
	switch {
	case t.kind == timeMissing:
		return []byte("null"), nil
	case t.day:
		return json.Marshal(t.utc().Format(time.DateOnly))
	default:
		return json.Marshal(t.utc().Format(time.RFC3339Nano))
	}
}

// UnmarshalJSON reads what MarshalJSON writes and every form the service sends. The result is a plain UTC time.
func (t *Time) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	v, ok := parseTime([]byte(s))
	if !ok {
		return fmt.Errorf("terminal49: %q is not a time", s)
	}
	*t = v
	return nil
}

func (t Time) utc() time.Time { return time.Unix(t.seconds, int64(t.nanos)).UTC() }

// untold marks times that belong to a place of which the response did not say the zone.
func untold(times ...*Time) {
	for _, t := range times {
		if t.kind != timeMissing {
			t.kind, t.zone = timeUntold, ""
		}
	}
}

// pairZone gives each of times the zone of its place. An empty zone makes it floating: the service labels the place's
// wall clock as UTC when it does not know the place.
func pairZone(zone string, times ...*Time) {
	for _, t := range times {
		switch {
		case t.kind == timeMissing:
		case zone == "":
			t.kind, t.zone = timeFloating, ""
		default:
			t.kind, t.zone = timeAtPlace, zone
		}
	}
}

// timeLayouts are the forms accepted beside "2026-03-02T16:00:00Z": RFC 3339 with an offset or a fraction, which the
// service sends, and near misses of it. UTC and GMT stand for themselves: other abbreviations name several zones each,
// so they make no time. The last two have no offset; their digits are read as UTC, which is how the service labels its
// times, places of unknown zone included.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05 GMT", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
}

// parseTime reads a time as sent. Empty means "not reported". It is false for anything else it cannot read.
func parseTime(b []byte) (Time, bool) {
	if len(b) == 0 {
		return Time{}, true
	}
	if len(b) == len("2006-01-02T15:04:05Z") && b[10] == 'T' && b[19] == 'Z' { // nearly all
		if seconds, ok := parseUTC(b); ok {
			return Time{seconds: seconds, kind: timeUTC}, true
		}
	}
	if d, err := time.Parse(time.DateOnly, string(b)); err == nil {
		return Time{seconds: d.Unix(), kind: timeUTC, day: true}, true
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, string(b)); err == nil {
			return NewTime(t, ""), true
		}
	}
	return Time{}, false
}

// parseUTC reads the digits of "2006-01-02T15:04:05Z" several times faster than time.Parse does.
func parseUTC(b []byte) (int64, bool) {
	if b[4] != '-' || b[7] != '-' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	year, month, day := digits(b[0:4]), digits(b[5:7]), digits(b[8:10])
	hour, minute, second := digits(b[11:13]), digits(b[14:16]), digits(b[17:19])
	if year < 1 || month < 1 || month > 12 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	return t.Unix(), t.Day() == day // February 30 would have moved
}

// digits returns the number that b spells, or -1.
func digits(b []byte) int {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// Date is a calendar day with no time of day and no zone, such as a last free day. The zero Date is no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the calendar day that t's own zone is in.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// IsZero reports whether d is no day.
func (d Date) IsZero() bool { return d == Date{} }

// Sub returns the number of calendar days from other to d: negative when d is earlier. Daylight saving does not count.
func (d Date) Sub(other Date) int {
	const day = 24 * 60 * 60 // seconds; a time.Duration would end after 292 years
	return int((d.midnight().Unix() - other.midnight().Unix()) / day)
}

// Compare returns -1 if d is before other, 0 if they are the same day, and 1 if d is after. No day is before every day.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// String returns the day as 2006-01-02, or "-" for no day.
func (d Date) String() string {
	if d.IsZero() {
		return "-"
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// midnight is in UTC, where every day has 24 hours.
func (d Date) midnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }
