package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// asked are calls whose answers have texts from outside.
type asked struct {
	tool string
	with args
}

// A poisoned text changes nothing but itself: the answers about an account with poison are those
// about the same account with harmless texts, but for the texts, which are inert.
func TestPoison_ChangesNothingButItself(t *testing.T) {
	bubble(t, func(t *testing.T) {
		all := poisons(t)
		harmless := newWorld(t, Config{}, func(srv *terminal49test.Server) { seedPoison(srv, all) })
		bad := mirrored(t, Config{}, harmless.Server, poisoned(t, harmless.Transport(), all))
		called := map[string]bool{}
		for _, ask := range poisonCalls(harmless, all) {
			called[ask.tool] = true
			comparePoison(t, harmless, bad, ask)
		}
		for _, by := range []string{"customer", "holds", "terminal", "vessel", "equipment", "destination"} { // whose order the texts decide
			ask := asked{"summarize", args{"by": []string{by}, "limit": 500}}
			called[ask.tool] = true
			checkArgument(t, bad, ask, by)
			want, _ := call[summarizeAnswer](harmless, ask.tool, ask.with)
			got, _ := call[summarizeAnswer](bad, ask.tool, ask.with)
			assert.Equal(t, want.Containers, got.Containers, by)
		}
		for _, name := range slices.Sorted(maps.Keys(toolsOf(t, bad.session))) {
			assert.True(t, called[name], "no call of %s", name)
		}
	})
}

func comparePoison(t *testing.T, harmless, bad *world, ask asked) {
	t.Helper()
	name := fmt.Sprintf("%s %v", ask.tool, ask.with)
	want, got := harmless.result(ask.tool, ask.with), bad.result(ask.tool, ask.with)
	require.Equal(t, want.IsError, got.IsError, "%s: %s, %s", name, textOf(t, want), textOf(t, got))
	require.Len(t, got.Content, 1, name)
	text := textOf(t, got)
	checkInert(t, name, text)
	assert.Equal(t, frame(textOf(t, want)), frame(text), name)
	if got.IsError {
		return
	}
	content := contentOf(t, got)
	checkContent(t, toolsOf(t, bad.session)[ask.tool], content)
	assert.Less(t, len(content)+len(text), 256<<10, name)
	var a, b any
	require.NoError(t, json.Unmarshal(contentOf(t, want), &a))
	require.NoError(t, json.Unmarshal(content, &b))
	compareValues(t, name, a, b)
}

var (
	quotes   = regexp.MustCompile(`«[^«»]*»`)
	harmful  = regexp.MustCompile(`]\(|<[a-zA-Z/!?|]|\n\{`)
	markRE   = regexp.MustCompile(`harmless p[0-9][0-9] text`)
	ownTimes = regexp.MustCompile(`\b(?:2000-01-01|1999-12-31)T[0-9:Z+-]+|\b[0-9]+-[0-9a-f]{16}\b`) // times and positions of a mirror
)

// frame returns what a text has around its quotes.
func frame(text string) string {
	return ownTimes.ReplaceAllString(quotes.ReplaceAllString(text, "«»"), "")
}

// compareValues compares structured content. Only a text that had a mark may differ.
func compareValues(t *testing.T, path string, a, b any) {
	t.Helper()
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		require.True(t, ok, path)
		require.Equal(t, slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)), path)
		for k, v := range a {
			compareValues(t, path+"."+k, v, b[k])
		}
	case []any:
		b, ok := b.([]any)
		require.True(t, ok, path)
		require.Len(t, b, len(a), path)
		for i, v := range a {
			compareValues(t, fmt.Sprintf("%s[%d]", path, i), v, b[i])
		}
	case string:
		b, ok := b.(string)
		require.True(t, ok, path)
		checkInert(t, path, b)
		assert.NotContains(t, b, "\n", path)
		if !markRE.MatchString(a) {
			assert.Equal(t, ownTimes.ReplaceAllString(a, ""), ownTimes.ReplaceAllString(b, ""), path)
		}
	default:
		assert.Equal(t, a, b, path)
	}
}

// checkInert reports characters and marks that a text must not have.
func checkInert(t *testing.T, name, text string) {
	t.Helper()
	assert.True(t, utf8.ValidString(text), name)
	for _, r := range text {
		if r != '\n' && (!unicode.IsPrint(r) || unicode.In(r, unicode.Cf, unicode.Variation_Selector)) {
			assert.Fail(t, "a character that is not shown", "%s: %U in %.300q", name, r, text)
			break
		}
	}
	assert.NotRegexp(t, harmful, text, name)
}

