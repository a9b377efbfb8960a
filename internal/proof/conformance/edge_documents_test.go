package conformance_test

import (
	"encoding/json"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// These rows are about the members of a JSON:API document (jsonapi.org/format, version 1.1). Walks
// of lists are in edge_walks_test.go.

func isDocument(op testedOperation) bool { return strings.HasPrefix(op.reply, `{"data":`) }

// readsAllPages reports whether a call returns a whole list, and so needs the links.
func readsAllPages(op testedOperation) bool {
	return op.Name == "containers.transport_events" ||
		op.Name == "custom_field_options.list" || op.step != nil && op.Name == "webhooks.list" || strings.HasSuffix(op.Name, ".custom_fields.list")
}

// asksOnce reports whether a call asks for one page or resource, whose links and counts it does not
// need.
func asksOnce(op testedOperation) bool {
	return isDocument(op) && op.Name != operation.ContainersSummary.Name && !readsAllPages(op)
}

func isList(op testedOperation) bool { return strings.HasPrefix(op.reply, `{"data":[`) }
func isOne(op testedOperation) bool  { return op.single }

// succeeds returns a row with one request and a success.
func succeeds(name string, only func(testedOperation) bool, body func(string) string) edge {
	return edgeRow(same(outcome{sent: 1}), name, only, body)
}

// unreadable returns a row whose response cannot be decoded.
func unreadable(name string, only func(testedOperation) bool, body func(string) string) edge {
	return edgeRow(spoilt(verdictUnread), name, only, body)
}

func edgeRow(r faultRow, name string, only func(testedOperation) bool, body func(string) string) edge {
	r.name, r.only = name, only
	return edge{faultRow: r, body: body}
}

// member returns a change that sets a top-level member to JSON text, in place of an earlier one.
func member(name, text string) func(string) string {
	return changed(func(doc map[string]any) { doc[name] = json.RawMessage(text) })
}

// doubled returns a change that adds a member, also if there is one. JSON does not say which of two
// counts (RFC 8259, section 4).
func doubled(name, text string) func(string) string {
	return func(body string) string {
		return strings.TrimSuffix(strings.TrimSpace(body), "}") + `,"` + name + `":` + text + "}"
	}
}

// changed returns a change of a JSON object. Numbers keep their digits.
func changed(change func(map[string]any)) func(string) string {
	return func(body string) string {
		var doc map[string]any
		reader := json.NewDecoder(strings.NewReader(body))
		reader.UseNumber()
		if reader.Decode(&doc) != nil {
			return body
		}
		change(doc)
		return asText(doc)
	}
}

func asText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// documentEdges are rows about members of other kinds. Links and meta carry no resource, so a call
// that asks for one page or one resource succeeds without them, and so does a write.
func documentEdges() (rows []edge) {
	for _, text := range []string{`[]`, `null`, `"x"`, `7`, `{"next":{"href":"/v2/x?page[number]=2","meta":{}}}`, `{"next":[]}`,
		`{"next":7}`, `{"next":{}}`, `{"self":{"href":"/v2/x"},"describedby":null}`} {
		rows = append(rows, succeeds("links: "+text, asksOnce, member("links", text)))
	}
	for _, text := range []string{`[]`, `null`, `"x"`, `7`, `{"total":"many"}`, `{"total":-1,"size":-1}`, `{"total":1e19}`,
		`{"total":1.5,"size":null}`, `{"total":[1],"size":{}}`} {
		rows = append(rows, succeeds("meta: "+text, asksOnce, member("meta", text)))
	}
	for _, text := range []string{`null`, `{}`, `"x"`, `[7,null,"x",[]]`, `[{}]`, `[{"type":"container"}]`} {
		rows = append(rows, succeeds("included: "+text, isDocument, member("included", text)))
	}
	for _, text := range []string{`[]`, `null`, `[{"type":"container","id":"x"}]`} {
		rows = append(rows, succeeds("included twice, then "+text, isDocument, doubled("included", text)))
	}
	rows = append(rows,
		succeeds("members that begin with @", isDocument, doubled("@context", `{"@id":7}`)),
		succeeds("jsonapi: null", isDocument, member("jsonapi", `null`)),
		succeeds("an unknown member", isDocument, member("x", `[{"y":1}]`)))
	return append(rows, dataEdges()...)
}

// dataEdges are rows about primary data of another kind. A success that named no resource would be
// an empty list or an empty resource.
func dataEdges() []edge {
	data := func(change func(any) any) func(string) string {
		return changed(func(doc map[string]any) { doc["data"] = change(doc["data"]) })
	}
	always := func(v any) func(string) string { return data(func(any) any { return v }) }
	odd := func(v any) func(string) string {
		return data(func(old any) any {
			list, _ := old.([]any)
			return append([]any{v}, list...)
		})
	}
	filled := func(op testedOperation) bool { return isList(op) && !strings.HasPrefix(op.reply, `{"data":[]`) }
	return []edge{
		unreadable("data: text", isDocument, always("x")),
		unreadable("data: a number", isDocument, always(7)),
		unreadable("data: false", isDocument, always(false)),
		unreadable("no data", isDocument, changed(func(doc map[string]any) { delete(doc, "data") })),
		unreadable("data: [7] of a list", isList, always([]any{7})),
		unreadable("data: null of one", isOne, always(nil)),
		unreadable("data: [] of one", isOne, always([]any{})),
		unreadable("data: {} of one", isOne, always(map[string]any{})),
		unreadable("data: [resource, resource] of one", isOne, data(func(old any) any { return []any{old, old} })),
		succeeds("a number before the items of a list", filled, odd(7)),
		succeeds("null before the items of a list", filled, odd(nil)),
		succeeds("text before the items of a list", filled, odd("x")),
	}
}

// valueEdges are rows about hostile values of attributes and relationships. A value that cannot be
// read is left empty and reported; the rest is complete (doc of DecodeWarning).
func valueEdges() (rows []edge) {
	for _, v := range []string{`1e19`, `-1e19`, `1e400`, `1e-400`, `-0`, `99999999999999999999`, `0.1e1`, `true`, `null`, `[]`,
		`[[]]`, `{}`, `{"a":[{}]}`, `""`, `"292277026596-12-04T15:30:08Z"`, `"9999-12-31T23:59:60Z"`, `"0000-00-00"`,
		`"` + strings.Repeat("9", 400) + `"`, hostileJSON} {
		name := v
		if len(name) > 40 {
			name = name[:20] + "..."
		}
		if v == hostileJSON {
			name = "text that a terminal obeys"
		}
		row := succeeds("every attribute: "+name, hasAttributes, everywhere("attributes", v))
		rows = append(rows, row)
	}
	for _, v := range []string{`null`, `[]`, `"x"`, `{}`, `{"data":7}`, `{"data":[7,null,{}]}`, `{"data":{"id":7,"type":null}}`,
		`{"data":{"id":"x","type":"x"},"links":[],"meta":7}`} {
		rows = append(rows, succeeds("every relationship: "+v, hasAttributes, everywhere("relationships", v)))
	}
	broken := succeeds("an unreadable time, 5,000 times", isDocument, member("included", brokenTimes(5_000)))
	refused := unreadable("an unreadable time, 5,000 times, strict", hasAttributes, member("included", brokenTimes(5_000)))
	refused.strict = true
	huge := succeeds("an unreadable time in one resource, 5,000 times", isDocument, member("included",
		`[{"id":"x","type":"container","attributes":{`+strings.Repeat(`"created_at":"noon",`, 5_000)+`"x":1}}]`))
	return append(rows, broken, refused, huge)
}

// brokenTimes returns n resources, each with a time that cannot be read.
func brokenTimes(n int) string {
	one := `{"id":"x","type":"container","attributes":{"created_at":"noon"}}`
	return "[" + strings.Repeat(one+",", n-1) + one + "]"
}

// hostileText clears a screen, reverses the rest of a line and ends it.
const hostileText = "\u001b[2J\u009b31m\u202e\u0000\u0007\r\nlevel=INFO msg=forged"

var hostileJSON = asText(hostileText)

// hasAttributes reports whether a response has attributes of which none decides whether it is one:
// a creation compares the number, and an inference without its attributes is none.
func hasAttributes(op testedOperation) bool {
	return isDocument(op) && !op.unread && op.Name != operation.TrackingRequestsCreate.Name &&
		op.Name != operation.TrackingRequestsInfer.Name
}

// everywhere returns a change that sets each member of the named objects, at any depth, to a value.
func everywhere(name, value string) func(string) string {
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for key, e := range v {
				if within, ok := e.(map[string]any); ok && key == name {
					for k := range within {
						within[k] = json.RawMessage(value)
					}
					continue
				}
				visit(e)
			}
		}
	}
	return changed(func(doc map[string]any) { visit(doc) })
}
