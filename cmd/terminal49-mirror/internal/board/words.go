package board

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// Times have one form on all pages: the day as in ISO 8601, the time of day at the place, and how
// far that is from UTC. The short names of zones are ambiguous: CST is Houston's and Shanghai's.
const layout = "2006-01-02 15:04 UTC-07:00"

// when writes a time, in its place.
func when(t terminal49.Time) string {
	if t.IsZero() || t.DateOnly() {
		return t.String()
	}
	return short(t.Format(layout))
}

// longZone matches how far a place is from UTC.
var longZone = regexp.MustCompile(`UTC([+-])0?(\d+)(:00|:\d\d)$`)

// short writes "UTC-08:00" at the end of a time as "UTC-8", and "UTC+00:00" as "UTC".
func short(text string) string {
	found := longZone.FindStringSubmatch(text)
	switch {
	case found == nil:
		return text
	case found[2] == "0" && found[3] == ":00":
		return text[:len(text)-len("+00:00")]
	}
	return text[:len(text)-len("-08:00")] + found[1] + found[2] + strings.TrimSuffix(found[3], ":00")
}

// day writes the calendar day of a time at its place; "" if it is unknown.
func day(t terminal49.Time) string {
	date, ok := t.Date()
	if !ok {
		return ""
	}
	return date.String()
}

// utc writes a time in UTC.
func utc(t time.Time) string { return short(t.UTC().Format(layout)) }

// ago writes a duration in one unit.
func ago(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if d >= 2*unit.size {
			return fmt.Sprintf("%d %ss ago", d/unit.size, unit.name)
		}
	}
	if d < 2*time.Second {
		return "just now"
	}
	return fmt.Sprintf("%d seconds ago", d/time.Second)
}

// inDays writes a number of calendar days.
func inDays(n int) string {
	switch {
	case n < -1:
		return fmt.Sprintf("%d days over", -n)
	case n == -1:
		return "1 day over"
	case n == 0:
		return "today"
	case n == 1:
		return "1 day left"
	}
	return fmt.Sprintf("%d days left", n)
}

func slipText(days int) string { return laterText(days) + " than at first" }

// inWholeDays rounds to days.
func inWholeDays(d time.Duration) int { return int(d.Round(24*time.Hour) / (24 * time.Hour)) }

func laterText(days int) string {
	unit, than := "days", "later"
	if days == 1 || days == -1 {
		unit = "day"
	}
	if days < 0 {
		days, than = -days, "earlier"
	}
	return fmt.Sprintf("%d %s %s", days, unit, than)
}

// grouped writes a number with commas.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func words(s string) string { return strings.ReplaceAll(s, "_", " ") }

func list(facts []terminal49.VerdictFact) string {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.String()
	}
	return strings.Join(texts, "; ")
}

func isSet(value string) bool { return value != "" && value != "null" }

// value shows a JSON value: texts without quotes, lists of holds and fees by their names.
func value(text string) string {
	var word string
	var items []struct {
		Name, Type, Status string
		Amount             json.Number
		Currency           string `json:"currency_code"`
	}
	switch {
	case !isSet(text):
		return "-"
	case json.Unmarshal([]byte(text), &word) == nil:
		return word
	case json.Unmarshal([]byte(text), &items) == nil:
		var names []string
		for _, i := range items {
			names = append(names, strings.Join(strings.Fields(i.Name+" "+i.Type+" "+i.Status+" "+i.Amount.String()+" "+i.Currency), " "))
		}
		return cmp.Or(strings.Join(names, ", "), "none")
	}
	return text
}
