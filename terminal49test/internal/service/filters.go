package service

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// FilterKind is the grammar of a filter's values.
type FilterKind uint8

const (
	FilterText     FilterKind = iota // commas are OR; several values are AND
	FilterTextAny                    // as filterText, but several values are OR, without presence
	FilterTerminal                   // as filterTextAny, with presence
	FilterOwner                      // a scalar without presence
	FilterExact                      // a comma is literal; several values are OR
	FilterBool
	FilterSelector // false acts like true, or changes nothing
	FilterVoyage
	FilterSearch
	FilterDate
	FilterTime
	FilterChanged // a time with a lower bound
	FilterRange   // two days
	FilterTags
	FilterParty
	FilterParties
	FilterNames  // as filterText, in any case
	FilterFields // texts by slug
)

// Filter is one filter of a request.
type Filter struct {
	name, Key, Sub string // filter[key], filter[key][sub]
	Kind           FilterKind
	Values         []string
	array          bool
}

var (
	filterPattern = regexp.MustCompile(`^filter\[([a-z0-9_]+)\](?:\[([a-z0-9_]+)\])?(\[\])?$`)
	fieldPattern  = regexp.MustCompile(`^filter\[(custom_fields)\]\[([^\[\].]+)\]()$`) // a dotted slug is ignored
)

// parseFilter returns the filter of a query parameter, and false if the list does not have it.
func parseFilter(kinds map[string]FilterKind, name string) (Filter, bool) {
	parts := fieldPattern.FindStringSubmatch(name)
	if parts == nil {
		parts = filterPattern.FindStringSubmatch(name)
	}
	if parts == nil {
		return Filter{}, false
	}
	f := Filter{name: name, Key: parts[1], Sub: parts[2], array: parts[3] != ""}
	kind, known := kinds[f.Key]
	f.Kind = kind
	if kind == FilterFields {
		return f, known && f.Sub != "" && !f.array
	}
	return f, known && (f.Sub == "" || kind == FilterParty || kind == FilterParties)
}

// Filters reads the filters of a newer service. A reply that is not nil is the refusal of a value.
func (x *Call) Filters() (list []Filter, refusal *Reply) {
	for _, name := range state.SortedKeys(x.Query) {
		f, known := parseFilter(x.Route.Filters, name)
		if !known {
			continue
		}
		f.Values = x.Query[name]
		if !f.valid() {
			x.Violate("query parameter %q has a value that the service refuses", name)
			r := Refusal(Problem{Status: 400, Title: "Bad Request", Parameter: name, Detail: "The value is invalid."})
			return nil, &r
		}
		list = append(list, f)
	}
	return list, nil
}

func IsPresence(v string) bool { return v == "@exists" || v == "@not_exists" }

var (
	dateValue = regexp.MustCompile(`^(<=|>=|=|<|>)?(\d{4}-\d\d-\d\d|today|\d+\.days?\.(?:ago|from_now))$`)
	timeValue = regexp.MustCompile(`^(<=|>=|=|<|>)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$`)
)

// maxFieldText is the maximum length of a filter by a custom field.
const maxFieldText = 200

func (f Filter) valid() bool {
	for _, v := range f.Values {
		if slices.ContainsFunc(f.Parts(v), func(part string) bool { return !f.validPart(part) }) {
			return false
		}
	}
	return f.validForm()
}

// validForm reports whether the values together are valid: how many there are, and in which form.
func (f Filter) validForm() bool {
	switch f.Kind {
	case FilterBool, FilterSelector, FilterVoyage, FilterSearch, FilterOwner:
		return !f.array
	case FilterRange:
		return f.array && len(f.Values) == 2
	case FilterChanged:
		return slices.ContainsFunc(f.Values, func(v string) bool { return strings.HasPrefix(v, ">") })
	case FilterFields:
		return !slices.ContainsFunc(f.Values, func(v string) bool { return utf8.RuneCountInString(v) > maxFieldText })
	}
	return true
}

// Parts splits a scalar at its commas, where they mean OR.
func (f Filter) Parts(v string) []string {
	if f.array && f.Kind != FilterText || f.Kind == FilterExact || f.Kind == FilterSearch {
		return []string{v}
	}
	return strings.Split(v, ",")
}

// validValues has, by kind, which values are valid; all are of a kind that is missing.
var validValues = map[FilterKind]func(v string) bool{
	FilterBool:     func(v string) bool { return v == "true" || v == "false" },
	FilterVoyage:   func(v string) bool { return v == "arrived" || v == "on_ship" },
	FilterDate:     func(v string) bool { return IsPresence(v) || dateValue.MatchString(v) },
	FilterRange:    func(v string) bool { _, err := time.Parse(time.DateOnly, v); return err == nil },
	FilterTime:     func(v string) bool { return IsPresence(v) || timeValue.MatchString(v) },
	FilterChanged:  timeValue.MatchString,
	FilterText:     func(v string) bool { return IsPresence(strings.TrimPrefix(v, "=")) || isText(v) },
	FilterTerminal: func(v string) bool { return IsPresence(strings.TrimPrefix(v, "=")) || isText(v) },
	FilterTextAny:  isText,
	FilterOwner:    isText,
	FilterNames:    isText,
}

func isText(v string) bool {
	v = strings.TrimPrefix(v, "=")
	return v != "" && !strings.ContainsFunc(v, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.&", r)
	})
}

func (f Filter) validPart(v string) bool {
	valid := validValues[f.Kind]
	return valid == nil || valid(v)
}

