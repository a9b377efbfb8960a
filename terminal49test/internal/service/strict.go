package service

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// MaxRequestBody is the maximum number of bytes that are read of a request body.
const MaxRequestBody = 1 << 20

// CheckHeader checks the headers that every request must have.
func (x *Call) CheckHeader() {
	for _, name := range []string{"Authorization", "User-Agent"} {
		if x.In.Header.Get(name) == "" {
			x.Violate("header %s is missing", name)
		}
	}
	if x.In.Header.Get("Authorization") != "" && !x.HasScheme() {
		x.Violate("header Authorization must be Token <API key>, or Bearer <access token>")
	}
	if len(x.In.Header.Values("Authorization")) > 1 {
		x.Violate("header Authorization is given more than once")
	}
}

// HasScheme reports whether the credentials are an API key or a user's access token. An access
// token without X-Account-Id is answered for the user's primary account.
func (x *Call) HasScheme() bool {
	scheme, _, _ := strings.Cut(x.In.Header.Get("Authorization"), " ")
	return scheme == "Token" || scheme == "Bearer"
}

// checkQuery checks for undocumented, repeated and empty parameters.
func (x *Call) checkQuery() {
	for _, name := range state.SortedKeys(x.Query) {
		switch {
		case !slices.Contains(x.Route.Query, name) && !x.Route.hasFilter(name):
			x.Violate("query parameter %q is not documented", name)
		case len(x.Query[name]) > 1 && !strings.HasSuffix(name, "[]"):
			x.Violate("query parameter %q is given more than once", name)
		case x.Query.Get(name) == "" && name != "include":
			x.Violate("query parameter %q is empty; leave it out", name)
		}
	}
}

func (r *Route) hasFilter(name string) bool {
	_, known := parseFilter(r.Filters, name)
	return known
}

// ReadBody checks the body against the route and decodes its data. A reply that is not nil is the
// response.
func (x *Call) ReadBody() *Reply {
	rule, body := x.Route.Body, bytes.TrimSpace(x.In.Body)
	if x.In.tooLong {
		r := Refusal(Problem{Status: 413})
		x.Violate("the body must be at most %d bytes", MaxRequestBody)
		return &r
	}
	if len(body) == 0 {
		if rule == nil || rule.Stub {
			return nil
		}
		x.Violate("a JSON body is required")
		return Unprocessable("", "The request body is missing.")
	}
	if rule == nil {
		x.Violate("the operation takes no body")
		return nil
	}
	media, _, _ := mime.ParseMediaType(x.In.Header.Get("Content-Type"))
	if media != "application/json" && !strings.HasSuffix(media, "+json") {
		x.Violate("header Content-Type must be application/json")
		return Unprocessable("", "The request body is missing.") // only JSON is parsed
	}
	if !isSingleValue(body) {
		x.Violate("the body must be one JSON document")
		r := Refusal(Problem{Status: 400, Title: "Bad Request", Detail: "The request body is not valid JSON."})
		return &r
	}
	return x.readDocument(rule, body)
}

func (x *Call) readDocument(rule *BodyRule, body []byte) *Reply {
	var doc struct {
		Data *envelope `json:"data"`
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		x.Violate("the body must be a JSON object")
		return Unprocessable("", "The request body is not an object.")
	}
	if rule.Kind == "" {
		x.Data.Attributes = members
		x.checkNames("member", members, rule.Attributes)
		return nil
	}
	if err := json.Unmarshal(body, &doc); err != nil || doc.Data == nil {
		x.Violate(`the body must be {"data":{"type":%q,...}}`, rule.Kind)
		return Unprocessable("/data", "The data member is missing.")
	}
	x.Data = *doc.Data
	x.checkDocument(rule, members)
	if rule.Stub {
		return nil
	}
	if x.Data.Attributes == nil {
		x.Violate("data.attributes is missing")
		return Unprocessable("/data/attributes", "The attributes member is missing.")
	}
	return nil
}

// checkDocument records what of a decoded document is not documented.
func (x *Call) checkDocument(rule *BodyRule, members map[string]json.RawMessage) {
	x.checkNames("member", members, []string{"data"})
	var parts map[string]json.RawMessage
	_ = json.Unmarshal(members["data"], &parts) // was decoded before
	x.checkNames("member of data", parts, []string{"type", "id", "attributes", "relationships"})
	if _, sent := parts["type"]; x.Data.Type != rule.Kind && (sent || !rule.Untyped) {
		x.Violate("data.type is %q and must be %q", x.Data.Type, rule.Kind)
	}
	if id := x.Args["id"]; id != "" && x.Data.ID != "" && x.Data.ID != id {
		x.Violate("data.id must be the id in the path")
	}
	x.checkNames("attribute", x.Data.Attributes, rule.Attributes)
	x.checkNames("relationship", x.Data.Relationships, rule.Relationships)
}

func (x *Call) checkNames(what string, got map[string]json.RawMessage, documented []string) {
	for _, name := range state.SortedKeys(got) {
		if !slices.Contains(documented, name) {
			x.Violate("%s %q is not documented", what, name)
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
