package terminal49test_test

import (
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestPlaces_ByIDAndLOCODE(t *testing.T) {
	srv := newServer(t)
	port := srv.AddPort(terminal49test.Port{LOCODE: "USOAK", Name: "Oakland", Latitude: "37.80"})
	area := srv.AddMetroArea(terminal49test.MetroArea{LOCODE: "USMEM", Name: "Memphis"})
	pier := srv.AddTerminal(terminal49test.Terminal{Name: "Pier One", Nickname: "P1", Port: "USOAK"})
	ramp := srv.AddTerminal(terminal49test.Terminal{Name: "Ramp", MetroArea: area, AsRail: true})
	for path, id := range map[string]string{
		"/ports/USOAK": port, "/ports/" + port: port, "/metro_areas/USMEM": area, "/metro_areas/" + area: area,
		"/terminals/" + pier: pier, "/terminals/" + ramp: ramp,
	} {
		checkReply(t, getAPI(t, srv, path), 200, map[string]any{"data/id": id, "data/attributes/id": id, "links/self": srv.URL + path})
	}
	checkReply(t, getAPI(t, srv, "/ports/USOAK"), 200, map[string]any{"data/attributes/latitude": "37.80", "data/attributes/longitude": nil})
	checkReply(t, getAPI(t, srv, "/terminals/"+ramp), 200, map[string]any{"data/type": "rail_terminal"})
	for _, path := range []string{"/ports/XXABC", "/ports/" + area, "/metro_areas/USOAK", "/terminals/P1", "/vessels/1234567", "/vessels/unknown"} {
		checkReply(t, getAPI(t, srv, path), 404, nil)
	}
	srv.CheckViolations(t)
}