// MatchText reports whether one of the texts that a resource has, which may be none, matches.
func (f Filter) MatchText(shown ...string) bool {
	shown = slices.DeleteFunc(shown, func(s string) bool { return s == "" })
	matches := func(v string) bool {
		return slices.ContainsFunc(f.Parts(v), func(v string) bool {
			switch v {
			case "@exists":
				return len(shown) > 0
			case "@not_exists":
				return len(shown) == 0
			}
			return slices.Contains(shown, strings.TrimPrefix(v, "="))
		})
	}
	if f.Kind == FilterText && f.array {
		return !slices.ContainsFunc(f.Values, func(v string) bool { return !matches(v) })
	}
	return slices.ContainsFunc(f.Values, matches)
}

// MatchName reports whether a name is one of the values, in any case.
func (f Filter) MatchName(name string) bool {
	return slices.ContainsFunc(f.Values, func(v string) bool {
		return slices.ContainsFunc(f.Parts(v), func(v string) bool { return strings.EqualFold(strings.TrimPrefix(v, "="), name) })
	})
}

// MatchPrefix reports whether one of the texts begins with the value, in any case.
func (f Filter) MatchPrefix(shown ...string) bool {
	want := strings.ToUpper(strings.TrimLeft(f.Values[0], "~="))
	return slices.ContainsFunc(shown, func(s string) bool { return strings.HasPrefix(strings.ToUpper(s), want) })
}

// MatchBool compares a condition with what is true and what is false of a resource, which may be
// neither.
func (f Filter) MatchBool(yes, no bool) bool {
	return f.Values[0] == "true" && yes || f.Values[0] == "false" && no
}

// MatchDay compares the stored calendar day, without conversion to a time zone.
func (f Filter) MatchDay(shown, now time.Time) bool {
	for _, v := range f.Values {
		if !slices.ContainsFunc(f.Parts(v), func(v string) bool {
			if IsPresence(v) {
				return shown.IsZero() == (v == "@not_exists")
			}
			parts := dateValue.FindStringSubmatch(v)
			day := relativeDay(parts[2], now)
			return !shown.IsZero() && compareBy(parts[1], shown.UTC().Truncate(24*time.Hour).Compare(day))
		}) {
			return false
		}
	}
	return true
}

func relativeDay(v string, now time.Time) time.Time {
	if day, err := time.Parse(time.DateOnly, v); err == nil {
		return day
	}
	days, ago, _ := strings.Cut(v, ".") // "today" is zero days away
	n, _ := strconv.Atoi(days)
	if strings.HasSuffix(ago, "ago") {
		n = -n
	}
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, n)
}

func (f Filter) MatchTime(shown time.Time) bool {
	for _, v := range f.Values {
		if IsPresence(v) {
			if shown.IsZero() != (v == "@not_exists") {
				return false
			}
			continue
		}
		parts := timeValue.FindStringSubmatch(v)
		bound, _ := time.Parse(time.RFC3339, parts[2])
		if shown.IsZero() || !compareBy(parts[1], shown.Compare(bound)) {
			return false
		}
	}
	return true
}

func compareBy(operator string, order int) bool {
	switch operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return order == 0
}

// MatchTags reports whether any of the tags is there, or all.
func (f Filter) MatchTags(tags []string, all bool) bool {
	want := strings.Split(strings.Join(f.Values, ","), ",")
	has := func(tag string) bool { return slices.Contains(tags, tag) }
	if all {
		return !slices.ContainsFunc(want, func(tag string) bool { return !has(tag) })
	}
	return slices.ContainsFunc(want, has)
}

// MatchParties compares ids of parties, or presence.
func (f Filter) MatchParties(ids []string, all bool) bool {
	f.Kind, f.array = FilterTerminal, false
	if all {
		f.Values = strings.Split(strings.Join(f.Values, ","), ",")
		return !slices.ContainsFunc(f.Values, func(id string) bool { return !slices.Contains(ids, id) })
	}
	return f.MatchText(ids...)
}

// SortRows orders rows by the tokens of sort that keys has, each with an optional minus. Rows
// without a value are last. It reports false if there was none.
func SortRows[T any](rows []*T, tokens []string, keys func(*T, string) (string, bool)) bool {
	tokens = slices.DeleteFunc(tokens, func(token string) bool {
		_, known := keys(new(T), strings.TrimPrefix(token, "-"))
		return !known
	})
	slices.SortStableFunc(rows, func(a, b *T) int {
		for _, token := range tokens {
			name, descending := strings.CutPrefix(token, "-")
			ka, _ := keys(a, name)
			kb, _ := keys(b, name)
			switch {
			case ka == kb:
				continue
			case ka == "" || kb == "":
				return strings.Compare(kb, ka)
			case descending:
				return strings.Compare(kb, ka)
			}
			return strings.Compare(ka, kb)
		}
		return 0
	})
	return len(tokens) > 0
}

// SortTime returns a time as text that sorts like it, "" for none.
func SortTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000")
}

// TimeRange reads filter[name][start] and filter[name][end].
func (x *Call) TimeRange(name string) state.TimeRange {
	end := func(side string) time.Time {
		parameter := "filter[" + name + "][" + side + "]"
		text := x.Query.Get(parameter)
		if text == "" {
			return time.Time{}
		}
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if t, err := time.Parse(layout, text); err == nil {
				return t
			}
		}
		x.Violate("%s must be an ISO 8601 date or time", parameter)
		return time.Time{}
	}
	return state.TimeRange{From: end("start"), To: end("end")}
}
