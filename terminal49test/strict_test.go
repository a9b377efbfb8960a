package terminal49test_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// Each case makes one mistake in a valid request.
func TestViolations_OnePerMistake(t *testing.T) {
	const good = `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU123456789","scac":"MAEU"}}}`
	cases := map[string]struct {
		method, path, body string
		change             func(*http.Request)
		status             int
		what               string // part of the violation
	}{
		"no token":          {"GET", "/shipments", "", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "header Authorization is missing"},
		"wrong scheme":      {"GET", "/shipments", "", func(r *http.Request) { r.Header.Set("Authorization", "Basic x") }, 401, "Token <API key>"},
		"two tokens":        {"GET", "/shipments", "", func(r *http.Request) { r.Header.Add("Authorization", "Token y") }, 200, "more than once"},
		"no user agent":     {"GET", "/shipments", "", func(r *http.Request) { r.Header.Set("User-Agent", "") }, 200, "User-Agent"},
		"no content type":   {"POST", "/tracking_requests", good, func(r *http.Request) { r.Header.Del("Content-Type") }, 422, "Content-Type"},
		"form content type": {"POST", "/tracking_requests", good, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 422, "Content-Type"},
		"unknown parameter": {"GET", "/shipments?status=on_ship", "", nil, 200, `"status" is not documented`},
		"parameter twice":   {"GET", "/shipments?q=a&q=b", "", nil, 200, `"q" is given more than once`},
		"empty parameter":   {"GET", "/shipments?q=", "", nil, 200, `"q" is empty`},
		"empty include":     {"GET", "/shipments?include=", "", nil, 200, "include is empty"},
		"broken query":      {"GET", "/shipments?q=%zz", "", nil, 200, "cannot be parsed"},
		"bad boolean":       {"GET", "/shipments?filter[tracking_stopped]=yes", "", nil, 400, "refuses"}, // docs/service.md#filters
		"bad status":        {"GET", "/tracking_requests?filter[status]=succeeded", "", nil, 200, "must be a status"},
		"bad date":          {"GET", "/tracking_requests?filter[created_at][start]=today", "", nil, 200, "ISO 8601"},
		"body on a read":    {"GET", "/shipments", `{}`, nil, 200, "takes no body"},
		"body on refresh":   {"PATCH", "/containers/BOX/refresh", `{}`, nil, 200, "takes no body"},
		"attributes on stop": {"PATCH", "/shipments/SHIPMENT/stop_tracking", `{"data":{"type":"shipment","attributes":{"x":1}}}`, nil, 200,
			`attribute "x" is not documented`},
		"no body":            {"PATCH", "/shipments/SHIPMENT", "", nil, 422, "body is required"},
		"no envelope":        {"PATCH", "/shipments/SHIPMENT", `{"tags":["a"]}`, nil, 422, `"data"`},
		"data is a list":     {"PATCH", "/shipments/SHIPMENT", `{"data":[]}`, nil, 422, `"data"`},
		"not an object":      {"PATCH", "/shipments/SHIPMENT", `[1]`, nil, 422, "JSON object"},
		"not JSON":           {"PATCH", "/shipments/SHIPMENT", `{"data":`, nil, 400, "one JSON document"},
		"two documents":      {"PATCH", "/shipments/SHIPMENT", `{} {}`, nil, 400, "one JSON document"},
		"no attributes":      {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":"shipment"}}`, nil, 422, "data.attributes is missing"},
		"wrong type":         {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":"container","attributes":{}}}`, nil, 200, `must be "shipment"`},
		"no type":            {"PATCH", "/containers", `{"data":{"id":"BOX","attributes":{"ref_numbers":["a"]}}}`, nil, 200, `must be "container"`},
		"null type":          {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":null,"attributes":{}}}`, nil, 200, `must be "shipment"`},
		"wrong id":           {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":"shipment","id":"other","attributes":{}}}`, nil, 200, "must be the id in the path"},
		"unknown attribute":  {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":"shipment","attributes":{"weight":1}}}`, nil, 200, `"weight" is not documented`},
		"wrong kind":         {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":"shipment","attributes":{"tags":"a"}}}`, nil, 200, `"tags" has a value of the wrong kind`},
		"tags twice":         {"PATCH", "/shipments/SHIPMENT", `{"data":{"type":"shipment","attributes":{"tags":["a","a"]}}}`, nil, 200, "a tag twice"},
		"plural ref_numbers": {"PATCH", "/tracking_requests/TR", `{"data":{"type":"tracking_request","attributes":{"ref_numbers":["a"]}}}`, nil, 200, `"ref_numbers" is not documented`},
		"unnamed container":  {"PATCH", "/containers", `{"data":{"type":"container","attributes":{}}}`, nil, 422, "data.id"},
		"unknown relation": {"POST", "/tracking_requests", strings.Replace(good, `"scac":"MAEU"}`, `"scac":"MAEU"},"relationships":{"party":{}}`, 1), nil, 201,
			`relationship "party"`},
		"customer of a wrong type": {"POST", "/tracking_requests",
			strings.Replace(good, `"scac":"MAEU"}`, `"scac":"MAEU"},"relationships":{"customer":{"data":{"id":"ACCOUNT","type":"account"}}}`, 1), nil, 201, "relationship customer"},
		"booking":         {"POST", "/tracking_requests", strings.Replace(good, "bill_of_lading", "booking", 1), nil, 422, "request_type"},
		"infer envelope":  {"POST", "/tracking_requests/infer_number", `{"data":{"number":"MAEU123456789"}}`, nil, 422, `"data" is not documented`},
		"half a field":    {"POST", "/tracking_requests", strings.Replace(good, `"scac"`, `"initial_custom_fields":{"shipment":[{"api_slug":"a"}]},"scac"`, 1), nil, 201, "api_slug and a value"},
		"unknown include": {"GET", "/containers?include=vessel", "", nil, 400, `include "vessel"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
			container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
			tr := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU1", SCAC: "MAEU", Status: "created", Shipment: shipment})
			names := strings.NewReplacer("SHIPMENT", shipment, "BOX", container, "TR", tr, "ACCOUNT", srv.AccountID)
			req := newAPIRequest(t, srv, c.method, names.Replace(c.path), names.Replace(c.body))
			if c.change != nil {
				c.change(req)
			}
			checkReply(t, sendRequest(t, srv.HTTPClient(), req), c.status, nil)
			found := srv.Violations()
			if len(found) != 1 || !strings.Contains(found[0].String(), c.what) {
				t.Errorf("violations %q, want one with %q", found, c.what)
			}
		})
	}
}

// recorder implements the part of testing.T that CheckViolations uses.
type recorder struct{ lines []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func TestViolations_CheckViolations(t *testing.T) {
	srv := newServer(t)
	var r recorder
	getAPI(t, srv, "/shipments")
	if srv.CheckViolations(&r); len(r.lines) != 0 {
		t.Errorf("errors without a violation: %q", r.lines)
	}
	getAPI(t, srv, "/shipments?carrier=MAEU")
	srv.CheckViolations(&r)
	if want := `terminal49test: GET /v2/shipments (shipments.list): query parameter "carrier" is not documented`; len(r.lines) != 1 || r.lines[0] != want {
		t.Errorf("%q, want %q", r.lines, want)
	}
}

func TestRequests_RedactTheToken(t *testing.T) {
	const token = "sEcReT-0123456789"
	srv := newServer(t, terminal49test.WithToken(token))
	req := newAPIRequest(t, srv, "POST", "/tracking_requests/infer_number?api_key="+token, `{"number":"`+token+`","`+token+`":1}`)
	req.Header.Set("X-Copy", token)
	sendRequest(t, srv.HTTPClient(), req)
	getAPI(t, srv, "/shipments/"+token+"?include="+token)
	if kept := fmt.Sprintf("%+v %q %s", srv.Requests(), srv.Violations(), srv.Requests()[0].Body); strings.Contains(kept, token) || !strings.Contains(kept, "[secret]") {
		t.Errorf("the token is recorded: %s", kept)
	}
	if h := srv.Requests()[0].Header.Get("Authorization"); h != "[secret]" {
		t.Errorf("Authorization is recorded as %q", h)
	}
}

func TestRequests_BodyLimit(t *testing.T) {
	srv := newServer(t)
	body := `{"number":"` + strings.Repeat("x", 2<<20) + `"}`
	checkReply(t, callAPI(t, srv, "POST", "/tracking_requests/infer_number", body), 413, nil)
	if n := len(srv.Requests()[0].Body); n != 1<<20 {
		t.Errorf("%d bytes were read", n)
	}
}

// The service's guides: an API key is sent as Token; X-Account-Id is only meaningful with a user's
// access token, which is sent as Bearer, and selects another account than the primary one.
func TestViolations_BothCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		authorization, account string
		status, violations     int
	}{
		"API key":                         {"Token TOKEN", "", 200, 0},
		"API key with an account":         {"Token TOKEN", "a-1", 200, 0},
		"access token":                    {"Bearer TOKEN", "a-1", 200, 0},
		"access token without an account": {"Bearer TOKEN", "", 200, 0}, // for the primary account
		"another access token":            {"Bearer x", "a-1", 401, 0},
		"another scheme":                  {"Basic TOKEN", "a-1", 401, 1},
		"no scheme":                       {"TOKEN", "a-1", 401, 1},
	} {
		srv := newServer(t)
		req := newAPIRequest(t, srv, "GET", "/shipments", "")
		req.Header.Set("Authorization", strings.ReplaceAll(c.authorization, "TOKEN", srv.Token))
		if c.account != "" {
			req.Header.Set("X-Account-Id", c.account)
		}
		checkReply(t, sendRequest(t, srv.HTTPClient(), req), c.status, nil)
		if found := srv.Violations(); len(found) != c.violations {
			t.Errorf("%s: violations %q, want %d", name, found, c.violations)
		}
	}
}

// What the service's OpenAPI document does not require is not a violation: an Accept header, and
// data.type of PATCH /shipments/{id}, POST /parties and PATCH /parties/{id}.
func TestStrict_AcceptsWhatTheDocumentDoesNotRequire(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	party := srv.AddParty(terminal49test.Party{CompanyName: "Harbor"})
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/shipments", "", 200},
		{"PATCH", "/shipments/" + shipment, `{"data":{"attributes":{"tags":["a"]}}}`, 200},
		{"POST", "/parties", `{"data":{"attributes":{"company_name":"Lakeside"}}}`, 201},
		{"PATCH", "/parties/" + party, `{"data":{"attributes":{"company_name":"Harbor Street"}}}`, 200},
	} {
		req := newAPIRequest(t, srv, c.method, c.path, c.body)
		req.Header.Del("Accept")
		checkReply(t, sendRequest(t, srv.HTTPClient(), req), c.status, nil)
	}
	srv.CheckViolations(t)
}
