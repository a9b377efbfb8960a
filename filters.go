package terminal49

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Reported and NotReported select by whether the service has any value. One of them
// is then the only value of a filter, such as []string{NotReported}.
const (
	Reported    = "@exists"
	NotReported = "@not_exists"
)

// DateRange selects by calendar day, bounds included; a zero bound is open. The service compares
// the day as it stores it, without conversion to the time zone of a port. If one day matters,
// extend the range by a day; [ContainersService.AllByPickupLFD] does that for a last free day.
type DateRange struct {
	From, To Date
	Presence string // instead of bounds: [Reported] or [NotReported]; "" for neither
}

// TimeRange selects by instant, bounds included; a zero bound is open.
type TimeRange struct {
	From, To time.Time
	Presence string // instead of bounds: [Reported] or [NotReported]; "" for neither
}

// FilterIgnoredError is returned when a list contains a resource that a filter excludes: the
// service probably does not have the filter, and ignored it. Services ignore filters that they do
// not know, without an error. None of the page's resources are returned.
type FilterIgnoredError struct {
	Op         string // operation, such as "containers.list"
	Filter     string // the query parameter, such as "filter[pickup_lfd]"
	ResourceID string // a resource that the filter excludes
}

// Error returns the operation, the filter and what contradicts it.
func (e *FilterIgnoredError) Error() string {
	return "terminal49: " + e.Op + ": the service ignored " + e.Filter + ", probably because it does not have this filter: " +
		"the list contains " + printable(e.ResourceID) + ", which the filter excludes"
}

// WithoutFilterCheck returns lists as they are, even if they contain resources that a filter
// excludes. Without it, List, Pages and All of containers and shipments compare each page with the
// typed filters and return a [*FilterIgnoredError] for a contradiction. A filter by an attribute
// that is missing, null or of a resource that is not included cannot be compared.
func WithoutFilterCheck() ClientOrCallOption {
	return bothOption(func(c *callConfig) error {
		c.unchecked = true
		return nil
	})
}

// filtering goes over the filters of a list. It adds them to the query or, if that is nil, compares
// them with what an item shows: nothing contradicts what is missing.
type filtering struct {
	q       *query
	sets    bool   // whether there are any
	ignored string // the key of a filter that the item contradicts; "" if there is none
}

// addFilters adds the filters that visit goes over to a query, and the check of what comes back.
func addFilters[T any](q *query, visit func(*filtering, *T)) {
	set := &filtering{q: q}
	if visit(set, new(T)); !set.sets {
		return
	}
	q.ignored = func(items any) (key, id string) {
		for _, item := range items.([]*T) {
			check := &filtering{}
			if visit(check, item); check.ignored != "" {
				return check.ignored, resourceOf(item).ID
			}
		}
		return "", ""
	}
}

// textForm is the form of a filter's values.
type textForm uint8

const (
	formWords  textForm = iota // letters, digits, spaces and _ - . &
	formLOCODE                 // a UN/LOCODE
	formSCAC
	formID    // a UUID
	formTag   // anything without a comma
	formField // like formTag, for a filter that accepts Reported and NotReported
	formFree  // the single text of a search
	// formExact is added to the form of a filter that accepts neither Reported nor NotReported.
	formExact = 1 << 4
)

// forms are what fits each form, and what is required of other values. Any free text fits.
var forms = [...]struct {
	fits    func(string) bool
	problem string
}{
	formWords:  {isWords, "must have values of letters, digits, spaces and _ - . & only; pass each value separately"},
	formLOCODE: {isLOCODE, "must contain only UN/LOCODEs such as USLAX"},
	formSCAC:   {isSCAC, "must contain only SCACs such as MAEU"},
	formID:     {isUUID, "must contain only UUIDs"},
	formTag:    {isTag, "must not have an empty value or one with a comma; pass each value separately"},
	formField:  {isTag, "must not have an empty value or one with a comma; pass each value separately"},
	formFree:   {},
}

