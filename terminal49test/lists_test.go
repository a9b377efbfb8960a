package terminal49test

import (
	"net/http"
	"testing"
)

// The pages of a walk share an order, so that a long list is not ordered for each of them.
func TestContainers_PagesShareTheirOrder(t *testing.T) {
	s := NewServer(WithoutSocket(), WithSpeed(0))
	s.AddContainer(Container{Number: "MSKU7182047"})
	s.AddContainer(Container{Number: "MSKU7182410"})
	page := func(query string) {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/containers?page[size]=1"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Token "+s.Token)
		resp, err := s.Transport().RoundTrip(req)
		if err != nil || resp.StatusCode != 200 {
			t.Fatal(resp, err)
		}
		_ = resp.Body.Close()
	}
	page("")
	first := &s.world.containers.Newest[0]
	page("&page[number]=2&include=shipment")
	if &s.world.containers.Newest[0] != first {
		t.Error("the second page has an order of its own")
	}
}
