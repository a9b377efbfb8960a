package terminal49test_test

import (
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestTasks_EndWithTheResourceWhoseIDANewOneHas(t *testing.T) {
	srv := newServer(t)
	srv.Script("MAEU240711002", terminal49test.Journey{
		Containers: []terminal49test.Container{{ID: "c1", Number: "MSKU7182047"}},
		Steps:      []terminal49test.Step{{Do: terminal49test.FeeAccrues(terminal49test.Fee{Type: "demurrage", Amount: 100})}},
	})
	track := func(id string) { // the same request again
		srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: id, RequestNumber: "MAEU240711002", SCAC: "MAEU"})
	}
	track("r1")
	track("r1")
	document := terminal49test.Document{ID: "d1", FileName: "commercial_invoice.pdf"}
	srv.AddDocument(document)
	document.DocumentType = "arrival_notice" // is not processed
	srv.AddDocument(document)
	srv.Advance(time.Hour)
	first, _ := srv.Container("c1")
	if len(first.Fees) != 1 || len(srv.ContainerIDs(first.Shipment)) != 1 {
		t.Errorf("the request was tried twice: %+v", first)
	}
	if d, _ := srv.Document("d1"); d.DocumentType != "arrival_notice" || d.Payload != nil {
		t.Errorf("the new document was processed: %+v", d)
	}
	srv.AddContainer(terminal49test.Container{ID: "c1", Number: "MSKU7182047", Shipment: first.Shipment})
	srv.Advance(72 * time.Hour)
	if c, _ := srv.Container("c1"); len(c.Fees) != 0 {
		t.Errorf("the new container has the fees of the one before: %+v", c.Fees)
	}
}
