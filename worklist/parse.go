package worklist

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
)

// parameter is a field of a filter with its name in text.
type parameter struct {
	name, field string
	texts       func(*Filter) []string                 // nil if it is not set
	set         func(f *Filter, texts []string) string // returns what the texts must be; "" if they are
}

// parameters are in the order of the fields.
var parameters = []parameter{
	list("q", "Texts", func(f *Filter) *[]string { return &f.Texts }),
	list("work", "Work", func(f *Filter) *[]Work { return &f.Work }),
	positive("days", "Days", func(f *Filter) *int { return &f.Days }),
	list("situation", "Situations", func(f *Filter) *[]terminal49.Situation { return &f.Situations }),
	list("urgency", "Urgencies", func(f *Filter) *[]terminal49.Urgency { return &f.Urgencies }),
	list("stage", "Stages", func(f *Filter) *[]terminal49.Stage { return &f.Stages }),
	list("terminal", "Terminals", func(f *Filter) *[]string { return &f.Terminals }),
	list("port", "PortsOfDischarge", func(f *Filter) *[]string { return &f.PortsOfDischarge }),
	list("destination", "Destinations", func(f *Filter) *[]string { return &f.Destinations }),
	list("line", "ShippingLines", func(f *Filter) *[]string { return &f.ShippingLines }),
	list("vessel", "Vessels", func(f *Filter) *[]string { return &f.Vessels }),
	list("customer", "Customers", func(f *Filter) *[]string { return &f.Customers }),
	list("references", "References", func(f *Filter) *[]string { return &f.References }),
	list("tags", "Tags", func(f *Filter) *[]string { return &f.Tags }),
	list("holds", "Holds", func(f *Filter) *[]string { return &f.Holds }),
	list("fees", "Fees", func(f *Filter) *[]string { return &f.Fees }),
	list("equipment", "Equipment", func(f *Filter) *[]string { return &f.Equipment }),
	day("last_free_day_from", "LastFreeDayFrom", func(f *Filter) *terminal49.Date { return &f.LastFreeDayFrom }),
	day("last_free_day_to", "LastFreeDayTo", func(f *Filter) *terminal49.Date { return &f.LastFreeDayTo }),
	number("days_left_from", "DaysLeftFrom", func(f *Filter) *terminal49.Opt[int] { return &f.DaysLeftFrom }),
	number("days_left_to", "DaysLeftTo", func(f *Filter) *terminal49.Opt[int] { return &f.DaysLeftTo }),
	flag("last_free_day_unknown", "LastFreeDayUnknown", func(f *Filter) *bool { return &f.LastFreeDayUnknown }),
	day("eta_from", "ETAFrom", func(f *Filter) *terminal49.Date { return &f.ETAFrom }),
	day("eta_to", "ETATo", func(f *Filter) *terminal49.Date { return &f.ETATo }),
	flag("last_free_days_differ", "LastFreeDaysDiffer", func(f *Filter) *bool { return &f.LastFreeDaysDiffer }),
	one("appointment", "Appointment", func(f *Filter) *Appointment { return &f.Appointment }),
	one("tracking", "Tracking", func(f *Filter) *Tracking { return &f.Tracking }),
	positive("unchecked_hours", "UncheckedHours", func(f *Filter) *int { return &f.UncheckedHours }),
}

// ParameterName returns the name, in [ParseFilter], of a field of a [Filter], such as "line" for
// "ShippingLines"; the field itself if there is none.
func ParameterName(field string) string {
	for _, p := range parameters {
		if p.field == field {
			return p.name
		}
	}
	return field
}

