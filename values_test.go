package terminal49

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpt_States(t *testing.T) {
	for name, test := range map[string]struct {
		opt          Opt[int]
		value        int
		ok           bool
		null, zero   bool
		text, inJSON string
	}{
		"missing": {Opt[int]{}, 0, false, false, true, "", "null"},
		"null":    {Null[int](), 0, false, true, false, "null", "null"},
		"zero":    {Some(0), 0, true, false, false, "0", "0"},
		"value":   {Some(7), 7, true, false, false, "7", "7"},
	} {
		t.Run(name, func(t *testing.T) {
			value, ok := test.opt.Get()
			require.Equal(t, test.value, value)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.null, test.opt.IsNull())
			require.Equal(t, test.zero, test.opt.IsZero())
			require.Equal(t, test.text, test.opt.String())
			wire, err := json.Marshal(test.opt)
			require.NoError(t, err)
			require.Equal(t, test.inJSON, string(wire))
			if test.ok {
				require.Equal(t, test.value, test.opt.Or(-1))
			} else {
				require.Equal(t, -1, test.opt.Or(-1))
			}
		})
	}
}

func TestOpt_JSON(t *testing.T) {
	type body struct {
		A Opt[string]   `json:"a,omitzero"`
		B Opt[[]string] `json:"b,omitzero"`
	}
	for want, v := range map[string]body{
		`{}`: {}, `{"a":"x"}`: {A: Some("x")},
		`{"a":"","b":[]}`:     {A: Some(""), B: Some([]string{})},
		`{"a":null,"b":null}`: {A: Null[string](), B: Null[[]string]()},
	} {
		wire, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, string(wire))
		var back body
		require.NoError(t, json.Unmarshal(wire, &back))
		require.Equal(t, v, back)
	}
	full := body{A: Some("old")}
	require.NoError(t, json.Unmarshal([]byte(`{"a": null }`), &full))
	require.True(t, full.A.IsNull())
	_, ok := full.A.Get()
	require.False(t, ok)
	require.Error(t, json.Unmarshal([]byte(`{"a":7}`), &full))
}

func TestSecret_Printable(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Bill of lading 'é' \"x\" 🚢 \\": "Bill of lading 'é' \"x\" 🚢 \\", "a\r\nb": `a\r\nb`, "\x1b[2J": `\x1b[2J`,
		"\u202eabc": `\u202eabc`, "a\u00a0b": `a\u00a0b`, "\x00": `\x00`, "\xff": "\ufffd",
	} {
		require.Equal(t, want, printable(text))
	}
}

func TestSecret_Printing(t *testing.T) {
	require.True(t, NewSecret("").IsZero())
	require.Empty(t, Secret{}.Reveal())
	s := NewSecret("s3cr3t")
	require.False(t, s.IsZero())
	require.Equal(t, "s3cr3t", s.Reveal())
	text, err := json.Marshal(map[string]any{"s": s})
	require.NoError(t, err)
	require.JSONEq(t, `{"s":"[secret]"}`, string(text))
	require.Equal(t, "[secret] [secret] [secret]", fmt.Sprintf("%v %+v %#v", s, s, s))
}

// A program that keeps what the service sent keeps nothing of the token, and all of the rest.
func TestSecret_HideToken(t *testing.T) {
	c, err := New("Bearer 0123456789abcdef+x", WithAccountID("account-1"))
	require.NoError(t, err)
	for text, want := range map[string]string{
		"a 0123456789abcdef+x b": "a [secret] b", `"0123456789ABCDEF\u002bx"`: `"[secret]"`, "0123456789abcdef%2Bx": "[secret]",
		"account-1 has 0123456789abcdef": "account-1 has 0123456789abcdef", "": "",
	} {
		require.Equal(t, want, c.RedactToken(text))
	}
}

