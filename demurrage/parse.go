package demurrage

import (
	"bytes"
	_ "embed" // the schema
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed tariff.schema.json
var schema []byte

// Schema returns the JSON Schema of a tariff, draft 2020-12, for editors. [ParseTariff] also checks
// what a schema cannot say, such as gaps between tiers.
func Schema() []byte { return bytes.Clone(schema) }

// mostTariff bounds the JSON of a tariff, in bytes.
const mostTariff = 4 << 20

// ParseTariff reads a tariff from JSON and validates it. A member that is missing, unknown or
// repeated is refused, because a misspelt condition would change what a stay costs.
//
// Errors: *terminal49.ArgumentError with the field, such as "charges[2].tiers[0].to".
func ParseTariff(data []byte) (*Tariff, error) {
	if len(data) > mostTariff {
		return nil, argument("tariff", "must have at most 4 MB")
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, argument("tariff", "must be JSON: "+err.Error())
	}
	if path := repeatedIn(json.NewDecoder(bytes.NewReader(data))); path != nil {
		slices.Reverse(path)
		return nil, argument(fieldAt(path), "must not be repeated")
	}
	if err := compiled().Validate(instance); err != nil {
		return nil, explain(err)
	}
	t := new(Tariff)
	if err := json.Unmarshal(data, t); err != nil {
		return nil, argument("tariff", err.Error())
	}
	return t, t.Validate()
}

// repeatedIn returns the path of the first member that is repeated in its object, the innermost
// name first, or nil if there is none. Package json takes the last one.
func repeatedIn(d *json.Decoder) (path []string) {
	open, _ := d.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return nil
	}
	seen := map[string]bool{}
	for i := 0; d.More(); i++ {
		step := strconv.Itoa(i)
		if open == json.Delim('{') {
			name, _ := d.Token()
			if step = name.(string); seen[step] {
				return []string{step}
			}
			seen[step] = true
		}
		if path = repeatedIn(d); path != nil {
			return append(path, step)
		}
	}
	_, _ = d.Token()
	return nil
}

var compiled = sync.OnceValue(compile)

// compile returns the schema as it is embedded. Its name has a scheme, and nothing can be loaded:
// the library resolves a name without one against the working directory, whose name it may not
// parse and whose files it would read instead.
func compile() *jsonschema.Schema {
	const name = "schema:tariff"
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	compiler.AssertFormat()
	if err = errors.Join(err, compiler.AddResource(name, document)); err != nil {
		panic(err) // a test compiles it
	}
	return compiler.MustCompile(name)
}

// explain returns the first problem that the schema finds, with its field. What a tariff cannot say
// is first: a tier that has a rate for a week also lacks the one for a day.
func explain(err error) error {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return argument("tariff", err.Error())
	}
	if field, what := unsaidIn(e); field != "" {
		return argument(field, "cannot be part of a tariff: "+what+" is not supported; see docs/money.md#what-it-cannot-say")
	}
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return argument(fieldAt(e.InstanceLocation), e.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
}

// unsaid is what a tariff cannot say, by the words in the names that members have for it. A
// misspelt free_days says something else.
var unsaid = []struct{ words, what string }{
	{"lost lose loses forfeit forfeits forfeited exceed exceeds exceeded retroactive", "free time that is lost if it is exceeded"},
	{"shared shares", "free time that charges share"},
	{"free", ""},
	{"minimum min", "a minimum charge"},
	{"week weekly month monthly hour hours hourly period periods", "a rate for a period other than a day"},
	{"ton tons tonne tonnes teu teus weight kg lb lbs cbm volume", "a rate by weight, volume or TEU"},
	{"cutoff cut", "a time of day after which the next day counts"},
	{"tax taxes vat gst", "a tax"},
	{"waiver waivers waived discount discounts rebate", "a waiver or discount"},
}

var words = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// unsaidIn returns the first member that a tariff cannot have, and what it would say; "" if there
// is none.
func unsaidIn(e *jsonschema.ValidationError) (field, what string) {
	if extra, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		for _, name := range slices.Sorted(slices.Values(extra.Properties)) {
			if what := unsaidBy(name); what != "" {
				return fieldAt(append(slices.Clone(e.InstanceLocation), name)), what
			}
		}
	}
	for _, cause := range e.Causes {
		if field, what = unsaidIn(cause); field != "" {
			return field, what
		}
	}
	return "", ""
}

func unsaidBy(name string) string {
	in := words.FindAllString(name, -1)
	for _, one := range unsaid {
		known := strings.Fields(one.words)
		if slices.ContainsFunc(in, func(word string) bool { return slices.Contains(known, strings.ToLower(word)) }) {
			return one.what
		}
	}
	return ""
}

// fieldAt returns a location such as charges[2].tiers[0].to.
func fieldAt(steps []string) string {
	var b strings.Builder
	for _, step := range steps {
		if strings.Trim(step, "0123456789") == "" {
			fmt.Fprintf(&b, "[%s]", step)
		} else {
			b.WriteString("." + step)
		}
	}
	if b.Len() == 0 {
		return "tariff"
	}
	return strings.TrimPrefix(b.String(), ".")
}
