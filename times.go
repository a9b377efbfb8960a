package terminal49

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/zones"
)

// Time is a time that the service reports, with the IANA zone of the place it belongs to. The
// comment of each field states the zone. The zero Time means that no time was reported. Some times
// are only a calendar day; see [Time.DateOnly].
//
// If the service does not know the zone (it is null), the digits are the wall clock of the place.
// The instant is then unknown, unless the time was sent with an offset other than zero. If the
// response did not include the zone, as for the loading time of a container without its shipment,
// the instant is known but the calendar day at the place is not.
type Time struct {
	seconds int64 // Unix seconds of the instant, or of the digits read as UTC if the instant is unknown
	nanos   int32
	offset  int16 // minutes east of UTC, as sent; the wall clock if the zone is unknown
	kind    timeKind
	day     bool   // only a calendar day was sent
	zone    string // an IANA name; two, separated by a space, for timeAtEither
}

type timeKind uint8

// The values of timeKind.
const (
	timeMissing        timeKind = iota
	timeUTC                     // not at a place
	timeAtPlace                 // at a place with a known zone
	timeAtEither                // at one of two places whose zones are known
	timeFloating                // at a place whose zone the service does not know: a wall clock
	timeZoneUnreported          // at a place whose zone the response did not include
)

// ErrNoZone is returned by [Time.Local] if the time was not reported, is a calendar day without a
// time of day, or has no known zone and was sent without an offset.
var ErrNoZone = errors.New("terminal49: the time has no known zone")

// NewTime returns t as a time at a place in zone, an IANA name such as "America/Los_Angeles". If
// zone is "", the result is in UTC and not at a place.
func NewTime(t time.Time, zone string) Time {
	v := Time{seconds: t.Unix(), nanos: int32(t.Nanosecond()), kind: timeUTC, zone: zone}
	if zone != "" {
		v.kind = timeAtPlace
	}
	return v
}

// NewWallTime returns the wall clock reading of t as a time at a place whose zone is unknown. Its
// instant is unknown too.
func NewWallTime(t time.Time) Time {
	_, offset := t.Zone()
	return Time{seconds: t.Unix() + int64(offset), nanos: int32(t.Nanosecond()), kind: timeFloating}
}

// IsZero reports whether no time was reported.
func (t Time) IsZero() bool { return t.kind == timeMissing }

// Zone returns the IANA name of the zone, or "" if the time was not reported, has no known zone or
// is not at a place.
func (t Time) Zone() string {
	if t.kind == timeAtEither {
		return ""
	}
	return t.zone
}

// DateOnly reports whether the service sent a calendar day without a time of day.
func (t Time) DateOnly() bool { return t.day }

// Instant returns the time in UTC. It returns false if the time was not reported, is only a
// calendar day, or is a wall clock time without a known zone or offset.
func (t Time) Instant() (time.Time, bool) {
	if t.kind == timeMissing || t.kind == timeFloating && t.offset == 0 || t.day {
		return time.Time{}, false
	}
	return t.utc(), true
}

// Local returns the time in the zone of its place, or in UTC if it is not at a place. If the zone
// is unknown but the time was sent with an offset, the result has that offset. It never uses
// another zone: it returns [ErrNoZone] if the zone is unknown and another error if the zone cannot
// be loaded.
func (t Time) Local() (time.Time, error) {
	instant, ok := t.Instant()
	switch {
	case !ok || t.kind == timeZoneUnreported || t.kind == timeAtEither:
		return time.Time{}, ErrNoZone
	case t.kind == timeUTC:
		return instant, nil
	case t.kind == timeFloating:
		return t.asSent(), nil
	}
	place, _, err := t.places()
	if err != nil {
		return time.Time{}, err
	}
	return instant.In(place), nil
}

// places returns the location of the time's zone, twice, or those of the two that it may be in.
func (t Time) places() (one, other *time.Location, err error) {
	first, second := t.zone, t.zone
	switch t.kind {
	case timeAtPlace:
	case timeAtEither:
		if a, b, both := strings.Cut(t.zone, " "); both {
			first, second = a, b
		}
	default:
		return nil, nil, ErrNoZone
	}
	if one, err = loadZone(first); err == nil && first == second {
		return one, one, nil
	}
	if err == nil {
		other, err = loadZone(second)
	}
	return one, other, err
}

func loadZone(name string) (*time.Location, error) {
	if name == "Local" { // LoadLocation would return this machine's zone
		return nil, fmt.Errorf("terminal49: zone %q is not the zone of a place", name)
	}
	place, err := zones.Load(name)
	if err != nil {
		return nil, fmt.Errorf("terminal49: zone %q of the place: %w", name, err)
	}
	return place, nil
}

