package compatibility_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	simulator "github.com/go-freight/terminal49/terminal49test/control"
)

// The requests of control that docs/testing.md names and their refusals, in an order in which each
// has something to show. The world is a demo: it is held, paid and picked up within its steps.
var controlRequests = []struct{ name, request, body string }{
	{"", "GET ", ""},
	{"", "POST /worlds", `{"id":"t1","scenario":"held-and-paid","options":{"history":true,"seed":1,"token":"token-1"}}`},
	{"", "GET /worlds", ""},
	{"", "POST /worlds/t1/commands", `{"add_webhook":{"url":"https://example.com/hook","events":["container.updated"]}}` + "\n" +
		`{"fault":{"operation":"shipments.get","status":503}}` + "\n" + `{"advance":"240h"}`},
	{"API", "GET /v2/containers?page[size]=500", ""},
	{"", "GET /worlds/t1/clock", ""},
	{"", "GET /worlds/t1/resources?type=container", ""},
	{"", "GET /worlds/t1/history?type=container", ""},
	{"", "GET /worlds/t1/faults", ""},
	{"", "GET /worlds/t1/requests", ""},
	{"", "GET /worlds/t1/violations", ""},
	{"", "GET /worlds/t1/notifications", ""},
	{"", "GET /worlds/t1/deliveries", ""},
	{"not seen in time", "GET /worlds/t1/requests?operation=webhooks.get&wait=1ms", ""},
	{"another parameter", "GET /worlds/t1/requests?colour=red", ""},
	{"another command", "POST /worlds/t1/commands", `{"advance":"1h"}` + "\n" + `{"advanze":"1h"}`},
	{"", "GET /worlds/t1/save", ""},
	{"", "POST /worlds/t1/load", "SAVED"},
	{"cut off", "POST /worlds/t1/load", "{}"},
	{"", "POST /worlds/t1/reset", ""},
	{"", "GET /clock", ""},
	{"without a header", "POST /reset", ""},
	{"of another type", "POST /reset", ""},
	{"of an unknown world", "GET /worlds/t2/clock", ""},
	{"", "GET /elsewhere", ""},
	{"", "DELETE /worlds/t1", ""},
	{"of the first one", "DELETE /worlds/default", ""},
	{"", "GET /schema", ""},
}

// controlOf has the statuses, types and members of the simulator's responses to requests of
// control. The schema promises commands, resources and the lines of saved worlds.
func controlOf(t *testing.T) (lines []string) {
	served := simulator.New(simulator.Options{})
	socket := httptest.NewServer(served)
	defer func() { served.Close(); socket.Close() }()
	saved := ""
	for _, c := range controlRequests {
		method, path, _ := strings.Cut(c.request, " ")
		header := http.Header{"Content-Type": {"application/json"}, "Simulator-Control": {"true"}, "Authorization": {"Token token-1"}}
		switch c.name {
		case "without a header":
			header.Del("Simulator-Control")
		case "of another type":
			header.Set("Content-Type", "text/plain")
		}
		if c.name != "API" {
			path = "/_simulator" + path
		}
		got := do(t, method, socket.URL+path, strings.ReplaceAll(c.body, "SAVED", saved), header)
		if c.name == "API" {
			continue
		}
		name := strings.TrimSpace("simulator " + method + " " + path + " " + c.name)
		lines = append(lines, answers(name, got))
		switch {
		case strings.HasSuffix(path, "/save"):
			saved = got.body
		case strings.Contains(path, "/history"):
			lines = append(lines, membersOf(t, name, got.body, 1)...)
		case !strings.Contains(path, "/resources") && !strings.HasSuffix(path, "/schema") && got.body != "":
			lines = append(lines, membersOf(t, name, got.body, 3)...)
		}
	}
	return lines
}
