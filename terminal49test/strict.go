package terminal49test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"slices"
	"strings"
)

// maxRequestBody is how much of a request body is read.
const maxRequestBody = 1 << 20

// checkHeader looks at the headers every request must carry.
func (x *exchange) checkHeader() {
	for _, name := range []string{"Authorization", "User-Agent", "Accept"} {
		if x.in.header.Get(name) == "" {
			x.violate("header %s is missing", name)
		}
	}
	if auth := x.in.header.Get("Authorization"); auth != "" && !strings.HasPrefix(auth, "Token ") {
		x.violate("header Authorization must read Token <API key>")
	}
	if len(x.in.header.Values("Authorization")) > 1 {
		x.violate("header Authorization is given more than once")
	}
}

// checkQuery looks for parameters the operation does not document and for ones given twice.
func (x *exchange) checkQuery() {
	for _, name := range sortedKeys(x.query) {
		switch {
		case !slices.Contains(x.route.query, name):
			x.violate("query parameter %q is not documented", name)
		case len(x.query[name]) > 1:
			x.violate("query parameter %q is given more than once", name)
		case x.query.Get(name) == "" && name != "include":
			x.violate("query parameter %q is empty; leave it out", name)
		}
	}
}

// readBody checks the body against the route and decodes its data. The reply it gives, if any, is the answer.
func (x *exchange) readBody() *reply {
	rule, body := x.route.body, bytes.TrimSpace(x.in.body)
	if x.in.tooLong {
		r := errorReply(ShapeFull, problem{status: 413})
		x.violate("the body is longer than %d bytes", maxRequestBody)
		return &r
	}
	if len(body) == 0 {
		if rule == nil || rule.stub {
			return nil
		}
		x.violate("a JSON body is expected")
		return unprocessable("", "The request body is missing.")
	}
	if rule == nil {
		x.violate("a body is sent where none is expected")
		return nil
	}
	media, _, _ := mime.ParseMediaType(x.in.header.Get("Content-Type"))
	if media != "application/json" && !strings.HasSuffix(media, "+json") {
		x.violate("header Content-Type must say application/json")
		return unprocessable("", "The request body is missing.") // what is not announced as JSON is not parsed
	}
	if !isSingleValue(body) {
		x.violate("the body is not one JSON document")
		r := errorReply(ShapeFull, problem{status: 400, title: "Bad Request", detail: "The request body is not valid JSON."})
		return &r
	}
	return x.readDocument(rule, body)
}

func (x *exchange) readDocument(rule *bodyRule, body []byte) *reply {
	var doc struct {
		Data *envelope `json:"data"`
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		x.violate("the body must be a JSON object")
		return unprocessable("", "The request body is not an object.")
	}
	if rule.kind == "" {
		x.data.Attributes = members
		x.checkNames("member", members, rule.attributes)
		return nil
	}
	if err := json.Unmarshal(body, &doc); err != nil || doc.Data == nil {
		x.violate(`the body must be {"data":{"type":%q,...}}`, rule.kind)
		return unprocessable("/data", "The data member is missing.")
	}
	x.checkNames("member", members, []string{"data"})
	x.data = *doc.Data
	var parts map[string]json.RawMessage
	_ = json.Unmarshal(members["data"], &parts) // decoded once already
	x.checkNames("member of data", parts, []string{"type", "id", "attributes", "relationships"})
	if x.data.Type != rule.kind {
		x.violate("data.type is %q and must be %q", x.data.Type, rule.kind)
	}
	if id := x.args["id"]; id != "" && x.data.ID != "" && x.data.ID != id {
		x.violate("data.id differs from the id in the path")
	}
	x.checkNames("attribute", x.data.Attributes, rule.attributes)
	x.checkNames("relationship", x.data.Relationships, rule.relationships)
	if rule.stub {
		return nil
	}
	if x.data.Attributes == nil {
		x.violate("data.attributes is missing")
		return unprocessable("/data/attributes", "The attributes member is missing.")
	}
	return nil
}

func (x *exchange) checkNames(what string, got map[string]json.RawMessage, known []string) {
	for _, name := range sortedKeys(got) {
		if !slices.Contains(known, name) {
			x.violate("%s %q is not documented", what, name)
		}
	}
}

// single reports whether body is exactly one JSON value.
func isSingleValue(body []byte) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	var v json.RawMessage
	if d.Decode(&v) != nil {
		return false
	}
	_, err := d.Token()
	return err == io.EOF
}
