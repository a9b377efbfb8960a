package terminal49_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// What a form of a document is to the client.
const (
	formRead     = "read"     // as if the member were absent, or had its usual form
	formReported = "reported" // the rest is read, and the member is a decode warning
	formRefused  = "refused"  // a *DecodeError
)

// jsonapiForms are documents with a shipment that has id S, type shipment and the bill of lading B.
// The first form of a member is what JSON:API 1.1 allows; where the answer is "reported" or
// "refused", the section that is named forbids it. Errors beside data are forbidden too, and
// reported in strict decoding only. $ stands for the usual resource.
var jsonapiForms = []struct{ section, name, doc, want string }{
	{"5.1 Top Level", "data alone", `{"data":$}`, formRead},
	{"5.1 Top Level", "data last", `{"links":{},"meta":{},"included":[],"jsonapi":{},"data":$}`, formRead},
	{"5.1 Top Level", "data absent", `{"meta":{}}`, formRefused},
	{"5.1 Top Level", "data a string", `{"data":"S"}`, formRefused},
	{"5.1 Top Level", "data a number", `{"data":1}`, formRefused},
	{"5.1 Top Level", "data true", `{"data":true}`, formRefused},
	{"5.1 Top Level", "an array instead of a document", `[$]`, formRefused},
	{"5.1 Top Level", "errors alone", `{"errors":[{"title":"x"}]}`, formRefused},
	{"5.1 Top Level", "errors beside data", `{"errors":[{"title":"x"}],"data":$}`, formReported},
	{"5.1 Top Level", "errors null beside data", `{"errors":null,"data":$}`, formRead},
	{"5.1 Top Level", "meta an object", `{"data":$,"meta":{"copyright":"c","n":[{}]}}`, formRead},
	{"5.1 Top Level", "an extension's member", `{"data":$,"version:id":"42"}`, formRead},
	{"5.5 Meta Information", "meta an array", `{"data":$,"meta":[]}`, formReported},
	{"5.5 Meta Information", "meta a string", `{"data":$,"meta":"m"}`, formReported},
	{"5.5 Meta Information", "meta a number", `{"data":$,"meta":1}`, formReported},
	{"5.5 Meta Information", "meta null", `{"data":$,"meta":null}`, formRead},
	{"5.6.1 Link Objects", "links with objects", `{"data":$,"links":{"self":{"href":"/s","title":"t","meta":{}}}}`, formRead},
	{"5.6 Links", "links null", `{"data":$,"links":{"self":null,"next":null}}`, formRead},
	{"5.6 Links", "links described by", `{"data":$,"links":{"describedby":{"href":"/schema"},"related":"/r"}}`, formRead},
	{"5.6 Links", "self a number", `{"data":$,"links":{"self":1}}`, formReported},
	{"5.6 Links", "self an array", `{"data":$,"links":{"self":["/s"]}}`, formReported},
	{"5.6.1 Link Objects", "self without href", `{"data":$,"links":{"self":{"meta":{}}}}`, formReported},
	{"5.6 Links", "links an array", `{"data":$,"links":[]}`, formReported},
	{"5.7 JSON:API Object", "version", `{"data":$,"jsonapi":{"version":"1.1","ext":["e"],"profile":["p"],"meta":{}}}`, formRead},
	{"5.7 JSON:API Object", "a text", `{"data":$,"jsonapi":"1.0"}`, formRead},
	{"5.8 Member Names", "@-members", `{"@context":{"data":null},"data":$,"@data":[]}`, formRead},
	{"5.4 Compound Documents", "included empty", `{"data":$,"included":[]}`, formRead},
	{"5.4 Compound Documents", "included of an unknown type", `{"data":$,"included":[{"type":"boat","id":"1"}]}`, formRead},
	{"5.4 Compound Documents", "included has the same resource twice", `{"data":$,"included":[{"type":"port","id":"1"},{"type":"port","id":"1"}]}`, formRead},
	{"5.4 Compound Documents", "included twice", `{"data":$,"included":[{"type":"port","id":"1"}],"included":[{"type":"port","id":"2"}]}`, formRead},
	{"5.4 Compound Documents", "included an object", `{"data":$,"included":{"type":"port","id":"1"}}`, formReported},
	{"5.4 Compound Documents", "included has a string", `{"data":$,"included":["1"]}`, formReported},
	{"5.4 Compound Documents", "included null", `{"data":$,"included":null}`, formRead},
	{"5.2 Resource Objects", "members last", `{"data":{"attributes":{"bill_of_lading_number":"B"},"id":"S","type":"shipment"}}`, formRead},
	{"5.2 Resource Objects", "links and meta of a resource", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"links":{"self":{"href":"/s"}},"meta":{"a":1}}}`, formRead},
	{"5.2 Resource Objects", "links of a resource null", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"links":null}}`, formRead},
	{"5.2 Resource Objects", "links of a resource an array", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"links":[]}}`, formReported},
	{"5.2 Resource Objects", "no relationships", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{}}}`, formRead},
	{"5.2 Resource Objects", "relationships an array", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":[]}}`, formReported},
	{"5.2 Resource Objects", "attributes of an @-member", `{"data":{"type":"shipment","id":"S","@type":"boat","attributes":{"@id":1,"bill_of_lading_number":"B"}}}`, formRead},
	{"5.2.1 Identification", "type an unknown one", `{"data":{"type":"boat","id":"S","attributes":{"bill_of_lading_number":"B"}}}`, formRead},
	{"5.2.1 Identification", "id a number, read as its digits", `{"data":{"type":"shipment","id":7,"attributes":{"bill_of_lading_number":"B"}}}`, formRead},
	{"5.2.1 Identification", "id an object", `{"data":{"type":"shipment","id":{},"attributes":{"bill_of_lading_number":"B"}}}`, formReported},
	{"5.2.1 Identification", "type an array", `{"data":{"type":["shipment"],"id":"S","attributes":{"bill_of_lading_number":"B"}}}`, formReported},
	{"5.2.4 Relationships", "with links alone", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"links":{"related":{"href":"/p"}}}}}}`, formRead},
	{"5.2.4 Relationships", "with meta alone", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"meta":{"n":1}}}}}`, formRead},
	{"5.2.4 Relationships", "linkage null", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":null}}}}`, formRead},
	{"5.2.4 Relationships", "linkage with meta", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":{"type":"port","id":"1","meta":{}}}}}}`, formRead},
	{"5.2.4 Relationships", "many where one is meant", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":[{"type":"port","id":"1"}]}}}}`, formReported},
	{"5.2.4 Relationships", "one where many are meant", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"containers":{"data":{"type":"container","id":"1"}}}}}`, formReported},
	{"5.2.4 Relationships", "linkage a string", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":{"data":"1"}}}}`, formReported},
	{"5.2.4 Relationships", "a string", `{"data":{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"},"relationships":{"port_of_lading":"1"}}}`, formReported},
}

