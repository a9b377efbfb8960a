package documentschema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/go-freight/terminal49/internal/text"
)

// Error is returned when a payload does not follow its schema.
type Error struct {
	SchemaID string    // such as "commercial_invoice@2026-03-23"
	Problems []Problem // the first 100
}

// Problem is one place where a payload does not follow its schema.
type Problem struct {
	Pointer string // JSON pointer into the payload, such as "/lines/0/amount"; "" for the whole payload
	Keyword string // the schema's keyword, such as "required" or "pattern"; "number size" for a number too large to check
	Message string // human-readable; may quote the document
}

// Bounds on an Error: the pointer of a problem may be as long as the payload.
const (
	keptProblems  = 100 // in Problems
	namedProblems = 20  // in the text
)

// Error lists the first 20 pointers and keywords. It does not quote the document's values.
func (e *Error) Error() string {
	return "documentschema: the payload does not follow " + text.Printable(e.SchemaID) + listed(e.Problems)
}

// listed returns the first problems as the end of a sentence.
func listed(list []Problem) string {
	var b strings.Builder
	for i, p := range list[:min(len(list), namedProblems)] {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		fmt.Fprintf(&b, "%q breaks %s", p.Pointer, p.Keyword)
	}
	if more := len(list) - namedProblems; more > 0 {
		fmt.Fprintf(&b, "; and %d more in Problems", more)
	}
	return b.String()
}

// schemaError returns what the library found wrong with a schema, on one line of bounded length: a
// schema can be wrong in as many places as it has bytes.
func schemaError(err error) error {
	var invalid *jsonschema.SchemaValidationError
	var broken *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &broken) {
		list := leaves(broken)
		return errors.New("it is not a JSON Schema" + listed(list[:min(len(list), namedProblems)]))
	}
	return fmt.Errorf("%.300s", text.Printable(err.Error()))
}
