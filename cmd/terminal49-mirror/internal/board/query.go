package board

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// facet is something that the list can be limited to by its name.
type facet struct {
	Key, Label string
	of         func(*row) []string
}

// facets are offered in this order. A place admits what is there and what goes there,
// and a port what is at its terminals.
var facets = [...]facet{
	{"port", "Port of discharge", func(r *row) []string { return []string{r.Port} }},
	{"place", "Place", func(r *row) []string { return []string{r.Place, r.BoundFor, r.InPort} }},
	{"line", "Line", func(r *row) []string { return []string{r.Line} }},
	{"vessel", "Vessel", func(r *row) []string { return []string{r.Vessel, r.Ship()} }},
	{"customer", "Customer", func(r *row) []string { return []string{r.Customer} }},
	holdFacet: {"hold", "Hold", func(r *row) []string { return namesIn(r.HoldKinds) }},
	owesFacet: {"owes", "Owes", func(r *row) []string { return namesIn(r.Owes) }},
}

// Like the situation and the urgency, these facets have counts above the list.
const (
	holdFacet = 5 + iota
	owesFacet
)

// mostNames is how many names are offered to choose from. Of more, a part of one is typed.
const mostNames = 40

// A page has this many rows, or this many to be printed.
const (
	perPage = 100
	perLong = 1000
)

// query is what the list is limited to and sorted by. It is in the address, so that it works
// without JavaScript and can be bookmarked.
type query struct {
	Text      string // part of a number or reference
	Names     [len(facets)]string
	Situation terminal49.Situation
	Level     terminal49.Urgency
	LFD       string // one of lfdChoices
	Day       string // the last free day itself
	Arrival   string // one of arrivalChoices
	Sort      string // one of sorts, with "-" before it for the reverse; "" for the most urgent first
	Page      int
	Long      bool   // pages are longer, for printing
	Mistake   string // what of the address cannot be understood

	now   time.Time
	terms []string            // of Text, as searchable returns them; one of them must be in a row
	part  [len(facets)]string // if a name is not one of a row: what a row's must have in it, as searchable returns it
}

func parseQuery(values url.Values, m *model, now time.Time) query {
	q := query{now: now, Arrival: values.Get("arrival"), Text: strings.TrimSpace(values.Get("q")), Situation: terminal49.Situation(values.Get("situation")), Level: terminal49.Urgency(values.Get("urgency")),
		LFD: values.Get("lfd"), Long: values.Get("rows") == strconv.Itoa(perLong), Day: strings.TrimSpace(values.Get("day")), Sort: values.Get("sort"), Page: 1}
	q.terms = termsOf(q.Text)
	for i, f := range facets {
		q.Names[i] = strings.TrimSpace(values.Get(f.Key))
		if !m.hasName(i, q.Names[i]) {
			q.part[i] = partOf(q.Names[i])
		}
	}
	q.check(values.Get("page"))
	return q
}

// check reports what of the address cannot be understood. A filter that cannot be understood
// admits nothing.
func (q *query) check(page string) {
	if _, err := time.Parse(time.DateOnly, q.Day); q.Day != "" && err != nil {
		q.Mistake = "The last free day must be a date such as 2026-11-27."
	}
	if !slices.ContainsFunc(lfdChoices, func(c choice) bool { return c.Value == q.LFD }) {
		q.Mistake = "The last free day must be one of those in the list."
	}
	if !slices.ContainsFunc(arrivalChoices, func(c choice) bool { return c.Value == q.Arrival }) {
		q.Mistake = "The arrival must be one of those in the list."
	}
	if q.Situation != "" && situationIndex(q.Situation) < 0 {
		q.Mistake = "The situation must be one of those in the list."
	}
	if len(q.terms) > mostTerms {
		q.Mistake, q.terms = fmt.Sprintf("At most %d numbers can be looked for at once, so the others are left out.", mostTerms), q.terms[:mostTerms]
	}
	if sorts[strings.TrimPrefix(q.Sort, "-")] == nil && q.Sort != "" {
		q.Mistake, q.Sort = "The list cannot be sorted by that, so the most urgent are first.", ""
	}
	if n, err := strconv.Atoi(page); err == nil && n > 0 {
		q.Page = n
	} else if page != "" {
		q.Mistake = "The page must be a number from 1, so the first one is shown."
	}
}

