package terminal49test_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Source: docs/service.md#order-of-lists: newest first. The order that pages share follows each
// change of a container.
func TestContainers_OrderFollowsEachChange(t *testing.T) {
	srv := newServer(t)
	add := func(id string, age time.Duration) {
		srv.AddContainer(terminal49test.Container{ID: id, Number: "MSKU7182047", CreatedAt: start.Add(-age)})
	}
	ids := func() (list []string) {
		for i := range getAPI(t, srv, "/containers").list("data") {
			list = append(list, getAPI(t, srv, "/containers").at(fmt.Sprintf("data/%d/id", i)).(string))
		}
		return list
	}
	add("a", 3*time.Hour)
	add("b", time.Hour)
	add("c", 2*time.Hour)
	require.Equal(t, []string{"b", "c", "a"}, ids())
	add("d", 90*time.Minute)
	require.Equal(t, []string{"b", "d", "c", "a"}, ids())
	srv.RemoveContainer("b")
	require.Equal(t, []string{"d", "c", "a"}, ids())
	srv.UpdateContainer("a", func(c *terminal49test.Container) { c.CreatedAt = start })
	require.Equal(t, []string{"a", "d", "c"}, ids())
	add("c", 0) // replaces it
	require.Equal(t, []string{"c", "a", "d"}, ids())
}

func TestShipments_OrderFollowsEachChange(t *testing.T) {
	srv := newServer(t)
	for i, id := range []string{"a", "b"} {
		srv.AddShipment(terminal49test.Shipment{ID: id, CreatedAt: start.Add(time.Duration(i) * time.Hour)})
		srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: "r" + id, Status: "failed", CreatedAt: start.Add(time.Duration(i) * time.Hour)})
	}
	checkReply(t, getAPI(t, srv, "/shipments"), 200, map[string]any{"data/0/id": "b", "data/1/id": "a"})
	checkReply(t, getAPI(t, srv, "/tracking_requests"), 200, map[string]any{"data/0/id": "rb", "data/1/id": "ra"})
	srv.UpdateShipment("a", func(s *terminal49test.Shipment) { s.CreatedAt = start.Add(2 * time.Hour) })
	srv.UpdateTrackingRequest("ra", func(r *terminal49test.TrackingRequest) { r.CreatedAt = start.Add(2 * time.Hour) })
	checkReply(t, getAPI(t, srv, "/shipments"), 200, map[string]any{"data/0/id": "a", "data/1/id": "b"})
	checkReply(t, getAPI(t, srv, "/tracking_requests"), 200, map[string]any{"data/0/id": "ra", "data/1/id": "rb"})
}

// A walk of ten times as many containers should take about ten times as long.
func BenchmarkContainers_Walk(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		srv := newServer(b, terminal49test.WithoutRateLimits(), terminal49test.WithLog(10))
		for i := range n {
			srv.AddContainer(terminal49test.Container{Number: fmt.Sprintf("MSKU%07d", i), CreatedAt: start.Add(-time.Duration(i*7919%n) * time.Minute)})
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				for page := 1; page <= n/50; page++ {
					readPage(b, srv, page)
				}
			}
		})
	}
}

// readPage reads a page without decoding it.
func readPage(b *testing.B, srv *terminal49test.Server, page int) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), "GET", fmt.Sprintf("%s/containers?page[size]=50&page[number]=%d", srv.URL, page), nil)
	require.NoError(b, err)
	req.Header.Set("Authorization", "Token "+srv.Token)
	resp, err := srv.Transport().RoundTrip(req)
	require.NoError(b, err)
	require.Equal(b, 200, resp.StatusCode)
	require.NoError(b, resp.Body.Close())
}
