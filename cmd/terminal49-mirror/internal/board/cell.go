package board

import (
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-freight/terminal49"
)

// Brief returns what to do, after the name of the situation: what the other columns do not say. It
// is taken from the sentence, so that the two never differ.
func (r *row) Brief() string {
	switch r.Situation {
	case terminal49.SituationReady:
		return readyBrief(r.advice)
	case terminal49.SituationPayFirst:
		return payBrief(r.advice)
	case terminal49.SituationStale:
		reason := strings.TrimPrefix(between(r.advice, ", but ", ". Ask "), "the terminal was ")
		return joined(": ", "ask the terminal", reason)
	case terminal49.SituationHeld:
		return joined(" ", "by", between(r.advice, "held by ", ". Have "))
	case terminal49.SituationOut, terminal49.SituationReturned:
		first, _, _ := strings.Cut(r.advice, ". ")
		return lowered(first)
	}
	return lowered(advice.FindString(r.advice))
}

// advice matches whom to ask, or what to wait for.
var advice = regexp.MustCompile(`\b(Ask|Wait)\b[^.]*`)

func readyBrief(text string) string {
	switch {
	case strings.Contains(text, "Its last free day has passed"):
		return "for pickup: ask what is charged, pay, send a truck"
	case strings.Contains(text, "ask the shipping line which it is"):
		return "for pickup: ask the shipping line for the terminal"
	}
	return "for pickup: send a truck"
}

func payBrief(text string) string {
	if strings.Contains(text, "how much") {
		return "ask how much, then send a truck"
	}
	return "then send a truck"
}

// between returns what a text has after begin and before end; "" if it does not have both.
func between(text, begin, end string) string {
	_, after, found := strings.Cut(text, begin)
	inside, _, ends := strings.Cut(after, end)
	if !found || !ends {
		return ""
	}
	return inside
}

// lowered returns a text with a small first letter, because it goes on after another one.
func lowered(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// HasHolds reports whether there are holds, in force or not.
func (r *row) HasHolds() bool { return r.Holds != "" && r.Holds != "none" && r.Holds != notReported }

// IsOwing reports whether fees are owed, or may be.
func (r *row) IsOwing() bool { return r.Fees != "" && r.Fees != "no fees" && r.Fees != notReported }

// datePattern matches a day, at whose hyphens a browser would break a line.
var datePattern = regexp.MustCompile(`\d{4}-\d\d-\d\d`)

// unbroken returns a text as HTML, in which no day is broken.
func unbroken(text string) template.HTML {
	return template.HTML(datePattern.ReplaceAllString(template.HTMLEscapeString(text), "<time>$0</time>")) //nolint:gosec // it is escaped
}

// ArrivalDate returns the day of Arrival with the word before it, such as "expected 2026-11-27".
func (r *row) ArrivalDate() string {
	date, _ := r.arrivalParts()
	return date
}

// ArrivalTime returns what Arrival has after the day: the time of day, and the place if it is
// named.
func (r *row) ArrivalTime() string {
	_, rest := r.arrivalParts()
	return rest
}

func (r *row) arrivalParts() (date, rest string) {
	word, at, _ := strings.Cut(r.Arrival, " ")
	day, rest, _ := strings.Cut(at, " ")
	return joined(" ", word, day), rest
}

// CustomerLink returns the address of the list of the customer's containers.
func (r *row) CustomerLink() string {
	return "/?customer=" + strings.ReplaceAll(url.QueryEscape(r.Customer), "+", "%20")
}
