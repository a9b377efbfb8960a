package mcpserver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// SECURITY: no answer has a token, a secret, a signed id or a presigned address, also if a carrier,
// a document or a person wrote one into a text.
func TestSecrets_AreInNoAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const presigned = "https://bucket.s3.amazonaws.com/file.pdf?X-Amz-Credential=AKIA5EC4E7&X-Amz-Signature=5ec4e7"
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			srv.SeedDemo()
			texts := []string{"see " + presigned, "key " + srv.Token}
			s := srv.AddShipment(terminal49test.Shipment{
				ShippingLine: "MAEU", BillOfLadingNumber: "AAAA0000001", ReferenceNumbers: texts, Tags: texts,
				Attributes: map[string]any{"file_url": presigned, "secret": "5ec4e7", "line_tracking_stopped_reason": presigned},
			})
			c := srv.AddContainer(terminal49test.Container{
				Number: "AAAU0000001", Shipment: s, SealNumber: presigned, ReferenceNumbers: texts, CurrentStatus: "key " + srv.Token,
				Holds: []terminal49test.Hold{{Name: "other", Description: texts[0]}, {Name: "customs", Description: texts[1]}},
			})
			srv.AddDocument(terminal49test.Document{Name: presigned, FileName: presigned, Shipments: []string{s}, Containers: []string{c}})
			srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: "Container", APISlug: "remark", DisplayName: "Remark", DataType: "short_text"})
			_, err := srv.AddCustomField(terminal49test.CustomField{Entity: c, APISlug: "remark", Value: texts[0]})
			require.NoError(t, err)
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "AAAA0000002", SCAC: "MAEU", Status: "failed", FailedReason: presigned})
		})
		calls := append(plainCalls(w), asked{"find", args{"numbers": []string{"AAAA0000002"}}},
			asked{"find", args{"numbers": []string{"AAAU0000001", "AAAA0000001"}, "fields": fields}},
			asked{"shipment", args{"number": "AAAA0000001", "fields": fields}}, asked{"changes", args{"since": "48h", "kinds": changeKinds, "limit": 1000}},
			asked{"worklist", args{"limit": 200, "fields": fields}},
			asked{"lookup", args{"limit": 200}}, asked{"requests", args{"limit": 200}})
		hidden := 0
		for _, ask := range calls {
			r := w.result(ask.tool, ask.with)
			answer := textOf(t, r) + string(contentOf(t, r))
			require.False(t, r.IsError, "%s %v: %s", ask.tool, ask.with, answer)
			hidden += strings.Count(answer, "[secret]")
			for _, secret := range []string{w.Token, "5ec4e7", "AKIA5EC4E7", "X-Amz"} {
				assert.NotContains(t, answer, secret, "%s %v", ask.tool, ask.with)
			}
		}
		assert.Greater(t, hidden, 20, "the texts are in the answers")
	})
}
