package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// unknown is the value of a fact that was asked for and is not reported.
const unknown = "unknown"

// common are the first members of every answer. The instructions describe them.
type common struct {
	AsOf  string   `json:"as_of"` // when the copy last heard from the service
	Total int      `json:"total"` // how many there are in all
	Shown int      `json:"shown"`
	Notes []string `json:"notes,omitempty"` // what limits the answer
}

func (c *common) shared() *common { return c }

// note adds a sentence on what limits the answer.
func (c *common) note(sentence string) { c.Notes = append(c.Notes, sentence) }

// answer is the structured content of a tool's result, a pointer to a struct that embeds common.
type answer interface {
	shared() *common
	write(*page) // writes the same for a person, without the common members
}

// callTime bounds a call.
const callTime = 30 * time.Second

// add adds a tool. Its schemas are those of In and Out. A result has the members in the order of
// Out: the SDK's own mcp.AddTool would sort them.
func add[In any, Out answer](s *server, t mcp.Tool, ask func(context.Context, In) (Out, error)) {
	input := schemaOf(reflect.TypeFor[In]())
	t.InputSchema, t.OutputSchema = input, outputSchema(reflect.TypeFor[Out]().Elem())
	if t.Annotations == nil {
		no := false
		t.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	}
	arguments := newArguments(input)
	s.mcp.AddTool(&t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		r := new(mcp.CallToolResult)
		out, err := *new(Out), arguments.decode(req.Params.Arguments, &in)
		if err == nil {
			out, err = answered(ctx, s, in, ask)
		}
		if err != nil {
			r.SetError(s.explain(ctx, t.Name, err))
			return r, nil
		}
		if err := fill(r, out); err != nil {
			r.SetError(s.explain(ctx, t.Name, err))
		}
		return r, nil
	})
}

// mostBytes bounds an answer, of both forms together.
const mostBytes = 256 << 10

// fill sets the content of a result, in which every text is cleaned.
func fill(r *mcp.CallToolResult, a answer) error {
	cleanAll(reflect.ValueOf(a))
	content, err := json.Marshal(a)
	if err != nil {
		return err
	}
	text := written(a)
	if n := len(content) + len(text); n > mostBytes {
		return mend("arguments", "the answer would have %d KB, and the most is %d; ask for fewer things or fields", n>>10, mostBytes>>10)
	}
	r.Content, r.StructuredContent = []mcp.Content{&mcp.TextContent{Text: text}}, json.RawMessage(content)
	return nil
}

// answered asks for an answer. Its age is read first, so that the facts are not older.
func answered[In any, Out answer](ctx context.Context, s *server, in In, ask func(context.Context, In) (Out, error)) (out Out, err error) {
	ctx, gone := whileRequested(ctx)
	defer gone()
	ctx, cancel := context.WithTimeoutCause(ctx, callTime, errSlow)
	defer cancel()
	age, err := s.age(ctx)
	if err != nil {
		return out, err
	}
	if out, err = ask(ctx, in); err == nil {
		c := out.shared()
		c.AsOf, c.Notes = age.AsOf, slices.Concat(age.Notes, c.Notes)
	}
	return out, err
}

// age returns when the copy last heard from the service, with a note if it is not kept.
func (s *server) age(ctx context.Context) (c common, err error) {
	status, err := s.Mirror.Ages(ctx)
	if err != nil {
		return c, err
	}
	c.AsOf = instant(status.Heard)
	if problem := status.Healthy(status.At); problem != nil {
		first, _, _ := strings.Cut(problem.Error(), "\n")
		c.note("The copy is not kept, so facts may be old: " + clean(strings.TrimPrefix(first, "mirror: ")) + ". The tool status has all problems.")
	}
	if status.WholeWalk.IsZero() {
		c.note("The first reading of the account has not ended, so what is missing here may exist.")
	}
	return c, nil
}

// written returns an answer for a person: its notes are last.
func written(a answer) string {
	p := new(page)
	a.write(p)
	for _, note := range a.shared().Notes {
		p.line("Note: %s", own(note))
	}
	p.line("As of %s.", a.shared().AsOf)
	return p.String()
}

var errSlow = errors.New("the call took too long")

// schemaOf returns the schema of a type of arguments.
func schemaOf(t reflect.Type) *jsonschema.Schema { return schemaWith(t, enums) }

// schemaWith returns the schema of a type, with those of some types in it.
func schemaWith(t reflect.Type, types map[reflect.Type]*jsonschema.Schema) *jsonschema.Schema {
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(err) // of a type of this package
	}
	eachSchema(schema, func(s *jsonschema.Schema) {
		if len(s.Types) == 2 && s.Types[0] == "null" { // what is nil is left out
			s.Type, s.Types = s.Types[1], nil
		}
	})
	return schema
}

// outputSchema returns the schema of a type whose later versions may have more members. It has the
// schemas of some types once.
func outputSchema(t reflect.Type) *jsonschema.Schema {
	shared := map[string]*jsonschema.Schema{"container": rowSchema(), "changed": schemaOf(reflect.TypeFor[changedResource]())}
	types := maps.Clone(enums)
	types[reflect.TypeFor[containerRow]()] = &jsonschema.Schema{Ref: "#/$defs/container"}
	types[reflect.TypeFor[changedResource]()] = &jsonschema.Schema{Ref: "#/$defs/changed"}
	schema := schemaWith(t, types)
	defs := map[string]*jsonschema.Schema{}
	eachSchema(schema, func(s *jsonschema.Schema) {
		if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
			defs[name] = shared[name]
		}
	})
	schema.Defs = defs
	eachSchema(schema, func(s *jsonschema.Schema) {
		if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
			s.AdditionalProperties = nil
		}
		if s != schema {
			s.Required = nil // an agent reads what is there
		}
	})
	return schema
}

// eachSchema calls f for a schema and those of its members and elements.
func eachSchema(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	f(s)
	for _, member := range s.Properties {
		eachSchema(member, f)
	}
	for _, shared := range s.Defs {
		eachSchema(shared, f)
	}
	for _, inner := range []*jsonschema.Schema{s.Items, s.AdditionalProperties} {
		if inner != nil {
			eachSchema(inner, f)
		}
	}
}
