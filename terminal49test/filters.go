package terminal49test

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

// filterKind is the grammar of a filter's values.
type filterKind uint8

const (
	filterText     filterKind = iota // commas are OR; several values are AND
	filterTextAny                    // as filterText, but several values are OR, without presence
	filterTerminal                   // as filterTextAny, with presence
	filterOwner                      // a scalar without presence
	filterExact                      // a comma is literal; several values are OR
	filterBool
	filterSelector // false acts like true, or changes nothing
	filterVoyage
	filterSearch
	filterDate
	filterTime
	filterChanged // a time with a lower bound
	filterRange   // two days
	filterTags
	filterParty
	filterParties
	filterNames  // as filterText, in any case
	filterFields // texts by slug
)

// filter is one filter of a request.
type filter struct {
	name, key, sub string // filter[key], filter[key][sub]
	kind           filterKind
	values         []string
	array          bool
}

var (
	filterPattern = regexp.MustCompile(`^filter\[([a-z0-9_]+)\](?:\[([a-z0-9_]+)\])?(\[\])?$`)
	fieldPattern  = regexp.MustCompile(`^filter\[(custom_fields)\]\[([^\[\].]+)\]()$`) // a dotted slug is ignored
)

// parseFilter returns the filter of a query parameter, and false if the list does not have it.
func parseFilter(kinds map[string]filterKind, name string) (filter, bool) {
	parts := fieldPattern.FindStringSubmatch(name)
	if parts == nil {
		parts = filterPattern.FindStringSubmatch(name)
	}
	if parts == nil {
		return filter{}, false
	}
	f := filter{name: name, key: parts[1], sub: parts[2], array: parts[3] != ""}
	kind, known := kinds[f.key]
	f.kind = kind
	if kind == filterFields {
		return f, known && f.sub != "" && !f.array
	}
	return f, known && (f.sub == "" || kind == filterParty || kind == filterParties)
}

// filters reads the filters of a newer service. A reply that is not nil is the refusal of a value.
func (x *exchange) filters() (list []filter, refusal *reply) {
	for _, name := range state.SortedKeys(x.query) {
		f, known := parseFilter(x.route.filters, name)
		if !known {
			continue
		}
		f.values = x.query[name]
		if !f.valid() {
			x.violate("query parameter %q has a value that the service refuses", name)
			r := errorReply(ShapeFull, problem{status: 400, title: "Bad Request", parameter: name, detail: "The value is invalid."})
			return nil, &r
		}
		list = append(list, f)
	}
	return list, nil
}

func isPresence(v string) bool { return v == "@exists" || v == "@not_exists" }

var (
	dateValue = regexp.MustCompile(`^(<=|>=|=|<|>)?(\d{4}-\d\d-\d\d|today|\d+\.days?\.(?:ago|from_now))$`)
	timeValue = regexp.MustCompile(`^(<=|>=|=|<|>)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$`)
)

// maxFieldText is the maximum length of a filter by a custom field.
const maxFieldText = 200

func (f filter) valid() bool {
	scalar := []filterKind{filterBool, filterSelector, filterVoyage, filterSearch, filterOwner}
	if slices.Contains(scalar, f.kind) && f.array || f.kind == filterRange && (!f.array || len(f.values) != 2) {
		return false
	}
	if f.kind == filterChanged && !slices.ContainsFunc(f.values, func(v string) bool { return strings.HasPrefix(v, ">") }) {
		return false
	}
	for _, v := range f.values {
		if f.kind == filterFields && utf8.RuneCountInString(v) > maxFieldText {
			return false
		}
		for _, part := range f.parts(v) {
			if !f.validPart(part) {
				return false
			}
		}
	}
	return true
}

// parts splits a scalar at its commas, where they mean OR.
func (f filter) parts(v string) []string {
	if f.array && f.kind != filterText || f.kind == filterExact || f.kind == filterSearch {
		return []string{v}
	}
	return strings.Split(v, ",")
}

