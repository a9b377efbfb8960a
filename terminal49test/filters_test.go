package terminal49test_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestFilters_Shipments(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	a := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", ShippingLine: "MAEU", Customer: party, ReferenceNumbers: []string{"PO-77"}})
	b := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MSCU2", ShippingLine: "MSCU", LineTrackingStoppedAt: start})
	srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: b})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "BOOK9", RequestType: "booking_number", Status: "created", Shipment: a})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MSKU1234565", RequestType: "container", Status: "created", Shipment: b})
	for query, ids := range map[string][]string{
		"":                                 {b, a}, // newest first
		"?number=BOOK9":                    {a},
		"?number=maeu1":                    {a},
		"?number=MSKU1234565":              {}, // never a container number
		"?q=po-7":                          {a},
		"?q=MSKU123":                       {b},
		"?filter[tracking_stopped]=true":   {b},
		"?filter[tracking_stopped]=false":  {a},
		"?filter[customer_id]=" + party:    {a},
		"?filter%5Bcustomer_id%5D=unknown": {},
		"?filter[tracking_stopped]=true&number=MAEU1": {},
	} {
		checkIDs(t, getAPI(t, srv, "/shipments"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func TestFilters_Containers(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	s := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", Customer: party})
	a := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: s})
	b := srv.AddContainer(terminal49test.Container{Number: "TGHU7654321"})
	for query, ids := range map[string][]string{
		"":                              {b, a},
		"?filter[number]=MSKU1234565":   {a},
		"?filter[customer_id]=" + party: {a},
		"?filter[customer_name]=Acme":   {a}, // in the same case: docs/service.md#container-filters
		"?filter[number]=NONE0000000":   {},
	} {
		checkIDs(t, getAPI(t, srv, "/containers"+query), query, ids)
	}
	srv.CheckViolations(t)
}

// Forms and meanings are those of docs/service.md#filters and the sections after it.
func TestFilters_OfTheNewerService(t *testing.T) {
	fill := func(opts ...terminal49test.Option) (*terminal49test.Server, string, string) {
		srv := newServer(t, opts...)
		s := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", PortOfDischarge: "USLAX", Tags: []string{"hot", "late"}, PODATA: start})
		a := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: s, CurrentStatus: "grounded", PODArrivedAt: start,
			Holds: []terminal49test.Hold{{Name: "customs"}}, ImportDeadlines: terminal49test.Deadlines{Terminal: start.AddDate(0, 0, 4)}})
		b := srv.AddContainer(terminal49test.Container{Number: "TGHU7654321", CurrentStatus: "available",
			Attributes: map[string]any{"holds_at_pod_terminal": nil}, ImportDeadlines: terminal49test.Deadlines{Terminal: start.AddDate(0, 0, 1)}})
		return srv, a, b
	}
	srv, a, b := fill()
	older, oldA, oldB := fill(terminal49test.WithoutAutumn2026())
	for query, ids := range map[string][]string{
		"filter[number]=MSKU1234565,TGHU7654321":                                      {b, a},
		"filter[number][]=MSKU1234565":                                                {a},
		"filter[number][]=MSKU1234565&filter[number][]=X":                             {}, // different values can never match
		"filter[pod_code]=USLAX":                                                      {a},
		"filter[pod_code]=@not_exists":                                                {b},
		"filter[current_status]=grounded,available":                                   {b, a},
		"filter[current_status]=unheard":                                              {},
		"filter[has_holds]=true":                                                      {a},
		"filter[has_holds]=false":                                                     {}, // null matches neither
		"filter[pod_arrived_at]=@exists":                                              {a},
		"filter[pod_arrived_at]=2024-07-01":                                           {a},
		"filter[pod_arrived_at]=>2024-07-01":                                          {},
		"filter[pickup_lfd][]=>=2024-07-02&filter[pickup_lfd][]=<=2024-07-03":         {b},
		"filter[pickup_lfd]=1.day.from_now":                                           {b},
		"filter[last_free_day_on][]=2024-07-01&filter[last_free_day_on][]=2024-07-09": {b}, // available
		"filter[tags]=late,new":                                                       {a},
		"filter[tags]=late,new&filter[tags_and]=true":                                 {},
		"filter[search_by_number]=tgh":                                                {b},
		"filter[eta_changed_in_last_24h]=false":                                       {},  // like true
		"filter[hold_names]=freight,CUSTOMS":                                          {a}, // by any, in any case
		"filter[hold_names]=freight":                                                  {},
		"sort=pickup_lfd":                                                             {b, a},
		"sort=-pickup_lfd":                                                            {a, b},
	} {
		query = strings.NewReplacer(">", "%3E", "<", "%3C").Replace(query)
		checkIDs(t, getAPI(t, srv, "/containers?"+query), query, ids)
		if !strings.HasPrefix(query, "filter[number]=") { // which it has
			checkIDs(t, getAPI(t, older, "/containers?"+query), query, []string{oldB, oldA})
		}
	}
	srv.CheckViolations(t)
	older.CheckViolations(t)
	for _, query := range []string{
		"filter[has_holds]=yes", "filter[pickup_lfd]=soon", "filter[pickup_lfd]=~2024-07-01", "filter[vessel_name]=a/b",
		"filter[last_free_day_on]=2024-07-01", "filter[search_by_number][]=a",
	} {
		checkReply(t, getAPI(t, srv, "/containers?"+query), 400, nil)
	}
	checkReply(t, getAPI(t, srv, "/containers?filter[pod_eta_at]=today"), 500, nil)
	checkReply(t, getAPI(t, srv, "/shipments?filter[pod_eta_changed_at]=@exists"), 400, nil)
	if n := len(srv.Violations()); n != 8 {
		t.Errorf("%d violations, want 8: %v", n, srv.Violations())
	}
}

