package terminal49test_test

import (
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

const partyBody = `{"data":{"type":"party","attributes":{"company_name":NAME}}}`

func TestParties_CreateUpdateList(t *testing.T) {
	srv := newServer(t)
	name := func(n string) string { return strings.Replace(partyBody, "NAME", n, 1) }
	made := callAPI(t, srv, "POST", "/parties", name(`"Harbor Street Imports"`))
	id, _ := made.at("data/id").(string)
	checkReply(t, made, 201, map[string]any{
		"data/type": "party", "data/attributes/company_name": "Harbor Street Imports", "links/self": "/v2/parties/" + id,
	})
	for body, pointer := range map[string]string{
		name(`""`):   "/data/attributes/company_name",
		name(`" "`):  "/data/attributes/company_name",
		name(`null`): "/data/attributes/company_name",
		`{"data":{"type":"party","attributes":{}}}`: "/data/attributes/company_name",
		name(`"harbor street imports"`):             "/data/attributes/customer",
	} {
		checkReply(t, callAPI(t, srv, "POST", "/parties", body), 422, map[string]any{"errors/0/source/pointer": pointer, "errors/0/code": nil})
	}
	other := srv.AddParty(terminal49test.Party{CompanyName: "Other"})
	checkReply(t, callAPI(t, srv, "PATCH", "/parties/"+id, name(`"Other"`)), 422, map[string]any{"errors/0/source/pointer": "/data/attributes/customer"})
	checkReply(t, callAPI(t, srv, "PATCH", "/parties/"+id, name(`""`)), 422, map[string]any{"errors/0/source/pointer": "/data/attributes/company_name"})
	checkReply(t, callAPI(t, srv, "PATCH", "/parties/"+id, name(`"Harbor Street Imports"`)), 200, nil)
	checkReply(t, callAPI(t, srv, "PATCH", "/parties/"+id, name(`"Third"`)), 200, map[string]any{"data/attributes/company_name": "Third"})
	checkReply(t, callAPI(t, srv, "PATCH", "/parties/unknown", name(`"x"`)), 404, nil)
	checkReply(t, getAPI(t, srv, "/parties/unknown"), 404, nil)
	checkReply(t, getAPI(t, srv, "/parties/"+other), 200, map[string]any{"data/attributes/company_name": "Other"})

	list := getAPI(t, srv, "/parties?page[size]=1")
	checkReply(t, list, 200, map[string]any{"meta/total": 2.0, "meta/size": 1.0, "meta/pagination/last": 2.0, "data/0/id": id})
	srv.CheckViolations(t)
}

const roleBody = `{"data":{"type":"party_role","attributes":{"role":"ROLE"},"relationships":{"party":{"data":{"id":"PARTY","type":"party"}}}}}`

// The forms are those of docs/service-tracking.md#party-roles.
func TestPartyRoles_AddListRemove(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Harbor Street Imports"})
	shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU"})
	container := srv.AddContainer(terminal49test.Container{Shipment: shipment})
	body := func(role, party string) string {
		return strings.NewReplacer("ROLE", role, "PARTY", party).Replace(roleBody)
	}
	ofShipment, ofContainer := "/shipments/"+shipment+"/party_roles", "/containers/"+container+"/party_roles"

	made := callAPI(t, srv, "POST", ofShipment, body("consignee", party))
	checkReply(t, made, 201, map[string]any{
		"data/type": "party_role", "data/attributes/role": "consignee", "data/attributes/roleable_type": "Shipment",
		"data/attributes/roleable_id": shipment, "data/relationships/party/data/id": party,
		"included/0/type": "party", "included/0/id": party, "links/self": "/v2" + ofShipment,
	})
	checkReply(t, callAPI(t, srv, "POST", ofContainer, body("pickup_dray_carrier", party)), 201, map[string]any{
		"data/attributes/roleable_type": "Cargo", "data/attributes/roleable_id": container,
	})
	checkReply(t, callAPI(t, srv, "POST", ofShipment, body("shipper", party)), 201, nil) // additive
	checkReply(t, getAPI(t, srv, ofShipment), 200, map[string]any{
		"data/0/attributes/role": "consignee", "data/1/attributes/role": "shipper", "data/2": nil, "included/1": nil, "meta/total": 2.0,
	})

	checkReply(t, callAPI(t, srv, "POST", ofShipment, body("consignee", party)), 422, map[string]any{
		"errors/0/status": "422", "errors/0/source/pointer": "", "errors/0/code": "taken",
	})
	checkReply(t, callAPI(t, srv, "POST", ofContainer, body("consignee", party)), 422, map[string]any{
		"errors/0/source/pointer": "/data/attributes/role", "errors/0/code": "is_not_allowed_for_cargo",
	})
	foreign := callAPI(t, srv, "POST", ofShipment, body("consignee", "foreign"))
	checkReply(t, foreign, 401, map[string]any{"errors/0/status": nil, "errors/0/title": nil})
	if !foreign.has("errors/0/detail") {
		t.Error("a foreign party must have a detail")
	}

	id, _ := made.at("data/id").(string)
	checkReply(t, callAPI(t, srv, "DELETE", ofContainer+"/"+id, ""), 404, nil)
	checkReply(t, callAPI(t, srv, "DELETE", ofShipment+"/"+id, ""), 204, nil)
	checkReply(t, callAPI(t, srv, "DELETE", ofShipment+"/"+id, ""), 404, nil)
	checkReply(t, getAPI(t, srv, "/parties/"+party), 200, nil) // the party stays
	checkReply(t, getAPI(t, srv, "/shipments/unknown/party_roles"), 404, nil)
	srv.CheckViolations(t)

	checkReply(t, callAPI(t, srv, "POST", ofShipment, body("captain", party)), 422, map[string]any{"errors/0/status": nil, "errors/0/code": nil})
	if len(srv.Violations()) != 1 {
		t.Errorf("violations %v, want one about the role", srv.Violations())
	}
}

// The older service of the published document has none of it, and ignores unknown parameters
// (docs/service.md#later-documents).
func TestAutumn2026_BothServices(t *testing.T) {
	older, newer := newServer(t, terminal49test.WithoutAutumn2026()), newServer(t)
	for _, srv := range []*terminal49test.Server{older, newer} {
		for _, name := range []string{"Ann", "Bob"} {
			srv.AddParty(terminal49test.Party{CompanyName: name})
		}
		srv.AddShipment(terminal49test.Shipment{ID: "s", ShippingLine: "MAEU"})
	}
	const subscription = `{"data":{"type":"webhook","attributes":{"url":"https://a.example","active":true,"events":["document_representation.failed"]}}}`
	const trigger = `{"url":"https://a.example","event":"document.extracted","sample":{"document_type":"delivery_order"}}`
	for _, c := range []struct {
		method, path, body string
		older, newer       int
	}{
		{"GET", "/me", "", 404, 200},
		{"GET", "/shipments/s/party_roles", "", 404, 200},
		{"GET", "/shipments/s?flag[parties]=true", "", 200, 200},
		{"GET", "/shipments/s?include=party_roles.party", "", 400, 200},
		{"POST", "/webhooks", subscription, 422, 201},
		{"POST", "/webhooks/trigger", trigger, 200, 200},
	} {
		checkReply(t, callAPI(t, older, c.method, c.path, c.body), c.older, nil)
		checkReply(t, callAPI(t, newer, c.method, c.path, c.body), c.newer, nil)
	}
	if page := getAPI(t, older, "/me"); !strings.Contains(page.raw, "<html>") {
		t.Errorf("%s, want a web page", page.raw)
	}
	checkReply(t, getAPI(t, older, "/parties?query=ANN"), 200, map[string]any{"meta/total": 2.0})
	checkReply(t, getAPI(t, newer, "/parties?query=ANN"), 200, map[string]any{"meta/total": 1.0, "data/0/attributes/company_name": "Ann"})
	sent := func(srv *terminal49test.Server) string {
		body, _ := callAPI(t, srv, "POST", "/webhooks/trigger", trigger).at("request_body").(string)
		return body
	}
	if !strings.Contains(sent(newer), "delivery_order") || strings.Contains(sent(older), "delivery_order") {
		t.Error("only the newer service takes the type of the sample's document")
	}
	older.CheckViolations(t)
	newer.CheckViolations(t)
}