// A text that another program sent keeps nothing of the secrets in any form (RFC 3986 section 2.1,
// RFC 4648 sections 4 and 5, RFC 8259 section 7, HTML 13.1.4), and all of the rest.
func TestSecret_Redactor(t *testing.T) {
	redact := Redactor(NewSecret("pa55/word"), NewSecret("x7"), Secret{})
	for text, want := range map[string]string{
		"a pa55/word b": "a [secret] b", "PA55/WORD": "[secret]", "pa55%2fword %70a55/word": "[secret] [secret]",
		"pa55&#47;word&#x70;a55/word": "[secret][secret]", `"pa55\/word \u0070a55/word"`: `"[secret] [secret]"`,
		"cGE1NS93b3Jk": "[secret]", "x7, x78 pa55": "[secret], x78 pa55", "https://s.test/?Signature=abc": "https://s.test/?Signature=abc", "": "",
	} {
		require.Equal(t, want, redact(text))
	}
	require.Equal(t, "any", Redactor()("any"))
}

func parsedTime(t testing.TB, s string) Time {
	t.Helper()
	v, ok := parseTime([]byte(s))
	require.True(t, ok, s)
	return v
}

// at is a time as the service sends it, at a place in a zone; "" is a place whose zone it does not
// know.
func at(t testing.TB, s, zone string) Time {
	t.Helper()
	v := parsedTime(t, s)
	pairZone(zone, &v)
	return v
}

func TestTime_ParseForms(t *testing.T) {
	for s, want := range map[string]string{
		"2026-03-02T16:00:00Z":           "2026-03-02T16:00:00Z",
		"2026-03-02T16:00:00.250Z":       "2026-03-02T16:00:00.25Z",
		"2026-03-02T08:00:00-08:00":      "2026-03-02T16:00:00Z",
		"2026-03-02T08:00:00-0800":       "2026-03-02T16:00:00Z",
		"2026-03-02T08:00:00.5-0800":     "2026-03-02T16:00:00.5Z",
		"2026-03-02 16:00:00 UTC":        "2026-03-02T16:00:00Z",
		"2026-03-02 16:00:00 GMT":        "2026-03-02T16:00:00Z",
		"2026-03-02 08:00:00 -0800":      "2026-03-02T16:00:00Z",
		"2026-03-02T16:00:00":            "2026-03-02T16:00:00Z",
		"2026-03-02 16:00:00":            "2026-03-02T16:00:00Z",
		"2024-02-29T23:59:59Z":           "2024-02-29T23:59:59Z",
		"2026-03-02T16:00:00.123456789Z": "2026-03-02T16:00:00.123456789Z",
	} {
		instant, ok := parsedTime(t, s).Instant()
		require.True(t, ok, s)
		assert.Equal(t, want, instant.Format(time.RFC3339Nano), s)
	}
	for _, s := range []string{"soon", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-03-02T24:00:00Z",
		"2026-03-02T16:60:00Z", "20260302", "2026-02-30", "2026-03-02 16:00:00 PST", "2026-03-02 16:00:00 CST",
		"2026-03-02 16:00:00 MST", "2026-03-02 16:00:00 ABC",
		"2026-03-02 16:00:00 utc", "2026-03-02 16:00:00 GMT+3", "2026-03-02 16:00:00 WITA", "٢٠٢٦-03-02"} {
		_, ok := parseTime([]byte(s))
		assert.False(t, ok, s)
	}
}

