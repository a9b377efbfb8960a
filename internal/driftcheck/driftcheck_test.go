package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/operation"
)

// agreed is a document that matches agreedListing exactly, with every way of composing a schema.
// Tests change one place of it at a time.
const agreed = `{
  "paths": {
    "/boats": {
      "parameters": [{"$ref": "#/components/parameters/size"}],
      "get": {
        "parameters": [
          {"in": "query", "name": "filter[state]", "schema": {"type": "string", "enum": ["afloat"]}},
          {"in": "query", "name": "include", "schema": {"type": "string"},
           "description": "Relations. Allowed: port, captain (alias for master), port.country. Default: none."},
          {"in": "header", "name": "x-ignored", "schema": {"type": "string"}}
        ],
        "responses": {
          "200": {"content": {"application/json": {
            "schema": {"properties": {"data": {"type": "array", "items": {"$ref": "#/components/schemas/boat"}},
              "included": {"type": "array", "items": {"anyOf": [
                {"$ref": "#/components/schemas/port_or_quay"},
                {"type": "object", "properties": {"type": {"type": "string", "example": "flag"},
                  "attributes": {"properties": {"colour": {"type": "string"}}}}}]}}}},
            "examples": {"Two boats": {"value": {"data": [{"id": "1", "length": 12.50}]}}, "One": {"$ref": "#/components/examples/one"}}
          }, "text/csv": {"example": "id"}}},
          "404": {"content": {"application/json": {"example": {"errors": []}}}}
        }
      },
      "post": {
        "requestBody": {"content": {"application/json": {"schema": {"properties": {"data": {"properties": {
          "type": {"enum": ["boat"]},
          "attributes": {"properties": {"name": {"type": "string"}, "state": {"enum": ["afloat", "aground"]}}}}}}}}}},
        "responses": {"201": {"content": {"application/json": {"example": {"data": {"id": "2"}}}}}}
      }
    },
    "/boats/{id}": {
      "get": {"responses": {"2XX": {"$ref": "#/components/responses/boat"}}},
      "delete": {"responses": {"204": {"description": "gone"}}}
    }
  },
  "components": {
    "parameters": {"size": {"in": "query", "name": "page[size]", "schema": {"type": "integer"}}},
    "responses": {"boat": {"content": {"application/vnd.api+json": {"schema": {"example": {"data": {"id": "3"}}}}}}},
    "examples": {"one": {"value": {"data": [{"id": "4"}]}}},
    "schemas": {
      "boat": {
        "allOf": [
          {"$ref": "#/components/schemas/named"},
          {"properties": {"relationships": {"properties": {
            "port": {"properties": {"data": {"properties": {"id": {}, "type": {"enum": ["port_or_quay"]}}}}},
            "sisters": {"properties": {"data": {"type": "array", "items": {"properties": {"id": {}, "type": {"enum": ["boat"]}}}}}}
          }}}}
        ],
        "x-examples": {"Dinghy": {"id": "5", "type": "boat"}}
      },
      "named": {"properties": {"id": {}, "type": {"enum": ["boat"]}, "attributes": {"properties": {
        "name": {"type": "string"},
        "state": {"type": "string", "nullable": true, "enum": ["afloat", "aground", null]},
        "berths": {"type": "array", "items": {"$ref": "#/components/schemas/berth"}},
        "size": {"oneOf": [{"type": "integer", "enum": [10, 20]}, {"type": "string", "enum": ["huge"]}]}
      }}}},
      "berth": {"properties": {"number": {"type": "integer"}, "kind": {"enum": ["bunk"]}}},
      "port_or_quay": {"properties": {"id": {}, "type": {"enum": ["port_or_quay"]}, "attributes": {"properties": {"code": {}}}}}
    }
  }
}`

