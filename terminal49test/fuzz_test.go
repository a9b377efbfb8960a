package terminal49test_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// FuzzRequest sends anything anywhere: the server must answer it, with JSON that is JSON.
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
	srv := quiet(f)
	srv.SeedDemo()
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		u, err := url.Parse(srv.URL + path)
		if err != nil {
			return
		}
		u.RawQuery = query
		req := request(t, srv, "GET", "/", "")
		req.Method, req.URL, req.Body = method, u, io.NopCloser(strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		o := try(&http.Client{Transport: srv.Transport()}, req)
		if o.err == nil && (o.status < 200 || o.status > 599) {
			t.Errorf("status %d", o.status)
		}
	})
}