// RFC 3339, section 5.6: T and Z may be lower case, an offset is at most 23:59, and an hour has two
// digits; section 5.7: a leap second is the 60th of the last minute of a month in UTC. The rows
// with 1990 are its section 5.8. A time without seconds is ISO 8601's, whose instant is as clear.
func TestTime_ReadsEachDateTime(t *testing.T) {
	for s, want := range map[string]string{
		"2026-03-02T08:00:00z": "2026-03-02T08:00:00Z", "2026-03-02t08:00:00Z": "2026-03-02T08:00:00Z",
		"2026-03-02t08:00:00.5z": "2026-03-02T08:00:00.5Z", "2026-03-02t08:00:00-08:00": "2026-03-02T16:00:00Z",
		"2016-12-31T23:59:60Z": "2016-12-31T23:59:59Z", "1990-12-31T23:59:60Z": "1990-12-31T23:59:59Z",
		"1990-12-31T15:59:60-08:00": "1990-12-31T23:59:59Z", "2015-06-30t23:59:60.25z": "2015-06-30T23:59:59.25Z",
		"2026-03-02T08:00Z": "2026-03-02T08:00:00Z", "2026-03-02T08:00-08:00": "2026-03-02T16:00:00Z", "2026-03-02t08:00z": "2026-03-02T08:00:00Z",
		"2026-03-02T08:00:00+23:59": "2026-03-01T08:01:00Z", "2026-03-02T08:00:00-00:00": "2026-03-02T08:00:00Z",
		"1937-01-01T12:00:27.87+00:20": "1937-01-01T11:40:27.87Z",
	} {
		instant, ok := parsedTime(t, s).Instant()
		require.True(t, ok, s)
		assert.Equal(t, want, instant.Format(time.RFC3339Nano), s)
	}
	for _, s := range []string{
		"2026-03-02T08:00:00+24:00", "2026-03-02T08:00:00-24:00", "2026-03-02T08:00:00+12:60", "2026-03-02T08:00:00+2400", "2026-03-02 08:00:00 -2400",
		"2016-12-31T22:59:60Z", "2016-12-31T23:58:60Z", "2016-12-30T23:59:60Z", "2016-12-31T23:59:60-08:00", "2016-12-31T23:59:61Z",
		"2026-03-02T8:00:00Z", "2026-03-02T16:00:00,5Z", "2026-03-02T08:00:", "2026-03-02T08Z", "2026-03-02T08:00", "2026-03-02T08:00:00zz",
		"2026-03-02T08:00:00-08", "2026-03-02T08:00:00+1-08", "2026-03-02T+08:00", "2026-03-02t", "2026-03-02T24:00Z", "2026-03-02T08:60Z",
	} {
		_, ok := parseTime([]byte(s))
		assert.False(t, ok, s)
	}
}

// RFC 3339, as package time reads it. Every day of four centuries is every form that a day has.
func TestTime_EveryDayAsPackageTime(t *testing.T) {
	for day := time.Date(1899, 12, 31, 23, 59, 58, 0, time.UTC); day.Year() < 2301; day = day.AddDate(0, 0, 1) {
		got, ok := parseTime([]byte(day.Format(time.RFC3339)))
		require.True(t, ok, day)
		require.Equal(t, day.Unix(), got.utc().Unix(), day)
	}
	for _, sent := range []string{
		"2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2023-04-31T00:00:00Z", "2023-12-32T00:00:00Z",
		"2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-01-00T00:00:00Z", "2023-01-01T24:00:00Z", "2023-01-01T00:60:00Z",
	} {
		_, ok := parseTime([]byte(sent))
		require.False(t, ok, sent)
	}
}

func TestTime_Kinds(t *testing.T) {
	const sent = "2026-03-09T07:00:00Z"
	noWhere := parsedTime(t, sent)
	markZoneUnreported(&noWhere)
	for _, row := range []struct {
		name    string
		time    Time
		instant bool
		local   string // "" for ErrNoZone
		day     string // "" if not known
		text    string
	}{
		{"none", Time{}, false, "", "", "-"},
		{"plain UTC", parsedTime(t, sent), true, "2026-03-09T07:00:00Z", "2026-03-09", "2026-03-09 07:00 UTC"},
		{"place", at(t, sent, "America/Los_Angeles"), true, "2026-03-09T00:00:00-07:00", "2026-03-09",
			"2026-03-09 00:00 -07:00"},
		{"place on the day before", at(t, "2026-03-09T06:59:59Z", "America/Los_Angeles"), true,
			"2026-03-08T23:59:59-07:00", "2026-03-08", "2026-03-08 23:59 -07:00"},
		{"place on the day after", at(t, "2026-03-09T16:00:00Z", "Asia/Shanghai"), true, "2026-03-10T00:00:00+08:00",
			"2026-03-10", "2026-03-10 00:00 +08:00"},
		{"legacy name", at(t, sent, "US/Eastern"), true, "2026-03-09T03:00:00-04:00", "2026-03-09", "2026-03-09 03:00 -04:00"},
		{"legacy name abroad", at(t, sent, "Asia/Calcutta"), true, "2026-03-09T12:30:00+05:30", "2026-03-09",
			"2026-03-09 12:30 +05:30"},
		{"null zone", at(t, sent, ""), false, "", "2026-03-09", "2026-03-09 07:00 (zone unknown)"},
		{"zone not reported", noWhere, true, "", "", "2026-03-09 07:00 UTC (zone not reported)"},
		{"calendar day", at(t, "2026-03-09", "America/Los_Angeles"), false, "", "2026-03-09", "2026-03-09"},
		{"calendar day without a zone", at(t, "2026-03-09", ""), false, "", "2026-03-09", "2026-03-09"},
		{"wall time", NewWallTime(time.Date(2026, 3, 9, 7, 0, 0, 0, time.FixedZone("", -5*60*60))), false, "",
			"2026-03-09", "2026-03-09 07:00 (zone unknown)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, ok := row.time.Instant()
			assert.Equal(t, row.instant, ok)
			local, err := row.time.Local()
			if row.local == "" {
				assert.ErrorIs(t, err, ErrNoZone)
			} else {
				require.NoError(t, err)
				assert.Equal(t, row.local, local.Format(time.RFC3339))
			}
			day, ok := row.time.Date()
			assert.Equal(t, row.day != "", ok)
			if ok {
				assert.Equal(t, row.day, day.String())
			}
			assert.Equal(t, row.text, row.time.String())
			assert.Equal(t, row.name == "none", row.time.IsZero())
		})
	}
}