// ParseFilter reads a filter from text, as an address or a command line has it. Empty texts are
// ignored. The names are those of the keys that containers are counted by, where there is one: q
// (for Texts), work, days, situation, urgency, stage, terminal, port, destination, line, vessel,
// customer, references, tags, holds, fees, equipment, last_free_day_from, last_free_day_to,
// days_left_from, days_left_to, last_free_day_unknown, eta_from, eta_to, last_free_days_differ,
// appointment, tracking and unchecked_hours.
//
// Errors: *terminal49.ArgumentError whose Field is the name.
func ParseFilter(values url.Values) (f Filter, err error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name })
		if i < 0 {
			return f, problem(name, "must not be set: it is not a filter")
		}
		texts := slices.DeleteFunc(slices.Clone(values[name]), func(text string) bool { return strings.TrimSpace(text) == "" })
		if len(texts) == 0 {
			continue
		}
		if must := parameters[i].set(&f, texts); must != "" {
			return f, problem(name, must+", not "+quoted(strings.Join(texts, ", ")))
		}
	}
	return f, nil
}

// Values returns the filter as text, which [ParseFilter] reads.
func (f Filter) Values() url.Values {
	values := url.Values{}
	for _, p := range parameters {
		if texts := p.texts(&f); len(texts) > 0 {
			values[p.name] = texts
		}
	}
	return values
}

func list[T ~string](name, field string, of func(*Filter) *[]T) parameter {
	return parameter{name, field, func(f *Filter) (texts []string) {
		for _, one := range *of(f) {
			texts = append(texts, string(one))
		}
		return texts
	}, func(f *Filter, texts []string) string {
		for _, text := range texts {
			*of(f) = append(*of(f), T(strings.TrimSpace(text)))
		}
		return ""
	}}
}

// onlyOne is what several texts must be.
const onlyOne = "must be one value"

func one[T ~string](name, field string, of func(*Filter) *T) parameter {
	return parameter{name, field, func(f *Filter) (texts []string) {
		if *of(f) != "" {
			texts = []string{string(*of(f))}
		}
		return texts
	}, func(f *Filter, texts []string) string {
		if len(texts) > 1 {
			return onlyOne
		}
		*of(f) = T(texts[0])
		return ""
	}}
}

// positive is a parameter with a number of 1 or more.
func positive(name, field string, of func(*Filter) *int) parameter {
	return parameter{name, field, func(f *Filter) []string { return numberText(*of(f), *of(f) != 0) }, func(f *Filter, texts []string) string {
		if must := readNumber(texts, func(n int) { *of(f) = n }); must != "" || *of(f) > 0 {
			return must
		}
		return "must be at least 1"
	}}
}

func flag(name, field string, of func(*Filter) *bool) parameter {
	return parameter{name, field, func(f *Filter) (texts []string) {
		if *of(f) {
			texts = []string{"true"}
		}
		return texts
	}, func(f *Filter, texts []string) string {
		is, err := strconv.ParseBool(texts[0])
		if err != nil || len(texts) > 1 {
			return "must be true or false"
		}
		*of(f) = is
		return ""
	}}
}

func day(name, field string, of func(*Filter) *terminal49.Date) parameter {
	return parameter{name, field, func(f *Filter) (texts []string) {
		if !of(f).IsZero() {
			texts = []string{of(f).String()}
		}
		return texts
	}, func(f *Filter, texts []string) string {
		date, err := terminal49.ParseDate(strings.TrimSpace(texts[0]))
		if err != nil || len(texts) > 1 {
			return "must be a day such as 2026-11-27"
		}
		*of(f) = date
		return ""
	}}
}

func number(name, field string, of func(*Filter) *terminal49.Opt[int]) parameter {
	return parameter{name, field, func(f *Filter) []string { return numberText(of(f).Get()) }, func(f *Filter, texts []string) string {
		return readNumber(texts, func(n int) { *of(f) = terminal49.Some(n) })
	}}
}

func numberText(n int, is bool) []string {
	if !is {
		return nil
	}
	return []string{strconv.Itoa(n)}
}

func readNumber(texts []string, set func(int)) string {
	n, err := strconv.Atoi(strings.TrimSpace(texts[0]))
	if err != nil || len(texts) > 1 {
		return "must be a whole number of days"
	}
	set(n)
	return ""
}
