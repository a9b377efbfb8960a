package recipes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// TestUpload_IsDoneOnce fails for a program that sends a file again, or does not wait.
func TestUpload_IsDoneOnce(t *testing.T) {
	t.Parallel()
	service := serve(t, evening, terminal49test.WithSpeed(1_000_000)) // what takes the service a minute is done at once
	service.ScriptDocument("invoice.pdf", terminal49test.DocumentScript{Payload: map[string]any{"invoice_number": "INV-7", "total": "12.50"}})
	file := filepath.Join(t.TempDir(), "invoice.pdf")
	require.NoError(t, os.WriteFile(file, []byte("an invoice"), 0o600))
	other := filepath.Join(t.TempDir(), "notice.pdf")
	require.NoError(t, os.WriteFile(other, []byte("an arrival notice"), 0o600))

	upload := build(t, "upload", service)
	first := upload.lines(file)
	require.Len(t, first, 2)
	require.JSONEq(t, `{"invoice_number": "INV-7", "total": "12.50"}`, first[1])
	document, ok := service.Document(first[0])
	require.True(t, ok)
	require.Equal(t, "invoice.pdf", document.FileName)
	require.Equal(t, "an invoice", string(document.Content))
	require.Equal(t, first, upload.lines(file), "the account has it already")

	service.AddFault(terminal49test.Fault{Operation: "documents.create", Kind: terminal49test.FaultDrop, Acted: true})
	_, _ = upload.try(other) // may fail: the response was lost
	second := upload.lines(other)
	require.NotEqual(t, first[0], second[0])
	n := 0
	for range service.Snapshot("document") {
		n++
	}
	require.Equal(t, 2, n)
	_, err := upload.try(filepath.Join(t.TempDir(), "missing.pdf"))
	require.Error(t, err)
}

// TestFind_ComparesWholeValues fails for a program that trusts the filter: it selects parts of a
// text, also of the shipment's fields, and some services ignore it.
func TestFind_ComparesWholeValues(t *testing.T) {
	t.Parallel()
	find := build(t, "find", serve(t, evening))
	for name, options := range map[string][]terminal49test.Option{
		"filters": nil, "filters are ignored": {terminal49test.WithIgnored("containers.list", "filter[custom_fields][po_line]")},
		"no filters": {terminal49test.WithoutAutumn2026()},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(t, evening, options...)
			service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: "Container", APISlug: "po_line", DisplayName: "PO line"})
			service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: "Container", APISlug: "desk", DisplayName: "Desk"})
			service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: "Shipment", APISlug: "dock", DisplayName: "Dock"})
			shipment := losAngeles(service, "MAEU240711002")
			set := func(entity, slug string, value any) {
				t.Helper()
				_, err := service.AddCustomField(terminal49test.CustomField{Entity: entity, APISlug: slug, Value: value})
				require.NoError(t, err)
			}
			set(shipment, "dock", "12")
			var want []string
			for i := range 64 {
				number := terminal49test.ContainerNumber("TCLU", 900-i)
				id := service.AddContainer(terminal49test.Container{Number: number, Shipment: shipment})
				set(id, "po_line", []any{"12", "112", "12 ", "1", nil}[i%5])
				set(id, "desk", "12")
				if i%5 == 0 {
					want = append(want, number)
				}
			}
			slices.Sort(want)
			find := find.with(service)
			require.Equal(t, want, find.lines("po_line", "12"))
			require.Empty(t, find.run("po_line", "2"))
			for _, slug := range []string{"po_lin", "dock"} {
				out, err := find.try(slug, "12")
				require.Error(t, err, slug)
				require.Empty(t, out)
			}
		})
	}
}

// TestPorted_PrintsAsTheSDK fails for a port without the SDK's includes, without other pages, or
// with null as false.
func TestPorted_PrintsAsTheSDK(t *testing.T) {
	t.Parallel()
	service := serve(t, evening)
	shipment := losAngeles(service, "MAEU240711002")
	var want []string
	for i := range 60 {
		c := released(service, shipment, terminal49test.ContainerNumber("TCLU", 100+i))
		c.AvailableForPickup = []*bool{nil, terminal49test.Bool(false), terminal49test.Bool(true)}[i%3]
		service.AddContainer(c)
		want = append(want, fmt.Sprintln(c.Number, "MAEU240711002", "WBCT", []string{"?", "false", "true"}[i%3]))
	}
	bare := terminal49test.ContainerNumber("MSKU", 718204)
	service.AddContainer(terminal49test.Container{Number: bare})
	want = append(want, fmt.Sprintln(bare, "?", "?", "?"))
	slices.Sort(want)

	ported := build(t, "ported", service)
	for range 2 { // the second time it is tracked already
		require.Equal(t, strings.Join(want, ""), ported.run("MEDU3309188", "MSCU"))
	}
	requests := 0
	for range service.Snapshot("tracking_request") {
		requests++
	}
	require.Equal(t, 1, requests)
}
