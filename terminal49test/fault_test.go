package terminal49test_test

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// exchangeResult is the result of a request, whether it failed or not.
type exchangeResult struct {
	status int
	header http.Header
	// the Content-Length
	length  int64
	body    string
	err     error // of the round trip
	bodyErr error // of reading the body
	zipped  bool  // decompressed by the transport
}

func sendAndRead(c *http.Client, req *http.Request) exchangeResult {
	resp, err := c.Do(req)
	if err != nil {
		return exchangeResult{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return exchangeResult{status: resp.StatusCode, header: resp.Header, length: resp.ContentLength, body: string(body), bodyErr: err, zipped: resp.Uncompressed}
}

// nestingDepth returns the depth of a document, -1 if a bracket is not closed. encoding/json stops
// at 10,000 levels.
func nestingDepth(body string) (deepest int) {
	open := 0
	for _, c := range body {
		switch c {
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		deepest = max(deepest, open)
	}
	if open != 0 {
		return -1
	}
	return deepest
}

// A client must not be able to distinguish the socket from the transport in the process.
func TestFaults_EveryKind(t *testing.T) {
	broken := func(err error) bool {
		return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNREFUSED)
	}
	untrusted := func(err error) bool {
		var refused *tls.CertificateVerificationError
		return errors.As(err, &refused)
	}
	half := func(body string) bool { return body != "" && !json.Valid([]byte(body)) }
	bare := func(status int) func(exchangeResult) bool {
		return func(o exchangeResult) bool {
			return o.status == status && o.bodyErr == nil && o.body == "" && o.length == 0 && o.header.Get("Content-Length") == ""
		}
	}
	page := func(line string) func(exchangeResult) bool {
		return func(o exchangeResult) bool {
			return strings.HasPrefix(line, strconv.Itoa(o.status)) && o.bodyErr == nil && o.header.Get("Content-Type") == "text/html; charset=utf-8" &&
				strings.Contains(o.body, "<h1>"+line+"</h1>")
		}
	}
	cases := map[string]struct {
		fault terminal49test.Fault
		acted bool
		check func(exchangeResult) bool
	}{
		"status": {terminal49test.Fault{Status: 503, Detail: "busy"}, false,
			func(o exchangeResult) bool { return o.status == 503 && strings.Contains(o.body, `"detail":"busy"`) }},
		"status after acting": {terminal49test.Fault{Status: 502, Shape: terminal49test.ShapeHTML, Acted: true}, true,
			func(o exchangeResult) bool {
				return o.status == 502 && strings.Contains(o.body, "<h1>502 Bad Gateway</h1>")
			}},
		"refuse":      {terminal49test.Fault{Kind: terminal49test.FaultRefuse}, false, func(o exchangeResult) bool { return broken(o.err) }},
		"certificate": {terminal49test.Fault{Kind: terminal49test.FaultCertificate}, false, func(o exchangeResult) bool { return untrusted(o.err) || broken(o.err) }},
		"drop":        {terminal49test.Fault{Kind: terminal49test.FaultDrop}, false, func(o exchangeResult) bool { return broken(o.err) }},
		"drop after acting": {terminal49test.Fault{Kind: terminal49test.FaultDrop, Acted: true}, true,
			func(o exchangeResult) bool { return broken(o.err) }},
		"stalled headers": {terminal49test.Fault{Kind: terminal49test.FaultStallHeaders, Delay: time.Millisecond}, false,
			func(o exchangeResult) bool { return broken(o.err) }},
		"stalled body": {terminal49test.Fault{Kind: terminal49test.FaultStallBody, Delay: time.Millisecond}, true,
			func(o exchangeResult) bool { return o.status == 201 && o.body != "" && broken(o.bodyErr) }},
		"reset": {terminal49test.Fault{Kind: terminal49test.FaultReset}, true,
			func(o exchangeResult) bool {
				return o.status == 201 && half(o.body) && errors.Is(o.bodyErr, syscall.ECONNRESET)
			}},
		"truncate": {terminal49test.Fault{Kind: terminal49test.FaultTruncate}, true, func(o exchangeResult) bool {
			return o.status == 201 && half(o.body) && errors.Is(o.bodyErr, io.ErrUnexpectedEOF) && o.length > int64(len(o.body))
		}},
		"truncate without a length": {terminal49test.Fault{Kind: terminal49test.FaultTruncate, NoLength: true}, true, func(o exchangeResult) bool {
			return o.status == 201 && half(o.body) && o.bodyErr == nil && o.length == -1 && o.header.Get("Content-Length") == "" &&
				strings.HasPrefix(o.header.Get("Content-Type"), "application/json") && o.header.Get("Date") != ""
		}},
		"malformed": {terminal49test.Fault{Kind: terminal49test.FaultMalformedJSON}, true, func(o exchangeResult) bool {
			return o.status == 201 && o.bodyErr == nil && o.body != "" && !json.Valid([]byte(o.body))
		}},
		"empty": {terminal49test.Fault{Kind: terminal49test.FaultEmpty}, true,
			func(o exchangeResult) bool { return o.status == 201 && o.bodyErr == nil && o.body == "" }},
		"another status without a body": {terminal49test.Fault{Kind: terminal49test.FaultEmpty, Status: 204}, true, bare(204)},
		"no body":                       {terminal49test.Fault{Status: 204}, false, bare(204)},
		"page":                          {terminal49test.Fault{Status: 200, Shape: terminal49test.ShapeHTML}, false, page("200 OK")},
		"missing page":                  {terminal49test.Fault{Status: 404, Shape: terminal49test.ShapeHTML}, false, page("404 Not Found")},
		"gateway's page":                {terminal49test.Fault{Status: 502, Shape: terminal49test.ShapeHTML}, false, page("502 Bad Gateway")},
		"content type": {terminal49test.Fault{Kind: terminal49test.FaultContentType}, true, func(o exchangeResult) bool {
			return o.status == 201 && strings.HasPrefix(o.header.Get("Content-Type"), "text/plain") && json.Valid([]byte(o.body))
		}},
		"members": {terminal49test.Fault{Kind: terminal49test.FaultMembers, Members: map[string]any{"links": []int{}, "included": nil}}, true,
			func(o exchangeResult) bool {
				return o.status == 201 && strings.Contains(o.body, `"links":[]`) && strings.Contains(o.body, `"included":null`) &&
					strings.Contains(o.body, `"request_number":"MAEU123456789"`) && o.length == int64(len(o.body))
			}},
		"slow": {terminal49test.Fault{Kind: terminal49test.FaultSlow, Delay: time.Millisecond}, true,
			func(o exchangeResult) bool { return o.status == 201 && json.Valid([]byte(o.body)) }},
		"gzip": {terminal49test.Fault{Kind: terminal49test.FaultGzip}, true,
			func(o exchangeResult) bool { return o.status == 201 && o.zipped && json.Valid([]byte(o.body)) }},
		"broken gzip": {terminal49test.Fault{Kind: terminal49test.FaultBrokenGzip}, true,
			func(o exchangeResult) bool { return o.status == 201 && o.bodyErr != nil }},
		"huge": {terminal49test.Fault{Kind: terminal49test.FaultHuge, Bytes: 3 << 20}, false,
			func(o exchangeResult) bool {
				return o.status == 200 && len(o.body) == 3<<20 && json.Valid([]byte(o.body))
			}},
		"deep": {terminal49test.Fault{Kind: terminal49test.FaultDeep}, false,
			func(o exchangeResult) bool { return o.status == 200 && nestingDepth(o.body) == 100_000 }},
		"deep after acting": {terminal49test.Fault{Kind: terminal49test.FaultDeep, Depth: 9_000, Acted: true}, true,
			func(o exchangeResult) bool {
				return o.status == 200 && nestingDepth(o.body) == 9_000 && json.Valid([]byte(o.body))
			}},
		"redirect": {terminal49test.Fault{Kind: terminal49test.FaultRedirect, Status: 308, Location: "https://elsewhere.test/x"}, false,
			func(o exchangeResult) bool {
				return o.status == 308 && o.header.Get("Location") == "https://elsewhere.test/x"
			}},
	}
	for name, c := range cases {
		for _, socket := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				srv := terminal49test.NewServer()
				defer srv.Close()
				client := srv.HTTPClient()
				if socket {
					transport := &http.Transport{}
					defer transport.CloseIdleConnections()
					client = &http.Client{Transport: transport}
				}
				client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
				c.fault.Operation = "tracking_requests.create"
				srv.AddFault(c.fault)
				body := strings.NewReplacer("NUMBER", "MAEU123456789", "SCAC", "MAEU").Replace(createBody)
				req := newAPIRequest(t, srv, "POST", "/tracking_requests", body)
				req.GetBody = nil // prevents a replay by net/http
				if o := sendAndRead(client, req); !c.check(o) {
					t.Errorf("socket=%v: status %d, errors %v and %v, %d bytes: %.200s", socket, o.status, o.err, o.bodyErr, len(o.body), o.body)
				}
				made := int(getAPI(t, srv, "/tracking_requests").at("meta/total").(float64))
				if (made == 1) != c.acted {
					t.Errorf("socket=%v: %d requests exist, acted must be %v", socket, made, c.acted)
				}
				srv.CheckViolations(t)
			})
		}
	}
}

