package terminal49test_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/operation"
)

// FuzzRequest sends arbitrary requests. The server must respond with valid JSON, refuse in the
// service's format, never fail itself, and keep working.
func FuzzRequest(f *testing.F) {
	for _, seed := range [][4]string{
		{"GET", "/shipments", "include=containers.shipment&page[size]=2", ""},
		{"GET", "/containers", "page[number]=99999999999999999999&page[size]=-1", ""},
		{"GET", "/tracking_requests", "filter[created_at][start]=x&q=%zz", ""},
		{"POST", "/tracking_requests", "", strings.NewReplacer("NUMBER", "A", "SCAC", "MAEU").Replace(createBody)},
		{"POST", "/tracking_requests/infer_number", "", `{"number":"ABCU1234567"}`},
		{"PATCH", "/containers", "", `{"data":{"id":"x","type":"container","attributes":{"ref_numbers":null}}}`},
		{"PATCH", "/shipments/%2F/stop_tracking", "", `{"data":null}`},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	srv := newServer(f)
	shipment := srv.SeedDemo().Shipments[0]
	container, _ := getAPI(f, srv, "/containers").at("data/0/id").(string)
	for _, op := range operation.All() { // every route, with its parameters and attributes
		id := shipment
		if strings.HasPrefix(op.Path, "/containers") {
			id = container
		}
		query := url.Values{}
		for _, name := range op.Query {
			query.Set(name, "1")
		}
		body := ""
		if len(op.Body) > 0 {
			body = `{"data":{"id":"` + id + `","type":"` + op.Resource + `","attributes":{"` + strings.Join(op.Body, `":null,"`) + `":[1]}}}`
		}
		f.Add(op.Method, strings.NewReplacer("{id}", id).Replace(op.Path), query.Encode(), body)
	}
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		u, err := url.Parse(srv.URL + path)
		if err != nil {
			return
		}
		u.RawQuery = query
		req := newAPIRequest(t, srv, "GET", "/", "")
		req.Method, req.URL, req.Body = method, u, io.NopCloser(strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		o := sendAndRead(&http.Client{Transport: srv.Transport()}, req)
		if o.err != nil {
			return
		}
		if o.status < 200 || o.status > 599 || o.status == 500 {
			t.Fatalf("status %d", o.status)
		}
		if o.bodyErr != nil {
			t.Fatalf("the response body is incomplete: %v", o.bodyErr)
		}
		if strings.Contains(o.header.Get("Content-Type"), "json") && o.body != "" {
			var doc map[string]json.RawMessage
			if err := json.Unmarshal([]byte(o.body), &doc); err != nil {
				t.Fatalf("%v in %s", err, o.body)
			}
			if _, problems := doc["errors"]; o.status >= 400 && !problems {
				t.Fatalf("an error response without errors: %s", o.body)
			}
		}
		// The next request succeeds.
		if next := getAPI(t, srv, "/shipping_lines"); next.status != http.StatusOK {
			t.Fatalf("the next request returned %d %s", next.status, next.raw)
		}
	})
}