// A filter by a custom field compares texts in their case, options in any, and the values of the
// container or its shipment. An unknown slug is ignored.
func TestFilters_CustomFieldsOfContainers(t *testing.T) {
	srv := newServer(t)
	for slug, kind := range map[string]string{"buyer": "short_text", "term": "enum", "duty": "number"} {
		for _, entity := range []string{"Shipment", "Container"} {
			srv.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{EntityType: entity, APISlug: slug, DataType: kind,
				Options: []terminal49test.CustomFieldOption{{Label: "Free on board", Value: "fob"}}})
		}
	}
	s := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	a := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: s})
	b := srv.AddContainer(terminal49test.Container{Number: "TGHU7654321"})
	for _, f := range []terminal49test.CustomField{
		{Entity: s, APISlug: "buyer", Value: "Harbor Street"}, {Entity: b, APISlug: "buyer", Value: "Acme"},
		{Entity: a, APISlug: "term", Value: "fob"}, {Entity: b, APISlug: "duty", Value: 7},
	} {
		if _, err := srv.AddCustomField(f); err != nil {
			t.Fatal(err)
		}
	}
	for query, ids := range map[string][]string{
		"filter[custom_fields][buyer]=Street":                                 {a}, // of its shipment
		"filter[custom_fields][buyer]=street":                                 {},
		"filter[custom_fields][buyer]=Street,Acm":                             {b, a},
		"filter[custom_fields][term]=FOB":                                     {a},
		"filter[custom_fields][term]=fo":                                      {},
		"filter[custom_fields][term]=@not_exists":                             {b},
		"filter[custom_fields][duty]=@exists":                                 {b},
		"filter[custom_fields][duty]=7":                                       {}, // numbers are not compared
		"filter[custom_fields][unknown]=7":                                    {b, a},
		"filter[custom_fields][buyer]=Acme&filter[custom_fields][term]=fob":   {},
		"filter[custom_fields][buyer]=Harbor&filter[custom_fields][term]=fob": {a},
	} {
		checkIDs(t, getAPI(t, srv, "/containers?"+query), query, ids)
	}
	srv.CheckViolations(t)
	checkReply(t, getAPI(t, srv, "/containers?filter[custom_fields][buyer]="+strings.Repeat("a", 201)), 400, nil)
	checkIDs(t, getAPI(t, srv, "/containers?filter[custom_fields][buyer.name]=a"), "a dotted slug", []string{b, a})
	if n := len(srv.Violations()); n != 2 {
		t.Errorf("%d violations, want 2: %v", n, srv.Violations())
	}
}

func TestFilters_TrackingRequests(t *testing.T) {
	srv := newServer(t)
	a := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "ONE", SCAC: "MAEU", Status: "failed", CreatedAt: start, ReferenceNumbers: []string{"PO-9"}})
	b := srv.AddTrackingRequest(terminal49test.TrackingRequest{
		RequestNumber: "TWO", SCAC: "MSCU", Status: "awaiting_manifest", RequestType: "booking_number",
		CreatedAt: start.Add(time.Hour), UpdatedAt: start.Add(48 * time.Hour)})
	for query, ids := range map[string][]string{
		"":                                     {b, a},
		"?filter[request_number]=ONE":          {a},
		"?filter[status]=awaiting_manifest":    {b},
		"?filter[scac]=MAEU":                   {a},
		"?filter[request_type]=booking_number": {b},
		"?filter[created_at][start]=2024-07-01T12:30:00Z": {b},
		"?filter[created_at][end]=2024-07-01T12:00:00Z":   {a},
		"?filter[updated_at][start]=2024-07-03":           {b},
		"?filter[updated_at][end]=2024-07-03":             {a},
		"?q=po-9":                                         {a},
	} {
		checkIDs(t, getAPI(t, srv, "/tracking_requests"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func checkIDs(t *testing.T, a testReply, what string, ids []string) {
	t.Helper()
	var got []string
	for _, row := range a.list("data") {
		got = append(got, row.(map[string]any)["id"].(string))
	}
	if strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("%q returned %v, want %v", what, got, ids)
	}
}