// problem returns what is required of a value, or "".
func (f textForm) problem(v string) string {
	if form := forms[f&^formExact]; form.fits != nil && !form.fits(v) {
		return form.problem
	}
	if f == formField && isPresence(v) {
		return "must have Reported or NotReported as the only value"
	}
	return ""
}

func isWords(v string) bool { return v != "" && !strings.ContainsFunc(v, isForeignToFilters) }

func isLOCODE(v string) bool { return len(v) == 5 && isUpperAlphanumeric(v) }

func isTag(v string) bool { return v != "" && !strings.Contains(v, ",") }

func isForeignToFilters(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" _-.&", r)
}

func isPresence(s string) bool { return s == Reported || s == NotReported }

//go:noinline
func filterName(key string) string { return "filter[" + key + "]" }

// text is a filter by any of some texts. seen is what the item shows; "" if that is unknown.
//
//go:noinline
func (f *filtering) text(key string, want []string, form textForm, seen string) {
	if len(want) == 0 {
		return
	}
	same := func(v string) bool { return v == Reported || strings.EqualFold(strings.TrimSpace(v), seen) }
	if f.q == nil {
		f.contradict(key, seen != "" && !slices.ContainsFunc(want, same))
		return
	}
	values := make([]string, len(want))
	for i, v := range want {
		values[i] = strings.TrimSpace(v)
		if problem := form.problem(values[i]); problem != "" && (form&formExact != 0 || len(want) > 1 || !isPresence(v)) {
			f.q.reject(filterName(key), problem)
		}
	}
	f.set(key, strings.Join(values, ","))
}

// search is a filter by free text.
func (f *filtering) search(key, text string) {
	if text = strings.TrimSpace(text); text != "" {
		f.text(key, []string{text}, formFree|formExact, "")
	}
}

// tags is a filter by any or all tags. seen are those of the item; nil if they are unknown.
func (f *filtering) tags(want []string, all bool, seen []string) {
	missing := 0
	for _, tag := range want {
		if !slices.ContainsFunc(seen, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(tag)) }) {
			missing++
		}
	}
	f.text("tags", want, formTag|formExact, "")
	f.flag("tags_and", only(all && len(want) > 0), Opt[bool]{})
	f.contradict("tags", seen != nil && (missing > 0 && all || missing > 0 && missing == len(want)))
}

// flag is a filter by a condition. seen is whether it holds for the item, if that is known.
//
//go:noinline
func (f *filtering) flag(key string, want, seen Opt[bool]) {
	v, ok := want.Get()
	if ok && f.q != nil {
		f.set(key, strconv.FormatBool(v))
	}
	shown, known := seen.Get()
	f.contradict(key, ok && known && v != shown)
}

// only returns the value of a selector that takes no false.
func only(on bool) Opt[bool] {
	if !on {
		return Opt[bool]{}
	}
	return Some(true)
}

// date is a filter by calendar day. seen may be nil.
//
//go:noinline
func (f *filtering) date(key string, r *DateRange, seen *Time) {
	if f.q == nil {
		f.contradict(key, seen != nil && r.excludes(*seen))
		return
	}
	for _, d := range []Date{r.From, r.To} {
		if !d.IsZero() && !d.exists() {
			f.q.reject(filterName(key), "must have valid calendar days, such as 2026-02-28")
		}
	}
	f.bounds(key, r.From.Format(time.DateOnly), r.To.Format(time.DateOnly), r.Presence, !r.To.IsZero() && r.From.Compare(r.To) > 0)
}

// time is a filter by instant.
func (f *filtering) time(key string, r TimeRange, seen Time) {
	if f.q == nil {
		f.contradict(key, r.excludes(seen))
		return
	}
	f.bounds(key, instantText(r.From), instantText(r.To), r.Presence, !r.To.IsZero() && r.From.After(r.To))
}