// choice is a value of a filter, with its name.
type choice struct{ Value, Name string }

var lfdChoices = []choice{
	{"", "all"}, {"over", "passed"}, {"0", "passed or today"}, {"1", "passed or by tomorrow"}, {"3", "passed or within 3 days"},
	{"7", "passed or within 7 days"}, {"none", "not known"},
}

// arrivalChoices are an estimate, how far it is from the first one, or how long a container has
// been at its place. The number is in days.
var arrivalChoices = []choice{
	{"", "all"}, {"in 1", "expected within a day"}, {"in 3", "expected within 3 days"}, {"in 7", "expected within 7 days"},
	{"late 1", "a day late or more"}, {"late 3", "3 days late or more"}, {"late 7", "7 days late or more"},
	{"for 3", "there for 3 days or more"}, {"for 7", "there for 7 days or more"},
}

// admits reports whether a row whose text is looked for is in the list, apart from what is counted
// above it.
func (q *query) admits(r *row) bool {
	return q.admitsNames(r, 0, holdFacet) && (q.Day == "" || r.LFD == q.Day) && q.admitsDays(r) && q.admitsArrival(r)
}

// isChosen reports whether a row is in the list that admits it.
func (q *query) isChosen(r *row) bool {
	return isChosen(q.Situation, r.Situation) && isChosen(q.Level, r.Level) && q.admitsNames(r, holdFacet, len(facets))
}

func (q *query) admitsText(r *row) bool {
	return len(q.terms) == 0 || slices.ContainsFunc(q.terms, func(term string) bool { return strings.Contains(r.search, term) })
}

// admitsNames reports whether the facets from one to before another admit a row.
func (q *query) admitsNames(r *row, from, to int) bool {
	for i := from; i < to; i++ {
		if want := q.Names[i]; want != "" && !slices.ContainsFunc(facets[i].of(r), func(name string) bool {
			return name == want || q.part[i] != "" && strings.Contains(searchable(name), q.part[i])
		}) {
			return false
		}
	}
	return true
}

// notNames are what people write before a vessel and before its voyage.
var notNames = regexp.MustCompile(`(?i)^m/?v\b\.?|\bvoy(age)?\b\.?|\bv\.|,`)

// partOf returns what a name must have in it, without notNames unless there is nothing else.
func partOf(name string) string {
	return cmp.Or(searchable(notNames.ReplaceAllString(name, "")), searchable(name))
}

func (q *query) admitsDays(r *row) bool {
	days, known := r.Days.Get()
	switch q.LFD {
	case "":
		return true
	case "over":
		return known && days < 0
	case "none":
		return r.LFD == ""
	}
	most, err := strconv.Atoi(q.LFD)
	return err == nil && known && days <= most
}

// admitsArrival also admits what was expected in the past and has not arrived.
func (q *query) admitsArrival(r *row) bool {
	if q.Arrival == "" {
		return true
	}
	kind, number, _ := strings.Cut(q.Arrival, " ")
	days, err := strconv.Atoi(number)
	span, at := time.Duration(days)*24*time.Hour, time.Unix(r.arrives, 0)
	switch {
	case err != nil || r.arrives == 0:
		return false
	case kind == "in":
		return r.expected && at.Sub(q.now) <= span
	case kind == "late":
		return r.expected && r.late >= days
	}
	return kind == "for" && !r.expected && q.now.Sub(at) >= span
}

// isChosen reports whether a filter, "" for none, admits a value.
func isChosen[S ~string](want, value S) bool { return want == "" || want == value }

// mostTerms is how many numbers can be looked for at once.
const mostTerms = 200