// One abbreviation stands for several zones in the IANA database: CST is Shanghai's, Houston's and
// Havana's, IST is India's, Ireland's and Israel's, PST also Manila's.
func TestTime_StringOfZonesThatShareTheirLetters(t *testing.T) {
	for zone, want := range map[string]string{
		"Asia/Shanghai": "2026-11-26 20:00 +08:00", "America/Chicago": "2026-11-26 06:00 -06:00", "America/Havana": "2026-11-26 07:00 -05:00",
		"Asia/Kolkata": "2026-11-26 17:30 +05:30", "Asia/Jerusalem": "2026-11-26 14:00 +02:00",
		"America/Los_Angeles": "2026-11-26 04:00 -08:00", "Asia/Manila": "2026-11-26 20:00 +08:00", "Europe/London": "2026-11-26 12:00 +00:00",
	} {
		v := at(t, "2026-11-26T12:00:00Z", zone)
		assert.Equal(t, want, v.String(), zone)
		assert.Equal(t, want+" vessel arrived", Milestone{Event: EventVesselArrived, At: v}.String(), zone)
	}
}

func TestTime_UnknownZone(t *testing.T) {
	for _, zone := range []string{"Mars/Olympus_Mons", "Local", "../etc/passwd"} {
		v := at(t, "2026-03-09T07:00:00Z", zone)
		_, err := v.Local()
		require.Error(t, err, zone)
		assert.False(t, errors.Is(err, ErrNoZone), "the zone is reported, but this machine does not have it")
		assert.ErrorContains(t, err, zone)
		_, ok := v.Date()
		assert.False(t, ok)
		_, ok = v.DaysLeft(time.Now())
		assert.False(t, ok)
		instant, ok := v.Instant()
		assert.True(t, ok, "the instant does not depend on the zone")
		assert.Equal(t, 7, instant.Hour())
		assert.Contains(t, v.String(), "not known here")
	}
}

func TestTime_JSON(t *testing.T) {
	for sent, written := range map[string]string{
		`null`:                        `null`,
		`""`:                          `null`,
		`"2026-03-09T00:00:00-07:00"`: `"2026-03-09T00:00:00-07:00"`,
		`"2026-03-09T07:00:00.125Z"`:  `"2026-03-09T07:00:00.125Z"`,
		`"2020-05-20"`:                `"2020-05-20"`,
	} {
		var v Time
		require.NoError(t, json.Unmarshal([]byte(sent), &v), sent)
		got, err := json.Marshal(v)
		require.NoError(t, err)
		assert.Equal(t, written, string(got), sent)
	}
	var v Time
	assert.Error(t, json.Unmarshal([]byte(`"soon"`), &v))
	assert.Error(t, json.Unmarshal([]byte(`7`), &v))
	floating, err := json.Marshal(at(t, "2026-03-09T07:00:00Z", ""))
	require.NoError(t, err)
	assert.Equal(t, `"2026-03-09T07:00:00Z[unknown]"`, string(floating), "as the service sent it, with its zone")
}