// Date returns the calendar day at the time's place. If the service does not know the zone, it is
// the day of the place's wall clock. It returns false if the time was not reported, or if its zone
// was not reported or cannot be loaded. A last free day that may be in either of two zones has a
// day if it is the same in both.
func (t Time) Date() (Date, bool) {
	if t.kind == timeFloating || t.day {
		return DateOf(t.asSent()), t.kind != timeMissing
	}
	if t.kind == timeUTC {
		return DateOf(t.utc()), true
	}
	place, other, err := t.places()
	if err != nil {
		return Date{}, false
	}
	return DateOf(t.utc().In(place)), place == other || dayNumber(t.seconds, place) == dayNumber(t.seconds, other)
}

// Compare orders times for sorting: it returns -1 if t sorts before other, 1 if after, and
// otherwise 0. The zero Time is first. The instants decide. A calendar day counts as midnight UTC
// or, if its zone is known to be west of UTC, as its beginning there. A wall clock without a known
// zone counts as UTC. If [Time.Before] returns true, Compare returns -1.
func (t Time) Compare(other Time) int {
	if t.IsZero() || other.IsZero() {
		return cmp.Compare(t.kind, other.kind)
	}
	return t.probable().Compare(other.probable())
}

// probable returns an instant that t can mean.
func (t Time) probable() time.Time {
	at := t.utc()
	if first, last := t.span(); at.Before(first) || at.After(last) {
		return first
	}
	return at
}

// Before reports whether t is certainly before other. It returns false if either was not reported,
// or if the order depends on an unknown zone or on the time of day of a calendar day.
func (t Time) Before(other Time) bool {
	_, latest := t.span()
	earliest, _ := other.span()
	return !t.IsZero() && !other.IsZero() && latest.Before(earliest)
}

// Sub returns the duration from other to t, negative if t is earlier. It returns false if the
// instant of either is unknown; see [Time.Instant].
func (t Time) Sub(other Time) (time.Duration, bool) {
	a, okA := t.Instant()
	b, okB := other.Instant()
	return a.Sub(b), okA && okB
}

// span returns the first and the last instant that t can mean. A place without a known zone can be
// anywhere on earth, from 12 hours behind UTC to 14 hours ahead.
func (t Time) span() (first, last time.Time) {
	first = t.utc()
	if last = first; t.day {
		last = first.AddDate(0, 0, 1).Add(-1)
	}
	if instant, ok := t.Instant(); ok {
		return instant, instant
	}
	if t.kind == timeUTC {
		return first, last
	}
	if place, _, err := t.places(); err == nil && t.kind == timeAtPlace {
		return inPlace(first, place), inPlace(last, place)
	}
	return first.Add(-14 * time.Hour), last.Add(12 * time.Hour)
}

// inPlace returns the instant at which the clocks of a place show what wall shows.
func inPlace(wall time.Time, place *time.Location) time.Time {
	y, m, d := wall.Date()
	return time.Date(y, m, d, wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), place)
}

// Format returns the time at its place in a layout of [time.Time.Format], or "" for the zero Time.
// It returns String if the layout asks for what is unknown: the local time if the zone was not
// reported or cannot be loaded, the zone of a wall clock, the time of day of a calendar day.
func (t Time) Format(layout string) string {
	local, err := t.Local()
	switch {
	case t.IsZero():
		return ""
	case err == nil:
		return local.Format(layout)
	case !t.day && t.kind != timeFloating:
		return t.String()
	}
	unknown := inPlace(t.utc(), time.FixedZone("?", 3661)) // differs from UTC wherever the zone is shown
	if t.day {
		unknown = unknown.Add(11*time.Hour + 11*time.Minute + 11*time.Second + 1)
	}
	if text := t.utc().Format(layout); text == unknown.Format(layout) {
		return text
	}
	return t.String()
}

// String returns the local time at the place with its offset from UTC, such as "2026-03-02 08:00
// -08:00", or with "UTC" if it is not at a place. A calendar day is "2026-03-02", the zero Time
// "-". If the zone is unknown, was not reported or cannot be loaded, it appends a remark, such as
// "(zone unknown)".
func (t Time) String() string {
	switch {
	case t.kind == timeMissing:
		return "-"
	case t.day:
		return t.utc().Format(time.DateOnly)
	case t.kind == timeFloating && t.offset != 0:
		return t.asSent().Format(layoutAtPlace) + " (zone unknown)"
	case t.kind == timeFloating:
		return t.utc().Format("2006-01-02 15:04") + " (zone unknown)"
	case t.kind == timeAtEither:
		return t.utc().Format(layoutUTC) + " (zone " + printable(strings.Replace(t.zone, " ", " or ", 1)) + ")"
	case t.kind == timeZoneUnreported:
		return t.utc().Format(layoutUTC) + " (zone not reported)"
	}
	local, err := t.Local()
	switch {
	case err != nil:
		return t.utc().Format(layoutUTC) + " (zone " + strconv.Quote(t.zone) + " not known here)"
	case t.kind == timeUTC:
		return local.Format(layoutUTC)
	}
	return local.Format(layoutAtPlace)
}

