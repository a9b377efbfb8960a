package mcpserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// poison is a text that an attacker put into a field of the account.
type poison struct {
	ID     string
	Kind   string
	Text   string
	Raw    string `json:"raw_json"` // the JSON on the wire; "bytes:" and hexadecimal digits for what is not JSON
	Repeat struct {
		Before, Unit, After string
		Times               int
	}
	Fields, Must, Points []string
}

// mark is the harmless text in whose place the poison is.
func (p poison) mark() string { return "harmless " + p.ID + " text" }

// wire returns the poison as it is between the quotes of a JSON string.
func (p poison) wire(t testing.TB) []byte {
	t.Helper()
	text := p.Text
	switch {
	case strings.HasPrefix(p.Raw, "bytes:"):
		data, err := hex.DecodeString(p.Raw[len("bytes:"):])
		require.NoError(t, err)
		return data[1 : len(data)-1]
	case p.Raw != "":
		return []byte(p.Raw[1 : len(p.Raw)-1])
	case p.Repeat.Times > 0:
		times := p.Repeat.Times / 10 // it is in many fields
		if os.Getenv("PROOF") == "whole" {
			times = p.Repeat.Times
		}
		text = p.Repeat.Before + strings.Repeat(p.Repeat.Unit, times) + p.Repeat.After
	}
	data, err := json.Marshal(text)
	require.NoError(t, err)
	return data[1 : len(data)-1]
}

// in reports whether the poison is for one of the fields.
func (p poison) in(fields ...string) bool {
	return slices.ContainsFunc(p.Fields, func(f string) bool { return slices.Contains(fields, f) })
}

// many reports whether it is many texts in a list instead of one.
func (p poison) many() bool { return strings.Contains(p.Fields[0], "of them") }

// poisons are written by somebody who had not seen the server.
func poisons(t testing.TB) []poison {
	t.Helper()
	data, err := os.ReadFile("testdata/attacks/poison.json")
	require.NoError(t, err)
	var file struct{ Items []poison }
	require.NoError(t, json.Unmarshal(data, &file))
	require.Len(t, file.Items, 50)
	return file.Items
}

// poisoned returns a transport that puts poison in the place of its marks.
func poisoned(t testing.TB, next http.RoundTripper, all []poison) http.RoundTripper {
	var pairs []string
	for _, p := range all {
		pairs = append(pairs, p.mark(), string(p.wire(t)))
	}
	replacer := strings.NewReplacer(pairs...)
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		_ = resp.Body.Close()
		body = []byte(replacer.Replace(string(body)))
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		resp.Header.Del("Content-Length")
		return resp, nil
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// seedPoison adds a shipment with two containers for each poison. Its mark is in every text that is
// shown and decides nothing, and in the fields that the poison is for.
func seedPoison(srv *terminal49test.Server, all []poison) {
	for i, p := range all {
		mark := p.mark()
		refs, tags := []string{mark}, []string{mark}
		holds := []terminal49test.Hold{{Name: "customs", Description: mark}, {Name: mark, Description: mark}}
		if p.many() {
			refs, tags, holds = manyTexts(p, 5000), manyTexts(p, 5000), nil
			for _, text := range manyTexts(p, 500) {
				holds = append(holds, terminal49test.Hold{Name: "other", Description: text})
			}
		}
		scac := fmt.Sprintf("ZZ%02d", i)
		srv.AddShippingLine(terminal49test.ShippingLine{SCAC: scac, Name: mark, ShortName: mark})
		port := srv.AddPort(terminal49test.Port{LOCODE: fmt.Sprintf("US%03d", i), Name: mark, City: mark, CountryCode: "US", TimeZone: "America/New_York"})
		terminal := srv.AddTerminal(terminal49test.Terminal{Name: mark, Nickname: "T" + p.ID, FIRMSCode: fmt.Sprintf("F%03d", i), Port: port, City: mark})
		vessel := srv.AddVessel(terminal49test.Vessel{Name: mark, IMO: fmt.Sprintf("93%05d", i)})
		customer := srv.AddParty(terminal49test.Party{CompanyName: mark})
		bill, number := scac+"1234"+p.ID, terminal49test.ContainerNumber("MSKU", 700000+2*i)
		if p.in("shipment.bill_of_lading_number") {
			bill = mark
		}
		if p.in("container.number") {
			number = mark
		}
		shipment := srv.AddShipment(terminal49test.Shipment{
			BillOfLadingNumber: bill, ReferenceNumbers: refs, Tags: tags, ShippingLine: scac, Customer: customer,
			PortOfLading: port, PortOfDischarge: port, Destination: port, PODTerminal: terminal, PODVessel: vessel, PODVoyageNumber: mark,
			PODETA: start.AddDate(0, 0, -3), PODATA: start.AddDate(0, 0, -2),
			LineTrackingStoppedReason: mark,
		})
		atPort := terminal49test.Container{
			Number: number, Shipment: shipment, ReferenceNumbers: refs, SealNumber: mark, Holds: holds,
			Fees:          []terminal49test.Fee{{Type: mark, Amount: 5, CurrencyCode: "USD"}, {Type: "demurrage", Amount: 250}},
			CurrentStatus: mark, AvailableForPickup: terminal49test.Bool(false),
			LocationAtPODTerminal: mark, PODFullOutChassisNumber: mark, EquipmentType: mark, EquipmentLength: 40,
			PODArrivedAt: start.AddDate(0, 0, -2), PODDischargedAt: start.AddDate(0, 0, -1), TerminalCheckedAt: start.Add(-1),
			ImportDeadlines: terminal49test.Deadlines{Terminal: start.AddDate(0, 0, 2)},
		}
		id := srv.AddContainer(atPort)
		sailing := terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", 700001+2*i), Shipment: shipment, SealNumber: mark, ReferenceNumbers: refs}
		srv.AddContainer(sailing)
		srv.AddTransportEvent(terminal49test.TransportEvent{
			Event: "container.transport.vessel_discharged", Container: id, Timestamp: atPort.PODDischargedAt,
			Location: port, Terminal: terminal, Vessel: vessel, VoyageNumber: mark, DataSource: mark,
		})
		srv.AddTrackingRequest(terminal49test.TrackingRequest{
			RequestNumber: mark, SCAC: scac, Status: "failed", FailedReason: mark, ReferenceNumbers: refs, ShipmentTags: tags,
		})
		srv.AddDocument(terminal49test.Document{
			Name: mark, FileName: mark + ".pdf", DocumentType: "arrival_notice", ClassificationNotes: mark,
			Payload: map[string]any{"note": mark}, Shipments: []string{shipment}, Containers: []string{id},
		})
		srv.AddCustomField(terminal49test.CustomField{Entity: id, APISlug: "remark", Value: mark})
	}
}

// manyTexts returns n texts of a poison that is a long list.
func manyTexts(p poison, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf(p.Repeat.Before, i)+strings.Repeat(p.Repeat.Unit, p.Repeat.Times))
	}
	return list
}
