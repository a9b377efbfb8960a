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