// naiveLayouts are the forms of a time as layouts of package time, which accepts a fraction after
// any seconds.
var naiveLayouts = []string{
	time.DateOnly, "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 UTC",
	"2006-01-02 15:04:05 GMT", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
}

// strictTime matches a date or a time by the digits of RFC 3339, whose hour has two and whose
// offset is below 24 hours: package time accepts more.
var strictTime = regexp.MustCompile(`^.{10}([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?( ?([Zz]|UTC|GMT|[+-]([01]\d|2[0-3]):?[0-5]\d))?$`)

// NaiveTime reads s as package time reads the layout, which has no lower case and no leap second.
func NaiveTime(layout, s string) (time.Time, bool) {
	if !strictTime.MatchString(s) {
		return time.Time{}, false
	}
	leap := false
	if len(s) > 16 && (s[10] == 'T' || s[10] == 't') {
		s = s[:10] + "T" + strings.Replace(s[11:], "z", "Z", 1)
		if s[16] != ':' {
			s = s[:16] + ":00" + s[16:]
		}
		if leap = s[16:19] == ":60"; leap {
			s = s[:16] + ":59" + s[19:]
		}
	}
	at, err := time.Parse(layout, s)
	isLeap := at.UTC().Month() != at.UTC().Add(time.Second).Month()
	return at, err == nil && (!leap || isLeap)
}

// FuzzParseTime checks that a text is a time if and only if package time reads it in one of the
// forms, and then the same one, and that it can be written and read again.
func FuzzParseTime(f *testing.F) {
	for _, s := range append(SeedTimes(), "0001-01-01T00:00:00Z", "2026-03-02 16:00:00 MST", "9999-12-31T23:59:60Z",
		"2024-02-30T00:00:00Z", "2024-02-29",
		"2026-03-02T16:00:00.123456789+14:00", "2026-03-02T16:00:00,5Z", "0000-01-01", "2026-3-2", " 2026-03-02",
		"2026-03-02T24:00:00Z", "2026-03-02t08:00:00z", "2016-12-31T23:59:60Z", "2016-12-31T15:59:60.5-08:00", "2026-03-02T08:00-08:00",
		"2026-03-02T08:00:00+24:00", "2026-03-02T8:00:00Z") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := parseTime([]byte(s))
		var want time.Time
		understood := s == ""
		for _, layout := range naiveLayouts {
			at, ok := NaiveTime(layout, s)
			if !ok {
				continue
			}
			if understood && !want.Equal(at) {
				t.Fatalf("%q has two meanings, %v and %v", s, want, at)
			}
			want, understood = at, true
		}
		if ok != understood {
			t.Fatalf("%q is a time: %v, package time says %v", s, ok, understood)
		}
		if !ok {
			return
		}
		if s != "" && (!v.utc().Equal(want) || v.DateOnly() != (len(s) == len(time.DateOnly))) {
			t.Fatalf("%q is %v, want %v", s, v.utc(), want)
		}
		written, err := v.MarshalJSON()
		if err != nil {
			t.Fatalf("%q cannot be written: %v", s, err)
		}
		var again Time
		if err := again.UnmarshalJSON(written); err != nil || again != v {
			t.Fatalf("%q became %v, written as %s and read as %v: %v", s, v, written, again, err)
		}
	})
}

// SeedTimes returns the forms of times that are read.
func SeedTimes() []string {
	return []string{
		"2026-03-02T16:00:00Z", "2026-03-02", "2026-03-02T08:00:00-08:00", "2026-03-02T16:00:00.25Z",
		"2026-03-02T08:00:00-0800",
		"2026-03-02 08:00:00 -0800", "2026-03-02 16:00:00 UTC", "2026-03-02 16:00:00 GMT", "2026-03-02T16:00:00",
		"2026-03-02 16:00:00", "",
	}
}