func agreedListing() listing {
	return listing{
		operations: []operation.Operation{
			{Name: "boats.list", Method: "GET", Path: "/boats", Resource: "boat",
				Query: []string{"page[size]", "filter[state]", "include"}, Includes: []string{"port", "captain", "port.country"}},
			{Name: "boats.create", Method: "POST", Path: "/boats", Resource: "boat",
				Query: []string{"page[size]"}, Body: []string{"name", "state"}},
			{Name: "boats.get", Method: "GET", Path: "/boats/{id}", Resource: "boat"},
			{Name: "boats.delete", Method: "DELETE", Path: "/boats/{id}"},
		},
		types: []catalogue.Type{
			{Name: "boat",
				Attributes: []string{"name", "state", "size", "berths", "berths.number", "berths.kind"},
				Relationships: []catalogue.Relationship{
					{Name: "port", Types: []string{"port_or_quay"}},
					{Name: "sisters", Types: []string{"boat"}, Many: true},
				}},
			{Name: "port_or_quay", Attributes: []string{"code"}},
			{Name: "flag", Withdrawn: true},
		},
		enums: []catalogue.Enum{
			{Name: "boat.state", Values: []string{"afloat", "aground"}},
			{Name: "boat.berths.kind", Values: []string{"bunk"}},
			{Name: "boat.size", Values: []string{"10", "20", "huge"}},
		},
	}
}

