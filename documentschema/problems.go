package documentschema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/go-freight/terminal49/internal/decimals"
)

// problems are the first keptProblems that were found.
type problems []Problem

func (p *problems) isFull() bool { return len(*p) == keptProblems }

// oddNumbers returns the numbers that the library cannot handle: those such as 1e999999, which it
// would write out digit by digit, and those that it cannot parse, whose bounds it would ignore.
func oddNumbers(value any) problems {
	var p problems
	p.addOddNumbers(value, nil)
	return p
}

func (p *problems) addOddNumbers(value any, at []string) {
	if p.isFull() {
		return
	}
	switch value := value.(type) {
	case json.Number:
		if len(value) <= decimals.MaxLength {
			if _, err := decimals.Parse(value.String()); err == nil {
				return
			}
		}
		*p = append(*p, Problem{pointer(at), "number size", decimals.ErrSize.Error()})
	case []any:
		for i, v := range value {
			p.addOddNumbers(v, append(at, strconv.Itoa(i)))
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			p.addOddNumbers(value[name], append(at, name))
		}
	}
}

// leaves returns the leaves of the library's tree of errors, which are the problems themselves.
func leaves(e *jsonschema.ValidationError) problems {
	var p problems
	p.addLeaves(e)
	return p
}

func (p *problems) addLeaves(e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		p.addLeaves(cause)
	}
	if len(e.Causes) > 0 || p.isFull() {
		return
	}
	path := e.ErrorKind.KeywordPath()
	keyword := "the schema"
	if len(path) > 0 {
		keyword = path[len(path)-1]
	}
	text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	*p = append(*p, Problem{pointer(e.InstanceLocation), keyword, text})
}

// pointer returns the JSON pointer of these steps.
func pointer(steps []string) string {
	var b strings.Builder
	for _, step := range steps {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return b.String()
}