func (f filter) validPart(v string) bool {
	switch f.kind {
	case filterBool:
		return v == "true" || v == "false"
	case filterVoyage:
		return v == "arrived" || v == "on_ship"
	case filterDate:
		return isPresence(v) || dateValue.MatchString(v)
	case filterRange:
		_, err := time.Parse(time.DateOnly, v)
		return err == nil
	case filterTime, filterChanged:
		return f.kind == filterTime && isPresence(v) || timeValue.MatchString(v)
	case filterText, filterTerminal, filterTextAny, filterOwner, filterNames:
		v = strings.TrimPrefix(v, "=")
		return f.kind <= filterTerminal && f.kind != filterTextAny && isPresence(v) ||
			v != "" && !strings.ContainsFunc(v, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.&", r)
			})
	}
	return true
}

// matchText reports whether one of the texts that a resource has, which may be none, matches.
func (f filter) matchText(shown ...string) bool {
	shown = slices.DeleteFunc(shown, func(s string) bool { return s == "" })
	matches := func(v string) bool {
		return slices.ContainsFunc(f.parts(v), func(v string) bool {
			switch v {
			case "@exists":
				return len(shown) > 0
			case "@not_exists":
				return len(shown) == 0
			}
			return slices.Contains(shown, strings.TrimPrefix(v, "="))
		})
	}
	if f.kind == filterText && f.array {
		return !slices.ContainsFunc(f.values, func(v string) bool { return !matches(v) })
	}
	return slices.ContainsFunc(f.values, matches)
}

// matchName reports whether a name is one of the values, whatever its case.
func (f filter) matchName(name string) bool {
	return slices.ContainsFunc(f.values, func(v string) bool {
		return slices.ContainsFunc(f.parts(v), func(v string) bool { return strings.EqualFold(strings.TrimPrefix(v, "="), name) })
	})
}

// matchPrefix reports whether one of the texts begins with the value, whatever its case.
func (f filter) matchPrefix(shown ...string) bool {
	want := strings.ToUpper(strings.TrimLeft(f.values[0], "~="))
	return slices.ContainsFunc(shown, func(s string) bool { return strings.HasPrefix(strings.ToUpper(s), want) })
}

// matchBool compares a condition with what is true and what is false of a resource, which may be
// neither.
func (f filter) matchBool(yes, no bool) bool {
	return f.values[0] == "true" && yes || f.values[0] == "false" && no
}

// matchDay compares the stored calendar day, without conversion to a time zone.
func (f filter) matchDay(shown, now time.Time) bool {
	for _, v := range f.values {
		if !slices.ContainsFunc(f.parts(v), func(v string) bool {
			if isPresence(v) {
				return shown.IsZero() == (v == "@not_exists")
			}
			parts := dateValue.FindStringSubmatch(v)
			day := relativeDay(parts[2], now)
			return !shown.IsZero() && compareBy(parts[1], shown.UTC().Truncate(day24).Compare(day))
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
	return now.UTC().Truncate(day24).AddDate(0, 0, n)
}

func (f filter) matchTime(shown time.Time) bool {
	for _, v := range f.values {
		if isPresence(v) {
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

// matchTags reports whether any of the tags is there, or all.
func (f filter) matchTags(tags []string, all bool) bool {
	want := strings.Split(strings.Join(f.values, ","), ",")
	has := func(tag string) bool { return slices.Contains(tags, tag) }
	if all {
		return !slices.ContainsFunc(want, func(tag string) bool { return !has(tag) })
	}
	return slices.ContainsFunc(want, has)
}

// matchParties compares ids of parties, or presence.
func (f filter) matchParties(ids []string, all bool) bool {
	f.kind, f.array = filterTerminal, false
	if all {
		f.values = strings.Split(strings.Join(f.values, ","), ",")
		return !slices.ContainsFunc(f.values, func(id string) bool { return !slices.Contains(ids, id) })
	}
	return f.matchText(ids...)
}

// sortRows orders rows by the tokens of sort that keys has, each with an optional minus. Rows
// without a value are last. It reports false if there was none.
func sortRows[T any](rows []*T, tokens []string, keys func(*T, string) (string, bool)) bool {
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

// sortTime returns a time as text that sorts like it, "" for none.
func sortTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000")
}