func TestDate_Sub(t *testing.T) {
	for _, row := range []struct {
		a, b Date
		want int
	}{
		{Date{Year: 2026, Month: 3, Day: 9}, Date{Year: 2026, Month: 3, Day: 9}, 0},
		{Date{Year: 2026, Month: 3, Day: 9}, Date{Year: 2026, Month: 3, Day: 7}, 2},    // over a day of 23 hours in the United States
		{Date{Year: 2026, Month: 11, Day: 2}, Date{Year: 2026, Month: 10, Day: 31}, 2}, // over a day of 25 hours
		{Date{Year: 2027, Month: 1, Day: 1}, Date{Year: 2026, Month: 12, Day: 31}, 1},
		{Date{Year: 2028, Month: 3, Day: 1}, Date{Year: 2028, Month: 2, Day: 28}, 2}, // leap year
		{Date{Year: 2026, Month: 3, Day: 1}, Date{Year: 2026, Month: 2, Day: 28}, 1},
		{Date{Year: 2100, Month: 3, Day: 1}, Date{Year: 2100, Month: 2, Day: 28}, 1},  // not a leap year
		{Date{Year: 2026, Month: 1, Day: 1}, Date{Year: 1, Month: 1, Day: 1}, 739616}, // more than a time.Duration holds
	} {
		assert.Equal(t, row.want, row.a.Sub(row.b), "%v - %v", row.a, row.b)
		assert.Equal(t, -row.want, row.b.Sub(row.a), "%v - %v", row.b, row.a)
	}
}

func TestDate_Compare(t *testing.T) {
	days := []Date{{}, {Year: 2025, Month: 12, Day: 31}, {Year: 2026, Month: 1, Day: 30},
		{Year: 2026, Month: 2, Day: 1}, {Year: 2026, Month: 2, Day: 2}}
	for i, a := range days {
		for j, b := range days {
			want := map[bool]int{true: -1, false: 1}[i < j]
			if i == j {
				want = 0
			}
			assert.Equal(t, want, a.Compare(b), "%v %v", a, b)
		}
	}
}

func TestDate_String(t *testing.T) {
	assert.Equal(t, "2026-03-09", Date{Year: 2026, Month: time.March, Day: 9}.String())
	assert.Equal(t, "-", Date{}.String())
	assert.True(t, Date{}.IsZero())
	assert.False(t, Date{Year: 2026, Month: 3, Day: 9}.IsZero())
}

func TestDate_OfUsesTheZoneOfTheTime(t *testing.T) {
	shanghai := time.FixedZone("CST", 8*60*60)
	assert.Equal(t, Date{Year: 2026, Month: 3, Day: 10}, DateOf(time.Date(2026, 3, 9, 16, 0, 0, 0, time.UTC).In(shanghai)))
}

// Places are from 12 hours behind UTC to 14 hours ahead, so a wall clock of an unknown zone shows
// 00:00 from 10:00 UTC of the day before until 12:00 UTC.
func TestTime_BeforeWithAnUnknownZone(t *testing.T) {
	midnight := at(t, "2026-03-02T00:00:00Z", "")
	for instant, want := range map[string][2]bool{ // before it, after it
		"2026-03-01T09:59:00Z": {false, true}, "2026-03-01T10:01:00Z": {false, false},
		"2026-03-02T11:59:00Z": {false, false}, "2026-03-02T12:01:00Z": {true, false},
	} {
		other := at(t, instant, "Etc/UTC")
		assert.Equal(t, want, [2]bool{midnight.Before(other), other.Before(midnight)}, instant)
	}
}

