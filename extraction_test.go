package terminal49_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestExtraction_CurrentIsAnAlias(t *testing.T) {
	client, _ := cannedPapers(t, 200,
		`{"data":{"id":"d1","type":"document","relationships":{"current_extraction":{"data":{"id":"r1","type":"document_representation"}}}},
		"included":[{"id":"r1","type":"document_representation","attributes":{"payload":null}}]}`)
	d, err := client.Documents.Get(t.Context(), paperID, nil, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	extraction, ok := d.Extraction.Value()
	require.True(t, ok)
	require.Nil(t, extraction.Payload)
}

func TestWaitExtracted_FollowsTheWholeLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456789"})
		box := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: shipment})
		id := srv.AddDocument(terminal49test.Document{FileName: "invoice.txt",
			Content: []byte("B/L MAEU123456789, box MSKU1234565")})
		var types []string
		began := time.Now()
		doc, err := client.Documents.WaitExtracted(t.Context(), id, &terminal49.DocumentWaitParams{
			OnPoll: func(d *terminal49.Document) { types = append(types, d.DocumentType) },
		})
		require.NoError(t, err)
		require.Equal(t, "commercial_invoice", doc.DocumentType)
		require.Equal(t, []string{shipment}, doc.Shipments.IDs())
		require.Equal(t, []string{box}, doc.Containers.IDs())
		require.Equal(t, "", types[0])
		require.Contains(t, types[1:], "commercial_invoice")
		require.GreaterOrEqual(t, time.Since(began), 30*time.Second)
		require.Less(t, len(types), 12, "the intervals grow")

		schema, err := client.DocumentSchemas.For(t.Context(), doc)
		require.NoError(t, err)
		require.Equal(t, "commercial_invoice@2026-03-23", schema.ID)
		extraction, _ := doc.Extraction.Value()
		require.NoError(t, documentschema.Validate(schema, extraction.Payload))

		// After Reextract, the existing extraction is not mistaken for the result.
		require.NoError(t, client.Documents.Reextract(t.Context(), id))
		again, err := client.Documents.WaitExtracted(t.Context(), id,
			&terminal49.DocumentWaitParams{NewerThan: extraction})
		require.NoError(t, err)
		require.NotEqual(t, extraction.ID, again.Extraction.ID())
		found, _ := srv.Document(id)
		require.Equal(t, []string{"document.extracted", "document.extracted"}, found.Events)
		srv.CheckViolations(t)
	})
}

func TestWaitExtracted_OfAFailureEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		srv.ScriptDocument("blurred.pdf",
			terminal49test.DocumentScript{Outcome: terminal49test.DocumentExtractionFailed, DocumentType: "sea_waybill"})
		id := srv.AddDocument(terminal49test.Document{FileName: "blurred.pdf", Content: []byte("?")})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		doc, err := client.Documents.WaitExtracted(ctx, id, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, "sea_waybill", doc.DocumentType)
		found, _ := srv.Document(id)
		require.Equal(t, []string{"document.extraction_failed"}, found.Events)
		_, err = client.Documents.WaitExtracted(t.Context(), paperID, nil)
		require.ErrorIs(t, err, terminal49.ErrNotFound)
	})
}

func TestDocumentSchemas_Decode(t *testing.T) {
	client, _ := cannedPapers(t, 200, `{"data":{"id":"commercial_invoice@2026-03-23","type":"document_schema","attributes":{
		"document_type":"commercial_invoice","label":"Commercial Invoice","schema_version":"2026-03-23","full_version":"commercial_invoice@2026-03-23",
		"current":true,"draft":true,"active_at":"2026-03-23T00:00:00Z","schema_format":"json_schema","description":null,
		"schema_payload":{"type":"object"},"created_at":"2026-03-23T00:00:00Z","updated_at":"2026-03-24T00:00:00Z"}}}`)
	s, err := client.DocumentSchemas.Get(t.Context(), "commercial_invoice@2026-03-23", terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, []string{"commercial_invoice", "Commercial Invoice", "2026-03-23", "commercial_invoice@2026-03-23", ""},
		[]string{s.DocumentType, s.Label, s.SchemaVersion, s.FullVersion, s.Description})
	require.True(t, s.Current && s.Draft && s.SchemaFormat == "json_schema")
	require.JSONEq(t, `{"type":"object"}`, string(s.SchemaPayload))
	require.Equal(t, "2026-03-24 00:00 UTC", s.UpdatedAt.String())
	require.False(t, s.ActiveAt.IsZero() || s.CreatedAt.IsZero())
	require.Equal(t, "commercial_invoice@2026-03-23", terminal49.SchemaID("x", s.FullVersion))
	require.Equal(t, "a@b", terminal49.SchemaID("a", "b"))

	_, simulated := papers(t)
	_, err = simulated.DocumentSchemas.Get(t.Context(), "unknown@2026-03-23")
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.ErrorContains(t, err, "Couldn't find DocumentSchema with 'id'=unknown@2026-03-23")
}