// check compares a document with a listing, the way the command does.
func check(t *testing.T, text string, l listing, list ...allowed) (lines []string, c *comparison) {
	t.Helper()
	d, err := parseDocument([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c = compareDocument(l, d.surface(l.knownTypes()))
	findings, _ := applyAllowed(c.findings, list)
	for _, f := range findings {
		lines = append(lines, f.String())
	}
	return lines, c
}

func TestCompareDocument_FindsNothingInAgreement(t *testing.T) {
	lines, c := check(t, agreed, agreedListing())
	if len(lines) > 0 {
		t.Errorf("findings without drift:\n%s", strings.Join(lines, "\n"))
	}
	want := "4 operations, 2 types (and 1 withdrawn)"
	if got := c.summary(); !strings.HasPrefix(got, want) {
		t.Errorf("summary %q, want %q first", got, want)
	}
}

// Each case changes the document in one place; the findings must be those and no others.
func TestCompareDocument_FindsEveryKindOfDrift(t *testing.T) {
	const added, removed = notInCatalogue, notInDocument
	cases := map[string]struct {
		old, new string
		want     []string
	}{
		"operation": {`"delete":`, `"patch":`, []string{
			"operation: DELETE /boats/{id} " + removed, "operation: PATCH /boats/{id} " + added}},
		"query": {`"page[size]"`, `"page[limit]"`, []string{
			"query boats.create: page[limit] " + added, "query boats.create: page[size] " + removed,
			"query boats.list: page[limit] " + added, "query boats.list: page[size] " + removed}},
		"include": {`port.country.`, `port.owner.`, []string{
			"include boats.list: port.country " + removed, "include boats.list: port.owner " + added}},
		"filter value": {`"enum": ["afloat"]`, `"enum": ["afloat", "sunk"]`, []string{
			"enum boat.state: sunk " + added}},
		"filter without enumeration": {`"filter[state]"`, `"filter[flag]"`, []string{
			"enum boat.flag: the enumeration " + added,
			"query boats.list: filter[flag] " + added, "query boats.list: filter[state] " + removed}},
		"body member": {`"attributes": {"properties": {"name": {"type": "string"}, "state"`,
			`"attributes": {"properties": {"title": {"type": "string"}, "state"`, []string{
				"body boats.create: name " + removed, "body boats.create: title " + added}},
		"attribute": {`"code"`, `"locode"`, []string{
			"attribute port_or_quay: code " + removed, "attribute port_or_quay: locode " + added}},
		"nested attribute": {`"number"`, `"no"`, []string{
			"attribute boat: berths.no " + added, "attribute boat: berths.number " + removed}},
		"relationship": {`"sisters"`, `"siblings"`, []string{
			"relationship boat: siblings " + added, "relationship boat: sisters " + removed}},
		"relationship target": {`"type": {"enum": ["port_or_quay"]}}}}}`, `"type": {"enum": ["boat"]}}}}}`, []string{
			"relationship boat.port: boat " + added, "relationship boat.port: port_or_quay " + removed}},
		"identifier member": {`"data": {"properties": {"id": {}, "type"`, `"data": {"properties": {"id": {}, "kind": {}, "type"`, []string{
			"relationship boat.port: kind is not a member of an identifier"}},
		"relationship without data": {`{"properties": {"data": {"properties": {"id": {}, "type": {"enum": ["port_or_quay"]}}}}}`,
			`{"properties": {"id": {}, "type": {"enum": ["port_or_quay"]}}}`, []string{
				"relationship boat.port: data is missing from the document"}},
		"enum value": {`["bunk"]`, `["hammock"]`, []string{
			"enum boat.berths.kind: bunk " + removed, "enum boat.berths.kind: hammock " + added}},
		"enumeration gone": {`{"enum": ["bunk"]}`, `{"type": "string"}`, []string{
			"enum boat.berths.kind: the enumeration " + removed}},
		"enumeration new": {`"number": {"type": "integer"}`, `"number": {"type": "integer", "const": 1}`, []string{
			"enum boat.berths.number: the enumeration " + added}},
		"inline type": {`"example": "flag"`, `"example": "pennant"`, []string{
			"type: flag " + removed, "type: pennant " + added}},
		"type member": {`"port_or_quay": {"properties": {"id": {}, "type": {"enum": ["port_or_quay"]}`,
			`"port_or_quay": {"properties": {"id": {}, "type": {"enum": ["quay"]}`, []string{
				"type port_or_quay: quay is the name of its type in the document"}},
		"resource member": {`"port_or_quay": {"properties": {"id": {},`, `"port_or_quay": {"properties": {"": {}, "id": {},`, []string{
			`type port_or_quay: "" is not a member of a resource`}},
		"dangling reference": {`#/components/schemas/berth`, `#/components/schemas/cabin`, []string{
			"attribute boat: berths.kind " + removed, "attribute boat: berths.number " + removed,
			"reference: #/components/schemas/cabin points to nothing in the document"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if strings.Count(agreed, c.old) == 0 {
				t.Fatalf("the document does not contain %q", c.old)
			}
			lines, _ := check(t, strings.ReplaceAll(agreed, c.old, c.new), agreedListing())
			if !slices.Equal(lines, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(lines, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestAllowList_MatchesExactly(t *testing.T) {
	drifted := strings.ReplaceAll(agreed, `"locode"`, `"code"`)
	drifted = strings.ReplaceAll(drifted, `["bunk"]`, `["bunk", "hammock"]`)
	lines, _ := check(t, drifted, agreedListing(),
		allowed{"enum boat.berths.kind", "hammock", "a guest's own"},
		allowed{"enum boat.berths.kind", "sofa", "gone since"})
	want := []string{"allow-list: enum boat.berths.kind: sofa no longer matches a difference; remove it"}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}

func TestAllowList_EntriesHaveReasons(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, a := range allowList() {
		if key := [2]string{a.where, a.what}; seen[key] {
			t.Errorf("%s: %s is allowed twice", a.where, a.what)
		} else {
			seen[key] = true
		}
		if len(a.reason) < len("seen live") {
			t.Errorf("%s: %s has no reason", a.where, a.what)
		}
	}
	if len(seen) == 0 {
		t.Error("the allow-list is empty")
	}
}

// A schema that contains itself must not keep the command from ending.
func TestDocument_RecursiveSchema(t *testing.T) {
	recursive := strings.ReplaceAll(agreed, `"kind": {"enum": ["bunk"]}`, `"kind": {"enum": ["bunk"]}, "next": {"$ref": "#/components/schemas/berth"}`)
	recursive = strings.ReplaceAll(recursive, `"code": {}`, `"code": {"$ref": "#/components/schemas/loop"}`)
	recursive = strings.ReplaceAll(recursive, `"berth": {`, `"loop": {"allOf": [{"$ref": "#/components/schemas/loop"}]}, "berth": {`)
	lines, _ := check(t, recursive, agreedListing())
	if !slices.Contains(lines, "attribute boat: berths.next "+notInCatalogue) {
		t.Errorf("berths.next is not among %q", lines)
	}
}

func TestDocument_Examples(t *testing.T) {
	d, err := parseDocument([]byte(agreed))
	if err != nil {
		t.Fatal(err)
	}
	found, err := d.examples(agreedListing().operations)
	if err != nil {
		t.Fatal(err)
	}
	want := []example{
		{"boats.list", 200, "One", []byte(`{"data":[{"id":"4"}]}`)},
		{"boats.list", 200, "Two boats", []byte(`{"data":[{"id":"1","length":12.50}]}`)},
		{"boats.create", 201, "example", []byte(`{"data":{"id":"2"}}`)},
		{"boats.get", 200, "schema example", []byte(`{"data":{"id":"3"}}`)},
		{"boats.get", 200, "schema example Dinghy", []byte(`{"data":{"id":"5","type":"boat"}}`)},
	}
	same := func(a, b example) bool {
		return a.op == b.op && a.status == b.status && a.name == b.name && bytes.Equal(a.body, b.body)
	}
	if !slices.EqualFunc(found, want, same) {
		t.Errorf("got:\n%+v\nwant:\n%+v", found, want)
	}
}

func TestRun_ReportsDrift(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "openapi.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var out bytes.Buffer
	drift, err := run(write(agreed), &out)
	if err != nil || !drift {
		t.Errorf("another service's document: drift %v, error %v; want drift", drift, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if !slices.Contains(lines, "operation: GET /boats "+notInCatalogue) {
		t.Errorf("GET /boats is not reported in:\n%s", out.String())
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, fmt.Sprintf("driftcheck: %d operations, ", len(operation.All()))) {
		t.Errorf("the last line is %q, want the summary", last)
	}
	out.Reset()
	if _, err := run(write(strings.ReplaceAll(agreed, "/boats", `/boats\n::error::\u001b[31m`)), &out); err != nil {
		t.Error(err)
	}
	if shown := out.String(); strings.Contains(shown, "\x1b") || strings.Contains(shown, "\n::error::") || !strings.Contains(shown, `\n::error::\x1b`) {
		t.Errorf("names of the document are not printable:\n%s", shown)
	}
	for name, text := range map[string]string{"not JSON": "openapi: 3.0.0", "no paths": `{"openapi": "3.0.0"}`} {
		if _, err := run(write(text), &out); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := run(filepath.Join(t.TempDir(), "absent.json"), &out); err == nil {
		t.Error("absent file: no error")
	}
}

// The container is CMAU0619052 of the service's OpenAPI document, with a status and a fee that the
// rules use.
func TestCheckRules_SeesWhatTheLibraryAnswers(t *testing.T) {
	d, err := parseDocument([]byte(`{"paths":{"/containers":{"x":[{"id":"1","type":"container","attributes":{"number":"CMAU0619052",
		"pod_timezone":"America/Los_Angeles","final_destination_timezone":"Asia/Shanghai","availability_known":false,
		"available_for_pickup":false,"current_status":"delivered","pickup_lfd":"2024-06-27T07:00:00Z",
		"import_deadlines":{"pickup_lfd_line":"2024-06-27T07:00:00Z","pickup_lfd_rail":null},
		"fees_at_pod_terminal":[{"type":"demurrage","amount":0,"currency_code":"USD"}]}}, {"type":"container"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	count, findings, err := checkRules(d)
	if count != 1 || len(findings) > 0 || err != nil {
		t.Fatalf("%d containers, %v, %v", count, findings, err)
	}
	var s sample
	if err := json.Unmarshal(containersIn(d.root)[0], &s); err != nil {
		t.Fatal(err)
	}
	wrong := &terminal49.Container{
		AvailableForPickup: terminal49.Some(false), Fees: []terminal49.Fee{},
		PickupLFD: terminal49.NewTime(time.Date(2024, 6, 27, 7, 0, 0, 0, time.UTC), "America/Los_Angeles"),
		ImportDeadlines: terminal49.ImportDeadlines{
			Line: terminal49.NewTime(time.Date(2024, 6, 26, 7, 0, 0, 0, time.UTC), "America/Los_Angeles"),
		},
	}
	if problems := s.problems(wrong); len(problems) != 4 {
		t.Fatalf("%q", problems)
	}
}

func TestMidnightDay(t *testing.T) {
	for _, row := range []struct{ sent, zone, other, want string }{
		{"2024-06-27T07:00:00Z", "America/Los_Angeles", "Asia/Shanghai", "2024-06-27"},
		{"2024-06-26T16:00:00Z", "America/Los_Angeles", "Asia/Shanghai", "2024-06-27"},
		{"2024-07-07T04:00:00Z", "America/New_York", "US/Eastern", "2024-07-07"},
		{"2024-06-27T08:00:00Z", "America/Los_Angeles", "Asia/Shanghai", ""},
		{"2024-06-27T00:00:00Z", "", "Nowhere", ""},
		{"2024-06-27", "America/Los_Angeles", "", ""},
	} {
		if got, ok := midnightDay(row.sent, row.zone, row.other); got != row.want || ok != (row.want != "") {
			t.Errorf("%v: %q, %v", row, got, ok)
		}
	}
}