func TestDaysLeft_ByZone(t *testing.T) {
	const la, ny, phoenix, shanghai = "America/Los_Angeles", "America/New_York", "America/Phoenix", "Asia/Shanghai"
	for _, row := range []struct {
		name, sent, zone, now string
		want                  int
	}{
		// The deadline is the midnight that starts the last free day. Clocks go forward on 2026-03-08 ...
		{"LA, the same evening", "2026-03-09T07:00:00Z", la, "2026-03-09T20:00:00-07:00", 0},
		{"LA, the last second of the day", "2026-03-09T07:00:00Z", la, "2026-03-09T23:59:59-07:00", 0},
		{"LA, over", "2026-03-09T07:00:00Z", la, "2026-03-10T00:00:00-07:00", -1},
		{"LA, over the short day", "2026-03-09T07:00:00Z", la, "2026-03-07T23:59:59-08:00", 2},
		{"LA, on the short day", "2026-03-09T07:00:00Z", la, "2026-03-08T23:30:00-07:00", 1},
		{"LA, short day is the last", "2026-03-08T08:00:00Z", la, "2026-03-08T03:00:00-07:00", 0},
		{"NY, over the short day", "2026-03-09T04:00:00Z", ny, "2026-03-07T23:59:59-05:00", 2},
		{"NY, short day is the last", "2026-03-08T05:00:00Z", ny, "2026-03-09T00:00:00-04:00", -1},
		{"Phoenix has no short day", "2026-03-09T07:00:00Z", phoenix, "2026-03-07T23:59:59-07:00", 2},
		// ... and back on 2026-11-01, a day of 25 hours.
		{"LA, over the long day", "2026-11-02T08:00:00Z", la, "2026-10-31T00:00:00-07:00", 2},
		{"LA, end of the long day", "2026-11-02T08:00:00Z", la, "2026-11-01T23:30:00-08:00", 1},
		{"LA, long day is the last", "2026-11-01T07:00:00Z", la, "2026-11-01T23:59:59-08:00", 0},
		{"NY, over the long day", "2026-11-02T05:00:00Z", ny, "2026-10-31T23:59:59-04:00", 2},
		{"NY, one past midnight after it", "2026-11-01T04:00:00Z", ny, "2026-11-02T00:00:00-05:00", -1},
		{"Phoenix has no long day", "2026-11-02T07:00:00Z", phoenix, "2026-10-31T00:00:00-07:00", 2},
		// Midnight in UTC is another day on both sides of the ocean.
		{"LA, now is tomorrow in UTC", "2026-03-09T07:00:00Z", la, "2026-03-10T05:00:00Z", 0},
		{"Shanghai, sent as the day before", "2026-03-09T16:00:00Z", shanghai, "2026-03-10T15:59:59Z", 0},
		{"Shanghai, now is yesterday in UTC", "2026-03-09T16:00:00Z", shanghai, "2026-03-09T16:00:00Z", 0},
		{"a machine in another zone", "2026-03-09T07:00:00Z", la, "2026-03-10T15:59:59+09:00", 0},
		{"year end", "2027-01-02T08:00:00Z", la, "2026-12-31T23:59:59-08:00", 2},
		{"year end in UTC only", "2026-12-31T08:00:00Z", la, "2027-01-01T07:59:59Z", 0},
		{"over a leap day", "2028-03-01T05:00:00Z", ny, "2028-02-28T12:00:00-05:00", 2},
		{"leap day is the last", "2028-02-29T05:00:00Z", ny, "2028-03-01T00:00:00-05:00", -1},
		{"no leap day", "2027-03-01T05:00:00Z", ny, "2027-02-28T12:00:00-05:00", 1},
		{"calendar day", "2026-03-09", la, "2026-03-09T23:59:59-07:00", 0},
		{"calendar day, over", "2026-03-09", la, "2026-03-10T00:00:00-07:00", -1},
		{"calendar day in Shanghai", "2026-03-09", shanghai, "2026-03-08T16:00:00Z", 0},
		{"end of day", "2026-03-10T06:59:59Z", la, "2026-03-09T00:00:00-07:00", 0},
		{"legacy zone", "2026-03-09T04:00:00Z", "US/Eastern", "2026-03-09T23:00:00-04:00", 0},
	} {
		days, ok := at(t, row.sent, row.zone).DaysLeft(clock(t, row.now))
		require.True(t, ok, row.name)
		assert.Equal(t, row.want, days, row.name)
	}
}