func TestFaults_MatchSkipAndTimes(t *testing.T) {
	srv := newServer(t)
	srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: 500, Skip: 1, Times: 2})
	srv.AddFault(terminal49test.Fault{Operation: "containers.list", Status: 503})
	srv.AddFault(terminal49test.Fault{Operation: "*", Status: 504, Skip: 6, Times: -1})
	for i, c := range []struct {
		path   string
		status int
	}{
		{"/shipments", 200}, {"/shipments", 500}, {"/containers", 503}, {"/containers", 200}, {"/shipments", 500}, {"/shipments", 200},
		{"/shipping_lines", 504}, {"/shipments", 504}, {"/containers", 504},
	} {
		if got := getAPI(t, srv, c.path).status; got != c.status {
			t.Errorf("request %d to %s returned %d, want %d", i, c.path, got, c.status)
		}
	}
	srv.ClearFaults()
	checkReply(t, getAPI(t, srv, "/shipments"), 200, nil)
}

func TestFaults_ErrorShapes(t *testing.T) {
	for shape, body := range map[terminal49test.ErrorShape]string{
		terminal49test.ShapeFull:        `{"errors":[{"status":"422","title":"Bad","detail":"because"}]}`,
		terminal49test.ShapeTitleOnly:   `{"errors":[{"status":"422","title":"Bad"}]}`,
		terminal49test.ShapeNoTitle:     `{"errors":[{"status":"422","detail":"because"}]}`,
		terminal49test.ShapeDetailOnly:  `{"errors":[{"detail":"because"}]}`,
		terminal49test.ShapeNullDetail:  `{"errors":[{"status":"422","source":{"parameter":null},"title":"Bad","detail":null}]}`,
		terminal49test.ShapeNullSource:  `{"errors":[{"status":"422","source":null,"title":"Bad","detail":null}]}`,
		terminal49test.ShapeSingularKey: `{"error":[{"status":"422","title":"Bad","detail":"because"}]}`,
		terminal49test.ShapeErrorText:   `{"error":"because"}`,
		terminal49test.ShapeErrorsText:  `{"errors":"because"}`,
		terminal49test.ShapeMessage:     `{"message":"because"}`,
		terminal49test.ShapeDetailText:  `{"detail":"because"}`,
		terminal49test.ShapeEmpty:       ``,
	} {
		srv := newServer(t)
		srv.AddFault(terminal49test.Fault{Status: 422, Title: "Bad", Detail: "because", Shape: shape})
		if o := sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", "")); o.status != 422 || o.body != body {
			t.Errorf("%q: %d %s, want %s", shape, o.status, o.body, body)
		}
	}
	srv := newServer(t)
	srv.AddFault(terminal49test.Fault{Shape: terminal49test.ShapeMalformedJSON})
	if o := sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", "")); o.status != 500 || json.Valid([]byte(o.body)) || o.body == "" {
		t.Errorf("%d %s", o.status, o.body)
	}
}

