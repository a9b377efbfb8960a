package demurrage

import (
	"bytes"
	_ "embed" // the schema
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
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

// ParseTariff reads a tariff from JSON and validates it. A member that is missing or unknown is
// refused, because a misspelt condition would change what a stay costs.
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
	if err := compiled().Validate(instance); err != nil {
		return nil, explain(err)
	}
	t := new(Tariff)
	if err := json.Unmarshal(data, t); err != nil {
		return nil, argument("tariff", err.Error())
	}
	return t, t.Validate()
}

var compiled = sync.OnceValue(compile)

// compile returns the schema as it is embedded. Its name has a scheme, and nothing can be loaded: the
// library resolves a name without one against the working directory, whose name it may not parse
// and whose files it would read instead.
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

// explain returns the first problem that the schema finds, with its field.
func explain(err error) error {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return argument("tariff", err.Error())
	}
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return argument(fieldAt(e.InstanceLocation), e.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
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
