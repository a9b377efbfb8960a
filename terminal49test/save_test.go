package terminal49test_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// saved returns what Save writes.
func saved(t testing.TB, srv *terminal49test.Server) string {
	t.Helper()
	var file bytes.Buffer
	if err := srv.Save(&file); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// reloaded returns a new server with the world of another one.
func reloaded(t testing.TB, srv *terminal49test.Server, opts ...terminal49test.Option) *terminal49test.Server {
	t.Helper()
	file := saved(t, srv)
	other := newServer(t, opts...)
	if err := other.Load(strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	compareText(t, "the world saved again", saved(t, other), file)
	return other
}

// compareText reports the first line in which two texts differ.
func compareText(t testing.TB, what, got, want string) {
	t.Helper()
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i, line := range wantLines {
		if i >= len(gotLines) || gotLines[i] != line {
			other := ""
			if i < len(gotLines) {
				other = gotLines[i]
			}
			t.Fatalf("%s: line %d is\n%.2000s\nwant\n%.2000s", what, i+1, other, line)
		}
	}
	if len(gotLines) > len(wantLines) {
		t.Fatalf("%s has %d lines more: %.2000s", what, len(gotLines)-len(wantLines), gotLines[len(wantLines)])
	}
}

// snapshot is everything that a copy of the service would hold, in lines.
func snapshot(srv *terminal49test.Server) string {
	var text strings.Builder
	for r := range srv.Snapshot() {
		text.WriteString(r.Type + " " + r.ID + " " + string(r.JSON) + "\n")
	}
	return text.String()
}

// options are those of the server that loads a world.
func options(world string) []terminal49test.Option {
	if world == "webhooks" {
		return []terminal49test.Option{terminal49test.WithWebhookHandler(http.HandlerFunc(receiver))}
	}
	return nil
}

func TestSave_TheLoadedWorldIsTheSameAndGoesOnAlike(t *testing.T) {
	for name, world := range savedWorlds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := world(t)
			other := reloaded(t, srv, options(name)...)
			compareText(t, "snapshot", snapshot(other), snapshot(srv))
			compareText(t, "responses", gets(t, other), gets(t, srv))
			for _, s := range []*terminal49test.Server{srv, other} {
				s.TouchContainers(5, 24*time.Hour)
				s.Advance(2 * 24 * time.Hour)
				pauseTracking(t, s)
				s.Advance(38 * 24 * time.Hour)
			}
			compareText(t, "snapshot after 40 days", snapshot(other), snapshot(srv))
			compareText(t, "responses after 40 days", gets(t, other), gets(t, srv))
			compareText(t, "the world saved after 40 days", saved(t, other), saved(t, srv))
		})
	}
}

// pauseTracking replaces the shipments and stops their tracking for a day.
func pauseTracking(t testing.TB, srv *terminal49test.Server) {
	t.Helper()
	var ids []string
	for r := range srv.Snapshot("shipment") {
		ids = append(ids, r.ID)
	}
	for _, id := range ids {
		if same, ok := srv.Shipment(id); ok {
			srv.AddShipment(same)
		}
		callAPI(t, srv, "PATCH", "/shipments/"+id+"/stop_tracking", "")
	}
	srv.Advance(24 * time.Hour)
	for _, id := range ids {
		callAPI(t, srv, "PATCH", "/shipments/"+id+"/resume_tracking", "")
	}
}