func TestFaults_RetryAfterForms(t *testing.T) {
	// the bubble's clock starts at midnight of Saturday, 1 January 2000
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		for form, f := range map[string]terminal49test.RetryAfter{
			"90":                               terminal49test.RetryAfterSeconds(89*time.Second + 1),
			"Sat, 01 Jan 2000 00:01:30 GMT":    terminal49test.RetryAfterDate(90*time.Second, http.TimeFormat),
			"Saturday, 01-Jan-00 00:01:30 GMT": terminal49test.RetryAfterDate(90*time.Second, time.RFC850),
			"Sat Jan  1 00:01:30 2000":         terminal49test.RetryAfterDate(90*time.Second, time.ANSIC),
			"soon":                             terminal49test.RetryAfterRaw("soon"),
		} {
			srv.AddFault(terminal49test.Fault{Status: 429, RetryAfter: f})
			o := sendAndRead(srv.HTTPClient(), newAPIRequest(t, srv, "GET", "/shipments", ""))
			if got := o.header.Get("Retry-After"); o.status != 429 || got != form {
				t.Errorf("%d with Retry-After %q, want %q", o.status, got, form)
			}
		}
	})
}

func TestFaults_RedirectToTheSameURL(t *testing.T) {
	srv := newServer(t)
	srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultRedirect, Operation: "shipments.list"})
	checkReply(t, getAPI(t, srv, "/shipments?page[size]=3"), 200, map[string]any{"links/self": srv.URL + "/shipments?page[size]=3"})
	if n := len(srv.Requests()); n != 2 {
		t.Errorf("%d requests, want the redirected one and its target", n)
	}
}

func TestFaults_UnknownOperationOrKindIsAViolation(t *testing.T) {
	s := terminal49test.NewServer(terminal49test.WithoutSocket())
	s.AddFault(terminal49test.Fault{Operation: "shipments.get", Kind: terminal49test.FaultDrop})
	s.AddFault(terminal49test.Fault{Operation: "*"})
	if v := s.Violations(); len(v) != 0 {
		t.Fatalf("violations of valid faults: %v", v)
	}
	s.AddFault(terminal49test.Fault{Operation: "shipment.get"})
	s.AddFault(terminal49test.Fault{Kind: "dropp"})
	if v := s.Violations(); len(v) != 2 {
		t.Fatalf("%d violations of two invalid faults: %v", len(v), v)
	}
}

func TestFaults_ThatAreSet(t *testing.T) {
	srv := newServer(t)
	srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: 503, Skip: 1, Times: 2, Members: map[string]any{"links": nil}})
	srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultEmpty})
	for range 2 {
		getAPI(t, srv, "/shipments")
	}
	got := srv.Faults()
	if len(got) != 1 || got[0].Skip != 0 || got[0].Times != 1 || got[0].Operation != "shipments.list" {
		t.Errorf("%+v", got)
	}
	got[0].Members["links"] = "changed"
	if srv.Faults()[0].Members["links"] != nil {
		t.Error("a copy shares its members")
	}
	srv.ClearFaults()
	if got := srv.Faults(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