// The count falls by one at each midnight of the place and at no other time, for any change of the
// clocks do.
func TestDaysLeft_ChangesAtMidnightOnly(t *testing.T) {
	for _, zone := range []string{"America/Los_Angeles", "America/New_York", "America/Phoenix", "Asia/Shanghai",
		"Australia/Lord_Howe", "America/Santiago"} {
		place, err := time.LoadLocation(zone)
		require.NoError(t, err)
		deadline := NewTime(time.Date(2028, 12, 31, 12, 0, 0, 0, place), zone)
		now := time.Date(2028, 1, 1, 0, 0, 0, 0, place)
		before, ok := deadline.DaysLeft(now)
		require.True(t, ok)
		assert.Equal(t, 365, before, "a leap year")
		for previous := now; now.Year() == 2028; now = now.Add(time.Hour) {
			left, _ := deadline.DaysLeft(now)
			want := before
			if now.Day() != previous.Day() {
				want--
			}
			if left != want {
				t.Fatalf("%s: from %v to %v days went from %d to %d", zone, previous, now, before, left)
			}
			before, previous = left, now
		}
		assert.Zero(t, before)
	}
}

func TestDaysLeft_WithoutAZone(t *testing.T) {
	now := clock(t, "2026-03-09T20:00:00-07:00")
	la, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	noWhere := parsedTime(t, "2026-03-09T07:00:00Z")
	markZoneUnreported(&noWhere)
	for name, v := range map[string]Time{
		"null zone":    at(t, "2026-03-09T00:00:00Z", ""), // the digits are the place's own
		"calendar day": at(t, "2026-03-09", ""),
		"plain UTC":    parsedTime(t, "2026-03-09T07:00:00Z"),
		"no zone":      noWhere,
		"unknown here": at(t, "2026-03-09T07:00:00Z", "Mars/Olympus_Mons"),
	} {
		_, ok := v.DaysLeft(now)
		assert.False(t, ok, name)
		_, ok = v.daysLeftIn(now, nil)
		assert.False(t, ok, name)
		days, ok := v.daysLeftIn(now, la)
		assert.True(t, ok, name)
		assert.Zero(t, days, name)
	}
	_, ok := Time{}.daysLeftIn(now, la)
	assert.False(t, ok, "not reported")
	days, ok := at(t, "2026-03-10T04:00:00Z", "America/New_York").daysLeftIn(clock(t, "2026-03-09T21:30:00-07:00"), la)
	assert.True(t, ok)
	assert.Zero(t, days, "a known zone takes precedence over the fallback")
}

// The days left are those between the days of the calendar of the place, whatever the zone and the
// form of the time.
func TestTime_DaysLeftAreThoseOfTheCalendar(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(36, 1))
	zones := []string{"America/Los_Angeles", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/Havana", "UTC"}
	for range scale(600, 3_000) {
		zone, other := zones[r.IntN(len(zones))], zones[r.IntN(len(zones))]
		at := Time{seconds: r.Int64N(1<<33) - 1<<31, offset: int16(r.IntN(1600) - 800), kind: timeAtPlace, zone: zone, day: r.IntN(3) == 0}
		now := time.Unix(at.seconds+r.Int64N(1<<22)-1<<21, r.Int64N(1e9))
		days := func(zone string) int {
			place, err := time.LoadLocation(zone)
			require.NoError(t, err)
			day := DateOf(at.utc().In(place))
			if at.day || at.kind == timeFloating {
				day = DateOf(at.asSent())
			}
			return day.Sub(DateOf(now.In(place)))
		}
		left, known := at.DaysLeft(now)
		require.True(t, known)
		require.Equal(t, days(zone), left, "%#v at %s", at, now)
		day, known := at.Date()
		require.True(t, known)

		at.kind, at.zone = timeAtEither, zone+" "+other
		left, known = at.DaysLeft(now)
		require.Equal(t, days(zone) == days(other), known)
		if known {
			require.Equal(t, days(zone), left)
		}
		if either, same := at.Date(); same {
			require.Equal(t, day, either)
		}
		at.kind, at.zone = timeFloating, ""
		left, known = at.daysLeftIn(now, time.FixedZone("", 3600))
		require.True(t, known)
		require.Equal(t, DateOf(at.asSent()).Sub(DateOf(now.In(time.FixedZone("", 3600)))), left)
	}
}