func TestJSONAPI_FormsOfADocument(t *testing.T) {
	const usual = `{"type":"shipment","id":"S","attributes":{"bill_of_lading_number":"B"}}`
	for _, form := range jsonapiForms {
		for name, read := range shipmentReads {
			var warnings int
			client := testkit.NewClient(t, testkit.Answer(200, strings.ReplaceAll(form.doc, "$", usual)),
				terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(context.Context, terminal49.DecodeWarning) { warnings++ }}))
			found, err := read(t.Context(), client)
			at := form.section + ", " + form.name + ", " + name
			if noID := strings.HasPrefix(form.name, "id an"); form.want == formRefused || noID && name == "Get" {
				var unread *terminal49.DecodeError
				require.ErrorAs(t, err, &unread, at)
				continue
			}
			if strings.Contains(form.doc, `"links":[]}`) && !strings.HasPrefix(form.section, "5.2") && (name == "All" || name == "Pages") {
				require.ErrorIs(t, err, terminal49.ErrPagination, at)
			} else {
				require.NoError(t, err, at)
			}
			require.Len(t, found, 1, at)
			require.Equal(t, "B", found[0].BillOfLadingNumber, at)
			require.Equal(t, form.want == formReported, warnings > 0, "%s: %d warnings", at, warnings)
		}
	}
}

// shipmentReads are the ways in which a client reads a document with a shipment.
var shipmentReads = map[string]func(context.Context, *terminal49.Client) ([]*terminal49.Shipment, error){
	"Get": func(ctx context.Context, c *terminal49.Client) ([]*terminal49.Shipment, error) {
		one, err := c.Shipments.Get(ctx, testkit.ShipmentID, nil)
		return []*terminal49.Shipment{one}, err
	},
	"List": func(ctx context.Context, c *terminal49.Client) ([]*terminal49.Shipment, error) {
		page, err := c.Shipments.List(ctx, nil)
		if err != nil {
			return nil, err
		}
		return page.Items, nil
	},
	"All": func(ctx context.Context, c *terminal49.Client) ([]*terminal49.Shipment, error) {
		return testkit.Drain(c.Shipments.All(ctx, nil))
	},
	"Pages": func(ctx context.Context, c *terminal49.Client) (all []*terminal49.Shipment, err error) {
		pages, err := testkit.Drain(c.Shipments.Pages(ctx, nil))
		for _, page := range pages {
			all = append(all, page.Items...)
		}
		return all, err
	},
}