func instantText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// bounds sets the bounds of a filter, "" for an open one.
func (f *filtering) bounds(key, from, to, presence string, reversed bool) {
	switch {
	case reversed:
		f.q.reject(filterName(key), "must not have a From after its To")
	case presence != "":
		if !isPresence(presence) || from+to != "" {
			f.q.reject(filterName(key), "must have a Presence of Reported or NotReported, without bounds")
		}
		f.set(key, presence)
	case from != "" && to != "":
		f.set(key, ">="+from, "<="+to)
	case from != "":
		f.set(key, ">="+from)
	case to != "":
		f.set(key, "<="+to)
	}
}

// set adds a filter to the query. More than one value must all match.
//
//go:noinline
func (f *filtering) set(key string, values ...string) {
	name := filterName(key)
	if f.q.values.Has(name) {
		f.q.reject(name, "must be set only once")
	}
	if len(values) > 1 {
		name += "[]"
	}
	f.sets = true
	f.q.set(name, values...)
}

//go:noinline
func (f *filtering) contradict(key string, contradicted bool) {
	if contradicted && f.q == nil {
		f.ignored = key
	}
}

// setOtherFilters adds filters by the names of their query parameters.
func (q *query) setOtherFilters(filters map[string][]string) {
	for name, values := range filters {
		key, problem := otherFilter(name, values)
		if problem != "" {
			q.reject("RawFilters", problem)
		}
		for sent := range q.values {
			if strings.HasPrefix(sent, filterName(key)) {
				q.reject(filterName(key), "must be set only once")
			}
		}
	}
	for name, values := range filters {
		q.set(name, values...)
	}
}

// otherFilter returns the key of a filter, and what is wrong with its parameter or values, or "".
func otherFilter(name string, values []string) (key, problem string) {
	key, rest, closed := strings.Cut(strings.TrimPrefix(name, "filter["), "]")
	switch {
	case !strings.HasPrefix(name, "filter[") || !closed || key == "" || rest != "" && !strings.HasSuffix(rest, "]"):
		return key, `must have keys such as "filter[number]" or "filter[party_id][value]"`
	case len(values) == 0 || slices.Contains(values, ""), len(values) > 1 && !strings.HasSuffix(name, "[]"):
		return key, `must have one value for each key, or several for a key that ends in "[]"`
	}
	return key, ""
}

// excludes reports whether no day that the service may have stored for seen is in the range.
func (r *DateRange) excludes(seen Time) bool {
	if seen.IsZero() || r.Presence != "" {
		return r.Presence == NotReported && !seen.IsZero()
	}
	first := DateOf(seen.utc()) // the service may have stored the day in UTC or at the place
	last := first
	local, known := seen.Date()
	switch {
	case !known:
		first, last = DateOf(seen.utc().AddDate(0, 0, -1)), DateOf(seen.utc().AddDate(0, 0, 1))
	case local.Compare(first) < 0:
		first = local
	default:
		last = local
	}
	return last.Compare(r.From) < 0 || !r.To.IsZero() && first.Compare(r.To) > 0
}

// excludes allows for times that are stored with a fraction of the second that is sent.
func (r TimeRange) excludes(seen Time) bool {
	at, known := seen.Instant()
	if r.Presence != "" || !known {
		return r.Presence == NotReported && !seen.IsZero()
	}
	return at.Add(time.Second).Before(r.From) || !r.To.IsZero() && at.After(r.To)
}

// descending returns the reverse of an order: "" and descending ones are returned unchanged.
func descending[S ~string](s S) S {
	if s == "" || s[0] == '-' {
		return s
	}
	return "-" + s
}

// verify returns an error if an item of a page contradicts a filter.
func (c *apiCall) verify(items any) error {
	if c.ignored == nil || c.unchecked {
		return nil
	}
	if key, id := c.ignored(items); key != "" {
		return &FilterIgnoredError{Op: c.Name, Filter: filterName(key), ResourceID: id}
	}
	return nil
}
