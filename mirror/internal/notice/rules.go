package notice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// Rules are the numbers of the user. A field that is 0, and LastFreeDays if it is nil, have the
// value of [Defaults].
type Rules struct {
	LastFreeDays            []int
	ETASlipHours            int
	StaleAfterHours         int
	DeadlineStaleAfterHours int
}

// Defaults returns the rules of a mirror without a file of its own.
func Defaults() Rules {
	return Rules{LastFreeDays: []int{2, 0}, ETASlipHours: 24, StaleAfterHours: 24, DeadlineStaleAfterHours: 7 * 24}
}

func (r Rules) orDefaults() Rules {
	all := Defaults()
	if r.LastFreeDays != nil {
		all.LastFreeDays = r.LastFreeDays
	}
	for i, hours := range r.hours() {
		if *hours.value != 0 {
			*all.hours()[i].value = *hours.value
		}
	}
	return all
}

// VerdictOptions returns the options with which the verdicts are assessed that [Rules.Next] gets.
func (r Rules) VerdictOptions() terminal49.VerdictOptions {
	r = r.orDefaults()
	return terminal49.VerdictOptions{MaxAge: r.maxAge(), DeadlineMaxAge: time.Duration(r.DeadlineStaleAfterHours) * time.Hour}
}

func (r Rules) maxAge() time.Duration { return time.Duration(r.StaleAfterHours) * time.Hour }

// The limits of the numbers.
const (
	mostDays  = 60
	mostHours = 24 * 365
)

// member is a number of hours of the rules.
type member struct {
	name  string
	value *int
}

func (r *Rules) hours() []member {
	return []member{
		{"eta_slip_hours", &r.ETASlipHours}, {"stale_after_hours", &r.StaleAfterHours},
		{"deadline_stale_after_hours", &r.DeadlineStaleAfterHours},
	}
}

// Problem returns the member that has an invalid number and what it must be, or "" if all are
// valid.
func (r Rules) Problem() (name, problem string) {
	for i, days := range r.LastFreeDays {
		switch {
		case days < 0 || days > mostDays:
			return "last_free_days", fmt.Sprintf("must have whole numbers of calendar days from 0 to %d, such as [2, 0], not %d", mostDays, days)
		case slices.Contains(r.LastFreeDays[:i], days):
			return "last_free_days", fmt.Sprintf("has %d twice; write each number of days once", days)
		}
	}
	for _, hours := range r.hours() {
		if *hours.value < 0 || *hours.value > mostHours {
			return hours.name, hoursProblem(strconv.Itoa(*hours.value))
		}
	}
	return "", ""
}

func hoursProblem(written string) string {
	return fmt.Sprintf("must be a whole number of hours from 1 to %d, such as 24, without quotes and unit, not %s", mostHours, written)
}

// ParseError is a mistake in a file of rules.
type ParseError struct {
	Member  string // "" if the file is not a JSON object
	Problem string
}

// Error returns the member and what it must be.
func (e *ParseError) Error() string { return strings.TrimSpace(e.Member + " " + e.Problem) }

// example is a file of rules.
const example = `{"last_free_days": [2, 0], "eta_slip_hours": 24}`

const notJSON = "is not followed by valid JSON, such as " + example + ": "

// Parse parses a file of rules, a JSON object. A member that is missing has its default. The error
// is a *ParseError.
func Parse(data []byte) (Rules, error) {
	r := Defaults()
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return Rules{}, &ParseError{Problem: "must be a JSON object, such as " + example}
	}
	last, err := r.readMembers(d)
	if err != nil {
		return Rules{}, err
	}
	if _, err := d.Token(); err != nil {
		return Rules{}, &ParseError{last, notJSON + "the object is not closed"}
	}
	if _, err := d.Token(); err != io.EOF {
		return Rules{}, &ParseError{Problem: "must have nothing after the object"}
	}
	if name, problem := r.Problem(); problem != "" {
		return Rules{}, &ParseError{name, problem}
	}
	return r, nil
}

// readMembers sets all members, and returns the name of the last.
func (r *Rules) readMembers(d *json.Decoder) (last string, err error) {
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		name, isName := key.(string)
		if err != nil || !isName {
			return "", &ParseError{last, notJSON + fmt.Sprint(err)}
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return "", &ParseError{printable(shorten(name)), notJSON + err.Error()}
		}
		last = printable(shorten(name))
		if seen[name] {
			return "", &ParseError{last, "is there twice; write each member once"}
		}
		if problem := r.set(name, value); problem != "" {
			return "", &ParseError{last, problem}
		}
		seen[name] = true
	}
	return last, nil
}

// set sets a member, and returns what is wrong with it, or "".
func (r *Rules) set(name string, value json.RawMessage) (problem string) {
	if name == "last_free_days" {
		return r.setDays(value)
	}
	for _, hours := range r.hours() {
		if hours.name != name {
			continue
		}
		n, err := strconv.Atoi(string(value))
		if err != nil || n < 1 || n > mostHours {
			return hoursProblem(shorten(string(value)))
		}
		*hours.value = n
		return ""
	}
	return "is not a member of the rules; the members are " + r.memberNames()
}

func (r *Rules) memberNames() string {
	names := "last_free_days"
	for _, hours := range r.hours() {
		names += ", " + hours.name
	}
	return names
}

func (r *Rules) setDays(value json.RawMessage) (problem string) {
	wrong := fmt.Sprintf("must be a list of whole numbers of calendar days from 0 to %d, such as [2, 0], without quotes and unit, not %s",
		mostDays, shorten(string(value)))
	var all []json.RawMessage
	if err := json.Unmarshal(value, &all); err != nil || all == nil {
		return wrong
	}
	r.LastFreeDays = []int{}
	for _, text := range all {
		days, err := strconv.Atoi(string(text))
		if err != nil {
			return wrong
		}
		r.LastFreeDays = append(r.LastFreeDays, days)
	}
	return ""
}

// shorten cuts what an error quotes.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}
