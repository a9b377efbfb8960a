package board

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// facet is a filter by name that is offered to choose from. Its key is that of
// [worklist.ParseFilter].
type facet struct{ Key, Label string }

// facets are offered in this order.
var facets = []facet{
	{"port", "Port of discharge"}, {"terminal", "Place"}, {"destination", "Destination"}, {"line", "Line"}, {"vessel", "Vessel"},
	{"customer", "Customer"}, {"holds", "Hold"}, {"fees", "Owes"},
}

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
	worklist.Filter
	Text    string // as it was typed; Filter.Texts are the numbers in it
	Sort    worklist.Order
	Page    int
	Long    bool   // pages are longer, for printing
	Mistake string // what of the address cannot be understood
	none    bool   // and so it admits nothing
}

// ours are the parameters of an address that are not filters.
var ours = []string{"q", "sort", "page", "rows", "what", "since"}

func parseQuery(values url.Values) query {
	q := query{Text: strings.TrimSpace(values.Get("q")), Sort: worklist.Order(values.Get("sort")), Page: 1, Long: values.Get("rows") == strconv.Itoa(perLong)}
	filters := url.Values{}
	for name, texts := range values {
		if !slices.Contains(ours, name) {
			filters[name] = texts
		}
	}
	var err error
	if q.Filter, err = worklist.ParseFilter(filters); err != nil {
		q.refuse(err)
	}
	q.Texts = termsOf(q.Text)
	q.check(values.Get("page"))
	return q
}

// refuse reports what of a filter cannot be understood. Such a filter admits nothing.
func (q *query) refuse(err error) {
	var unknown *worklist.UnknownNameError
	var argument *terminal49.ArgumentError
	switch q.none = true; {
	case errors.As(err, &unknown):
		q.Mistake = fmt.Sprintf("No container has %q for %s.", unknown.Text, worklist.ParameterName(unknown.Field))
		for i, n := range unknown.Nearest {
			q.Mistake = strings.TrimSuffix(q.Mistake, ".") + cmp.Or(map[int]string{0: "; the nearest are "}[i], ", ") + nameOf(n) + "."
		}
	case errors.As(err, &argument):
		q.Mistake = fmt.Sprintf("The filter %q %s.", worklist.ParameterName(argument.Field), argument.Problem)
	default:
		q.Mistake = err.Error()
	}
}

// check reports what else of the address cannot be understood.
func (q *query) check(page string) {
	if len(q.Texts) > mostTerms {
		q.Mistake, q.Texts = fmt.Sprintf("At most %d numbers can be looked for at once, so the others are left out.", mostTerms), q.Texts[:mostTerms]
	}
	if (worklist.ListOptions{Order: q.Sort}).Check() != nil {
		q.Mistake, q.Sort = "The list cannot be sorted by that, so the most urgent are first.", ""
	}
	if n, err := strconv.Atoi(page); err == nil && n > 0 {
		q.Page = n
	} else if page != "" {
		q.Mistake = "The page must be a number from 1, so the first one is shown."
	}
}

// nameOf returns a name for a person.
func nameOf(n worklist.AccountName) string { return cmp.Or(n.Name, n.Code) }

// mostTerms is how many numbers can be looked for at once.
const mostTerms = 200

// termsOf returns the numbers in a text, one more than mostTerms at most. Commas, semicolons and
// line breaks separate them. Spaces do if each word is long enough to be a number; otherwise they
// are in one, such as MSKU 718204-7.
func termsOf(text string) (terms []string) {
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;\r\n\t", r) }
	for part := range strings.FieldsFuncSeq(text, isSeparator) {
		for _, word := range numbersOf(part) {
			if term := terminal49.NormalizeContainerNumber(word); term != "" && !slices.Contains(terms, term) {
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

// values returns the address of the list, without its page.
func (q *query) values() url.Values {
	values := q.Filter.Values()
	values.Del("q")
	for name, text := range map[string]string{"q": q.Text, "sort": string(q.Sort)} {
		if text != "" {
			values.Set(name, text)
		}
	}
	if q.Long {
		values.Set("rows", strconv.Itoa(perLong))
	}
	return values
}

// Value returns the first text of a filter; "" if it is not set.
func (q query) Value(name string) string { return q.values().Get(name) }

// Link returns the address of the list, with other values of some parameters; "" removes one. A
// change of anything but the page leads to the first page.
func (q query) Link(path string, changes ...string) string {
	values := q.values()
	for i := 0; i+1 < len(changes); i += 2 {
		if name, text := changes[i], changes[i+1]; text == "" || name == "page" && text == "1" {
			values.Del(name)
		} else {
			values.Set(name, text)
		}
	}
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// Filters describes what the list is limited to, for paper; "" if it is not.
func (q query) Filters() string {
	values := q.values()
	var filters []string
	if len(q.Texts) > 3 {
		filters = append(filters, fmt.Sprint("any of ", len(q.Texts), " numbers"))
	} else if q.Text != "" {
		filters = append(filters, "with "+q.Text)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(ours, name) {
			filters = append(filters, words(name)+" "+words(strings.Join(values[name], ", ")))
		}
	}
	return strings.Join(filters, "; ")
}

func (q *query) perPage() int {
	if q.Long {
		return perLong
	}
	return perPage
}
