package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// mock answers as Prism does: with the first example of the operation or, if it has none, with one
// made from the schema. It does not look at ids, queries and bodies.
type mock struct{ *document }

func (m mock) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := http.StatusNotFound, []byte(`{"errors":[{"title":"no such operation"}]}`)
	responses := childObject(childObject(m.route(strings.TrimPrefix(r.URL.Path, "/v2")), strings.ToLower(r.Method)), "responses")
	for _, code := range sortedKeys(responses) {
		if strings.HasPrefix(code, "2") {
			status, body = m.answer(code, m.resolve(responses[code]))
			break
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewReader(body))}, nil
}

func (m mock) answer(code string, response object) (status int, body []byte) {
	status, _ = strconv.Atoi(code) // the document has no ranges such as 2XX
	content := childObject(response, "content")
	switch all := m.responseExamples(response); {
	case len(all) > 0:
		body = all[0].body
	case len(content) > 0:
		body, _ = json.Marshal(m.generate(childObject(content, "application/json")["schema"], 0)) // it came from JSON
	}
	return status, body
}

// route returns the operations of the path that matches, of several that with the fewest
// parameters.
func (m mock) route(path string) object {
	best := ""
	for _, template := range sortedKeys(childObject(m.root, "paths")) {
		if matches(template, path) && (best == "" || strings.Count(template, "{") < strings.Count(best, "{")) {
			best = template
		}
	}
	return m.resolve(childObject(m.root, "paths")[best])
}

func matches(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	for i := range want {
		if len(want) != len(got) || want[i] != got[i] && !strings.HasPrefix(want[i], "{") {
			return false
		}
	}
	return true
}

// generate returns a value of a schema: its example, its first enumerated value, or one of its
// type.
func (m mock) generate(schema any, depth int) any {
	s := m.resolve(schema)
	if depth > maxDepth {
		return nil
	}
	for _, key := range []string{"example", "default", "const"} {
		if v, ok := s[key]; ok {
			return v
		}
	}
	if values := append(m.list(s, "examples"), m.list(s, "enum")...); len(values) > 0 {
		return values[0]
	}
	if of := append(m.list(s, "oneOf"), m.list(s, "anyOf")...); len(of) > 0 {
		return m.generate(of[0], depth+1)
	}
	if properties := childObject(s, "properties"); properties != nil {
		made := object{}
		for name, property := range properties {
			made[name] = m.generate(property, depth+1)
		}
		return made
	}
	return m.scalar(s, depth)
}

func (m mock) list(s object, key string) []any {
	values, _ := s[key].([]any)
	return values[:len(values):len(values)]
}

func (m mock) scalar(s object, depth int) any {
	name, _ := s["type"].(string)
	if several := m.list(s, "type"); len(several) > 0 {
		name, _ = several[0].(string)
	}
	format, _ := s["format"].(string)
	switch name + " " + format {
	case "string date-time":
		return "2019-08-24T14:15:22Z"
	case "string date":
		return "2019-08-24"
	case "string uuid":
		return "497f6eca-6276-4993-bfeb-53cbbbba6f08"
	case "string uri", "string url":
		return "http://example.com"
	}
	switch name {
	case "string":
		return "string"
	case "integer", "number":
		return 0
	case "boolean":
		return true
	case "array":
		return []any{m.generate(s["items"], depth+1)}
	}
	return object{}
}

// mockArguments replace the strings that testkit.Usable has where these methods need another form.
var mockArguments = map[string]string{
	"DocumentSchemas.Get": "commercial_invoice@2026-03-23", "Vessels.GetByIMO": "9811000", "Webhooks.Ensure": testkit.EndpointURL,
	"Containers.FindByNumber": "MSCU1234566",
}

// beyondMocks are the methods that no mock of the document can answer, by reason.
var beyondMocks = map[string][]string{
	"404": {"Shipments.AddPartyRole", "Shipments.PartyRoles", "Shipments.RemovePartyRole", "Containers.AddPartyRole",
		"Containers.PartyRoles", "Containers.RemovePartyRole", "Documents.Type"}, // not in the document
	"summaryGroup":              {"Containers.Summary"},                                                 // not in the document, and its path is that of a container
	"context deadline exceeded": {"Containers.Watch", "Containers.WatchAll", "Documents.WaitExtracted"}, // nothing ever changes
	"must be https":             {"Documents.Download"},                                                 // the address that is made from the schema
	"must have an extraction":   {"DocumentSchemas.For"},                                                // sends nothing
	"ignored filter[number]":    {"Containers.FindByNumber"},                                            // an example has its own number
	"number must be":            {"Containers.FindByNumbers"},                                           // sends nothing
}

func TestMock_EveryMethod(t *testing.T) {
	d := openDocument(t)
	reasons, passed, without := map[string]string{}, 0, 0
	for reason, methods := range beyondMocks {
		for _, name := range methods {
			reasons[name] = reason
		}
	}
	for _, method := range testkit.Methods() {
		err := outcome(t, d, method, terminal49.WithUnstable(terminal49.UnstableExamples))
		reason, beyond := reasons[method.Name]
		switch {
		case beyond && (err == nil || !strings.Contains(err.Error(), reason)):
			t.Errorf("%s: %v, want %q", method.Name, err, reason)
		case !beyond && err != nil:
			t.Errorf("%s: %v", method.Name, err)
		case err == nil:
			passed++
		}
		if outcome(t, d, method) == nil {
			without++
		}
	}
	t.Logf("figure: mock: %d of %d methods work with the examples of the document, %d without the option",
		passed, len(testkit.Methods()), without)
	if without >= passed {
		t.Error("the option changes nothing")
	}
}

// openDocument reads the service's document, where the gate has it.
func openDocument(t *testing.T) *document {
	path := cmp.Or(os.Getenv("OPENAPI"), "../../../shared/openapi.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skip("OPENAPI is not the path of the service's OpenAPI document, and there is none at ", path)
	}
	d, err := parseDocument(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// outcome returns the error of a method of a client of the mock, after at most an hour of a clock
// that does not take any time.
func outcome(t *testing.T, d *document, method testkit.Method, opts ...terminal49.CallOption) (err error) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		client, failed := terminal49.New("mock", terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1),
			terminal49.WithHTTPClient(&http.Client{Transport: mock{d}}))
		if failed != nil {
			t.Fatal(failed)
		}
		var args []reflect.Value
		for _, typ := range method.Args {
			arg := testkit.Usable(t, typ)
			if text, ok := mockArguments[method.Name]; ok && typ.Kind() == reflect.String {
				arg = reflect.ValueOf(text)
			}
			args = append(args, arg)
		}
		err = testkit.OutcomeOf(method.Results(client, ctx, args, opts))
	})
	return err
}
