package terminal49test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// maxRequestBody is the maximum number of bytes that are read of a request body.
const maxRequestBody = 1 << 20

// checkHeader checks the headers that every request must have.
func (x *exchange) checkHeader() {
	for _, name := range []string{"Authorization", "User-Agent", "Accept"} {
		if x.in.header.Get(name) == "" {
			x.violate("header %s is missing", name)
		}
	}
	if x.in.header.Get("Authorization") != "" && !x.hasScheme() {
		x.violate("header Authorization must be Token <API key>, or Bearer <access token> with X-Account-Id")
	}
	if len(x.in.header.Values("Authorization")) > 1 {
		x.violate("header Authorization is given more than once")
	}
}

// hasScheme reports whether the credentials are an API key, or a user's access token with the
// account. An API key that is sent as Bearer is a frequent mistake, and has no account.
func (x *exchange) hasScheme() bool {
	scheme, _, _ := strings.Cut(x.in.header.Get("Authorization"), " ")
	if scheme == "Bearer" && x.route != nil && x.route.op == "me.get" {
		return true // for the user's primary account
	}
	return scheme == "Token" || scheme == "Bearer" && x.in.header.Get("X-Account-Id") != ""
}

// checkQuery checks for undocumented, repeated and empty parameters.
func (x *exchange) checkQuery() {
	for _, name := range state.SortedKeys(x.query) {
		switch {
		case !slices.Contains(x.route.query, name) && !x.route.hasFilter(name):
			x.violate("query parameter %q is not documented", name)
		case len(x.query[name]) > 1 && !strings.HasSuffix(name, "[]"):
			x.violate("query parameter %q is given more than once", name)
		case x.query.Get(name) == "" && name != "include":
			x.violate("query parameter %q is empty; leave it out", name)
		}
	}
}

func (r *route) hasFilter(name string) bool {
	_, known := parseFilter(r.filters, name)
	return known
}

// readBody checks the body against the route and decodes its data. A reply that is not nil is the
// response.
func (x *exchange) readBody() *reply {
	rule, body := x.route.body, bytes.TrimSpace(x.in.body)
	if x.in.tooLong {
		r := errorReply(ShapeFull, problem{status: 413})
		x.violate("the body must be at most %d bytes", maxRequestBody)
		return &r
	}
	if len(body) == 0 {
		if rule == nil || rule.stub {
			return nil
		}
		x.violate("a JSON body is required")
		return unprocessable("", "The request body is missing.")
	}
	if rule == nil {
		x.violate("the operation takes no body")
		return nil
	}
	media, _, _ := mime.ParseMediaType(x.in.header.Get("Content-Type"))
	if media != "application/json" && !strings.HasSuffix(media, "+json") {
		x.violate("header Content-Type must be application/json")
		return unprocessable("", "The request body is missing.") // only JSON is parsed
	}
	if !isSingleValue(body) {
		x.violate("the body must be one JSON document")
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
	_ = json.Unmarshal(members["data"], &parts) // was decoded before
	x.checkNames("member of data", parts, []string{"type", "id", "attributes", "relationships"})
	if x.data.Type != rule.kind {
		x.violate("data.type is %q and must be %q", x.data.Type, rule.kind)
	}
	if id := x.args["id"]; id != "" && x.data.ID != "" && x.data.ID != id {
		x.violate("data.id must be the id in the path")
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

func (x *exchange) checkNames(what string, got map[string]json.RawMessage, documented []string) {
	for _, name := range state.SortedKeys(got) {
		if !slices.Contains(documented, name) {
			x.violate("%s %q is not documented", what, name)
		}
	}
}

// isSingleValue reports whether body is exactly one JSON value.
func isSingleValue(body []byte) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	var v json.RawMessage
	if d.Decode(&v) != nil {
		return false
	}
	_, err := d.Token()
	return err == io.EOF
}