// Whatever an agent asks with a poisoned text is refused, or answered without it.
func TestPoison_InArguments(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) { srv.SeedDemo() })
		for i, p := range poisons(t) {
			if i%10 > 0 && os.Getenv("PROOF") != "whole" {
				continue
			}
			var text string
			if json.Unmarshal(slices.Concat([]byte(`"`), p.wire(t), []byte(`"`)), &text) != nil {
				continue
			}
			for name, tool := range toolsOf(t, w.session) {
				input := readSchema(t, tool.InputSchema)
				for member, schema := range input.Properties {
					if value := argumentOf(schema, text); value != nil {
						with := args{member: value}
						for _, required := range input.Required {
							if with[required] == nil {
								with[required] = argumentOf(input.Properties[required], "x")
							}
						}
						checkArgument(t, w, asked{name, with}, p.ID+" "+member)
					}
				}
				checkArgument(t, w, asked{name, args{text: 1}}, p.ID+" as a name")
			}
		}
	})
}

// argumentOf returns an argument that has a text where its schema allows one.
func argumentOf(schema *jsonschema.Schema, text string) any {
	switch {
	case schema.Type == "string":
		return text
	case schema.Type == "array" && schema.Items.Type == "string":
		return []string{text, text}
	}
	return nil
}

func checkArgument(t *testing.T, w *world, ask asked, name string) {
	t.Helper()
	r := w.result(ask.tool, ask.with)
	text := textOf(t, r)
	name = ask.tool + " " + name
	checkInert(t, name, text)
	assert.Equal(t, strings.Count(text, "«"), strings.Count(text, "»"), "%s: %.500s", name, text)
	assert.Less(t, len(text), 16<<10, name)
	if r.IsError {
		assert.Regexp(t, "^(wait|mend|help): ", text, name)
		assert.NotContains(t, text, "\n", name)
		return
	}
	var value any
	require.NoError(t, json.Unmarshal(contentOf(t, r), &value))
	eachText(value, func(s string) { checkInert(t, name, s); assert.NotContains(t, s, "\n", name) })
}

// eachText calls f for each text in structured content.
func eachText(value any, f func(string)) {
	switch value := value.(type) {
	case string:
		f(value)
	case []any:
		for _, v := range value {
			eachText(v, f)
		}
	case map[string]any:
		for _, v := range value {
			eachText(v, f)
		}
	}
}

// poisonCalls are calls of every tool about all poisons.
func poisonCalls(w *world, all []poison) (calls []asked) {
	calls = append(calls, asked{"worklist", args{"fields": fields, "order": "number", "limit": 40}}, asked{"worklist", args{"order": "last_free_day", "limit": 200}})
	calls = append(calls, asked{"status", nil})
	var numbers []string
	for i, p := range all {
		atPort, sailing := terminal49test.ContainerNumber("MSKU", 700000+2*i), terminal49test.ContainerNumber("MSKU", 700001+2*i)
		if p.in("container.number") {
			atPort = sailing
		}
		calls = append(calls, asked{"container", args{"number": atPort}})
		sampled := i%10 == 0 || os.Getenv("PROOF") == "whole"
		if sampled {
			calls = append(calls, asked{"history", args{"number": atPort}})
		}
		if p.many() {
			calls = append(calls, asked{"find", args{"numbers": []string{atPort}, "fields": fields}})
			continue
		}
		numbers = append(numbers, atPort, sailing)
		if !p.in("shipment.bill_of_lading_number") {
			bill := fmt.Sprintf("ZZ%02d1234%s", i, p.ID)
			numbers = append(numbers, bill)
			if sampled {
				calls = append(calls, asked{"shipment", args{"number": bill, "fields": fields}})
			}
		}
	}
	calls = append(calls, asked{"lookup", args{"limit": 200, "kinds": []string{"line", "port", "terminal", "vessel"}}})
	calls = append(calls, asked{"changes", args{"since": "24h", "kinds": changeKinds, "limit": 1000}})
	for some := range slices.Chunk(numbers, 30) {
		calls = append(calls, asked{"find", args{"numbers": some, "fields": fields}})
	}
	calls = append(calls, asked{"requests", args{"limit": 200}})
	return calls
}