// termsOf returns the numbers in a text, one more than mostTerms at most. Commas, semicolons and
// line breaks separate them. Spaces do if each word is long enough to be a number; otherwise they
// are in one, such as MSKU 718204-7.
func termsOf(text string) (terms []string) {
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;\r\n\t", r) }
	for part := range strings.FieldsFuncSeq(text, isSeparator) {
		for _, word := range numbersOf(part) {
			if term := searchable(word); term != "" && !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
			if len(terms) > mostTerms {
				return terms // the text may be long
			}
		}
	}
	return terms
}

// spelled is a container number with spaces or dashes in it. A field of one line makes spaces of
// line breaks, so they also separate such numbers.
var spelled = regexp.MustCompile(`(?i)\b[A-Z]{4}(?:[\s-]*[0-9]){6,7}\b`)

func numbersOf(part string) []string {
	numbers := spelled.FindAllString(part, -1)
	others, long := wordsOf(strings.Join(spelled.Split(part, -1), " "))
	if !long && len(numbers) < 2 {
		return []string{part} // a reference may look like a container number
	}
	return append(numbers, others...)
}

// wordsOf returns the words of a text if all are long enough to be numbers, or the text.
func wordsOf(text string) (words []string, long bool) {
	words = strings.Fields(text)
	if slices.ContainsFunc(words, func(word string) bool { return len(word) < shortestNumber }) {
		return []string{text}, false
	}
	return words, true
}

// shortestNumber is shorter than a container number, and longer than its parts.
const shortestNumber = 9

// searchable returns a text without what people write differently, such as spaces, dashes and case.
func searchable(text string) string { return terminal49.NormalizeContainerNumber(text) }

// sorts are what the list can be sorted by, in addition to the urgency. Rows without a value are
// last in both directions.
var sorts = map[string]func(*row) string{
	"number":   func(r *row) string { return r.Number },
	"lfd":      func(r *row) string { return r.LFD },
	"place":    func(r *row) string { return cmp.Or(r.Place, r.BoundFor) },
	"vessel":   func(r *row) string { return r.Vessel },
	"customer": func(r *row) string { return r.Customer },
	"arrival": func(r *row) string {
		if r.arrives == 0 {
			return ""
		}
		return time.Unix(r.arrives, 0).UTC().Format(time.RFC3339)
	},
}

// sort sorts rows that are sorted by urgency.
func (q *query) sort(rows []*row) {
	key, down := strings.CutPrefix(q.Sort, "-")
	of := sorts[key]
	if of == nil {
		return
	}
	values := make(map[*row]string, len(rows))
	for _, r := range rows {
		values[r] = of(r)
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		x, y := values[a], values[b]
		if x == "" || y == "" || !down {
			x, y = cmp.Or(x, "\U0010ffff"), cmp.Or(y, "\U0010ffff")
			return strings.Compare(x, y)
		}
		return strings.Compare(y, x)
	})
}

// pages returns how many pages the list has, and cuts the rows to the page that is asked for.
func (q *query) pages(rows []*row) (page []*row, pages int) {
	most := q.perPage()
	pages = max(1, (len(rows)+most-1)/most)
	q.Page = min(q.Page, pages)
	from := (q.Page - 1) * most
	return rows[from:min(from+most, len(rows))], pages
}

func (q *query) perPage() int {
	if q.Long {
		return perLong
	}
	return perPage
}

// Link returns the address of the list, with other values of some parameters; "" removes one. A
// change of anything but the page leads to the first page.
func (q query) Link(path string, changes ...string) string {
	values := url.Values{"q": {q.Text}, "situation": {string(q.Situation)}, "urgency": {string(q.Level)}, "lfd": {q.LFD}, "day": {q.Day}, "arrival": {q.Arrival}, "sort": {q.Sort}}
	for i, f := range facets {
		values.Set(f.Key, q.Names[i])
	}
	if q.Long {
		values.Set("rows", strconv.Itoa(perLong))
	}
	for i := 0; i+1 < len(changes); i += 2 {
		values.Set(changes[i], changes[i+1])
	}
	for key := range values {
		if values.Get(key) == "" || key == "page" && values.Get(key) == "1" {
			values.Del(key)
		}
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}