// The layouts of String. A place has an offset, because the letters of a zone are not one zone: CST
// is Shanghai's and Houston's, IST that of India, Ireland and Israel. UTC has one meaning.
const (
	layoutAtPlace = "2006-01-02 15:04 -07:00"
	layoutUTC     = "2006-01-02 15:04 UTC"
)

func (t Time) utc() time.Time { return time.Unix(t.seconds, int64(t.nanos)).UTC() }

// asSent returns the time with the offset that it was sent with.
func (t Time) asSent() time.Time {
	if t.offset == 0 {
		return t.utc()
	}
	return t.utc().In(time.FixedZone("", int(t.offset)*60))
}

// startsDay reports whether t is the first instant of a calendar day in zone.
func (t Time) startsDay(zone string) bool {
	if zone == "" || t.day || t.kind == timeMissing || t.nanos != 0 {
		return false
	}
	place, err := loadZone(zone)
	// Not a comparison with 00:00, which some days lack because the clocks go forward.
	return err == nil && dayNumber(t.seconds, place) != dayNumber(t.seconds-1, place)
}

// dayNumber returns the number of days from 1970 to a Unix time, by the calendar of a place.
func dayNumber(seconds int64, place *time.Location) int64 {
	_, offset := time.Unix(seconds, 0).In(place).Zone()
	return (seconds + int64(offset) + 1<<40*secondsPerDay) / secondsPerDay // positive, so that it rounds down
}

const secondsPerDay = 24 * 60 * 60

// markZoneUnreported marks times as being at a place whose zone the response did not include.
func markZoneUnreported(times ...*Time) {
	for _, t := range times {
		if t.kind != timeMissing {
			t.kind, t.zone = timeZoneUnreported, ""
		}
	}
}

// pairZone sets the zone of times. An empty zone makes them floating: if the service does not know
// the place, it sends the place's wall clock time labelled as UTC or, in older data, with an
// offset.
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

// pairEither marks t as being at one of two places.
func (t *Time) pairEither(zone, other string) {
	if t.kind != timeMissing {
		t.kind, t.zone = timeAtEither, zone+" "+other
	}
}

// Date is a calendar day without a time of day or zone, such as a last free day. The zero Date
// means that there is no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the calendar day of t in t's location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// IsZero reports whether d is the zero Date.
func (d Date) IsZero() bool { return d == Date{} }

// Sub returns the number of calendar days from other to d, negative if d is earlier. Daylight
// saving time has no effect.
func (d Date) Sub(other Date) int {
	const day = 24 * 60 * 60 // in seconds, because a time.Duration overflows after 292 years
	return int((d.midnight().Unix() - other.midnight().Unix()) / day)
}

// Compare returns -1 if d is before other, 0 if they are the same day and 1 if d is after other.
// The zero Date is before every day.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// Before reports whether d is before other. The zero Date is before every day.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// Format returns the day in a layout of [time.Time.Format], or "" for the zero Date. The time of
// day is midnight in UTC.
func (d Date) Format(layout string) string {
	if d.IsZero() {
		return ""
	}
	return d.midnight().Format(layout)
}

// String returns the day in the form "2006-01-02", or "-" for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return "-"
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// exists reports whether the calendar has the day, which 30 February is not.
func (d Date) exists() bool { return d.Year >= 1 && d.Year <= 9999 && DateOf(d.midnight()) == d }

// midnight returns the start of the day in UTC, where every day has 24 hours.
func (d Date) midnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

func (d Date) addDays(n int) Date { return DateOf(d.midnight().AddDate(0, 0, n)) }

// mayBeOn reports whether t may be on a day, by the calendar of its place. A place whose zone is
// unknown can be anywhere on earth, from 12 hours behind UTC to 14 hours ahead.
func (t Time) mayBeOn(day Date) bool {
	if local, known := t.Date(); known || t.IsZero() {
		return !known || local == day
	}
	if place, other, err := t.places(); err == nil {
		return DateOf(t.utc().In(place)) == day || DateOf(t.utc().In(other)) == day
	}
	first, last := DateOf(t.utc().Add(-12*time.Hour)), DateOf(t.utc().Add(14*time.Hour))
	return first.Compare(day) <= 0 && day.Compare(last) <= 0
}

// pairEventZone sets the zone of t to that of the valid events with the same name and time or, if
// there are none, with the same name. Events in zones that differ leave it unreported.
func pairEventZone(t *Time, name EventName, events []*TransportEvent) {
	var zone string
	found, exact, several := false, false, false
	for _, e := range events {
		if e == nil || e.Event != name || !e.InvalidatedAt.IsZero() {
			continue
		}
		same := sameOnWire(e.Timestamp, *t)
		switch {
		case !found || same && !exact:
			zone, found, exact, several = e.Timezone, true, same, false
		case same == exact && zonesDiffer(e.Timezone, zone):
			several = true
		case same == exact:
			zone = cmp.Or(zone, e.Timezone)
		}
	}
	if found && !several {
		pairZone(zone, t)
	}
}
