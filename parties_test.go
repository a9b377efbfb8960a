package terminal49_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestParties_Requests(t *testing.T) { testkit.TestCalls(t, testkit.PartyCalls()) }

func TestParties_Decode(t *testing.T) {
	party, err := testkit.NewClient(t, testkit.Answer(200, testkit.OneParty)).Parties.Get(t.Context(),
		testkit.PartyID, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, testkit.PartyID, party.ID)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)

	unnamed := testkit.NewClient(t, testkit.Answer(200, `{"data":{"id":"`+testkit.PartyID+`","type":"party","attributes":{"company_name":null}}}`))
	party, err = unnamed.Parties.Get(t.Context(), testkit.PartyID)
	require.NoError(t, err)
	require.Empty(t, party.CompanyName)
}

func TestParties_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := testkit.NewClient(t, testkit.NewFakeAPI())
	ctx := t.Context()
	for field, err := range map[string]error{
		"PageSize": testkit.First(client.Parties.List(ctx,
			&terminal49.PartyListParams{PageParams: terminal49.PageParams{PageSize: 101}})),
		"CompanyName": testkit.First(client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: " \t"})),
		"id":          testkit.First(client.Parties.Get(ctx, "Harbor Street Imports")),
	} {
		testkit.RequireArgument(t, err, field)
	}
	testkit.RequireArgument(t, testkit.First(client.Parties.Update(ctx, testkit.PartyID, terminal49.PartyFields{})), "CompanyName")
}

func TestParties_ANameThatIsTaken(t *testing.T) {
	const taken = `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/customer"},"title":"Unprocessable Entity","detail":"'ZZZZ' already exists in Account"}]}`
	_, err := testkit.NewClient(t, testkit.Answer(http.StatusUnprocessableEntity, taken)).Parties.Create(t.Context(),
		terminal49.PartyFields{CompanyName: "ZZZZ"})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	var refused *terminal49.APIError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "/data/attributes/customer", refused.Errors[0].Pointer)
}

func TestPartyRoles_Requests(t *testing.T) { testkit.TestCalls(t, testkit.PartyRoleCalls()) }

// The errors are those of docs/service.md#party-roles.
func TestPartyRoles_ErrorsByMeaning(t *testing.T) {
	sentinels := map[string]error{
		"duplicate": terminal49.ErrDuplicate, "invalid": terminal49.ErrInvalid, "role": terminal49.ErrRoleNotAllowed,
		"unauthorized": terminal49.ErrUnauthorized, "forbidden": terminal49.ErrForbidden, "not found": terminal49.ErrNotFound,
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   []string
	}{
		"taken": {422, `{"errors":[{"status":"422","source":{"pointer":""},"title":"Unprocessable Entity","detail":"x","code":"taken"}]}`,
			[]string{"duplicate", "invalid"}},
		"cargo": {422, `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/role"},"title":"x","code":"is_not_allowed_for_cargo"}]}`,
			[]string{"invalid", "role"}},
		"unknown role":  {422, `{"errors":[{"detail":"'captain' is not a valid role"}]}`, []string{"invalid"}},
		"foreign party": {401, `{"errors":[{"detail":"You are not authorized to perform this action"}]}`, []string{"forbidden"}},
		// The texts of a rejected key, in either form (docs/service.md#error-bodies).
		"token":            {401, `{"errors":[{"detail":"Invalid or missing API token."}]}`, []string{"unauthorized"}},
		"key":              {401, `{"errors":[{"detail":"Terminal49 API key could not be verified"}]}`, []string{"unauthorized"}},
		"full form":        {401, `{"errors":[{"status":"401","title":"Unauthorized","detail":"no"}]}`, []string{"unauthorized"}},
		"no body":          {401, ``, []string{"unauthorized"}},
		"unknown shipment": {404, ``, []string{"not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := testkit.NewClient(t, testkit.Answer(c.status, c.body))
			_, err := client.Containers.AddPartyRole(t.Context(), testkit.ContainerID, terminal49.PartyRoleConsignee, testkit.PartyID)
			var got []string
			for name, sentinel := range sentinels {
				if errors.Is(err, sentinel) {
					got = append(got, name)
				}
			}
			require.ElementsMatch(t, c.want, got, err)
		})
	}
	// Elsewhere a 401 is always about the token.
	_, err := testkit.NewClient(t, testkit.Answer(401, `{"errors":[{"detail":"not authorized"}]}`)).Parties.Get(t.Context(), testkit.PartyID)
	require.ErrorIs(t, err, terminal49.ErrUnauthorized)
}

func TestPartyRoles_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, ctx := testkit.NewClient(t, testkit.NewFakeAPI()), t.Context()
	for field, err := range map[string]error{
		"id":      testkit.First(client.Shipments.AddPartyRole(ctx, "MAEU1", terminal49.PartyRoleConsignee, testkit.PartyID)),
		"role":    testkit.First(client.Shipments.AddPartyRole(ctx, testkit.ShipmentID, "", testkit.PartyID)),
		"partyID": testkit.First(client.Shipments.AddPartyRole(ctx, testkit.ShipmentID, "shipper", "")),
		"roleID":  client.Shipments.RemovePartyRole(ctx, testkit.ShipmentID, "consignee"),
	} {
		testkit.RequireArgument(t, err, field)
	}
}

// The flag adds the relationship, the include value embeds roles and parties
// (docs/service.md#party-roles). An older service has neither: it ignores the flag and, like any
// unknown include, rejects the value.
func TestPartyRoles_OfAShipment(t *testing.T) {
	roles := func(t *testing.T, older bool, params *terminal49.ShipmentGetParams) (*terminal49.Shipment, error) {
		var options []terminal49test.Option
		if older {
			options = append(options, terminal49test.WithoutAutumn2026())
		}
		srv := terminal49test.NewServer(append(options, terminal49test.WithoutSocket())...)
		defer srv.Close()
		testkit.AddNamedResources(srv)
		shipment, err := testkit.SimulatedClient(t, srv).Shipments.Get(t.Context(), testkit.ShipmentID, params)
		srv.CheckViolations(t)
		return shipment, err
	}
	flag := &terminal49.ShipmentGetParams{PartyRoles: true}
	include := &terminal49.ShipmentGetParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludePartyRoles}}

	shipment, err := roles(t, false, nil)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, shipment.PartyRoles.State())
	shipment, err = roles(t, false, flag)
	require.NoError(t, err)
	require.Equal(t, []string{testkit.PartyRoleID}, shipment.PartyRoles.IDs())
	require.Equal(t, terminal49.RelationshipLinked, shipment.PartyRoles.State())
	shipment, err = roles(t, false, include)
	require.NoError(t, err)
	found, complete := shipment.PartyRoles.Values()
	require.True(t, complete)
	party, ok := found[0].Party.Value()
	require.True(t, ok)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)
	require.Equal(t, terminal49.PartyRoleConsignee, found[0].Role)

	shipment, err = roles(t, true, flag)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, shipment.PartyRoles.State())
	_, err = roles(t, true, include)
	require.ErrorIs(t, err, terminal49.ErrInvalid)
}

// Some copies of the documents lack these operations, and an unknown route is a 404 with an HTML
// page (docs/service.md#later-documents).
func TestPartyRoles_AnOlderServiceHasNoSuchOperation(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutAutumn2026(), terminal49test.WithoutSocket())
	defer srv.Close()
	testkit.AddNamedResources(srv)
	client := testkit.SimulatedClient(t, srv)
	for _, call := range append(testkit.PartyRoleCalls(), testkit.MeCalls()...) {
		err := call.Do(t.Context(), client)
		require.ErrorIs(t, err, terminal49.ErrNotFound, call.Op)
		require.ErrorContains(t, err, "the service may not have this operation yet", call.Op)
	}
	srv.CheckViolations(t)

	// That a shipment does not exist is another matter.
	_, err := testkit.NewClient(t, testkit.Answer(404, `{"errors":[{"status":"404","title":"Not Found"}]}`)).
		Shipments.PartyRoles(t.Context(), testkit.ShipmentID)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.NotContains(t, err.Error(), "may not have")
}

// query is a part of the company name in any case; some services ignore it
// (docs/service.md#other-filters).
func TestParties_QueryIsCheckedByTheClientToo(t *testing.T) {
	for name, options := range map[string][]terminal49test.Option{
		"new": nil, "older": {terminal49test.WithoutAutumn2026()},
	} {
		t.Run(name, func(t *testing.T) {
			srv := terminal49test.NewServer(append(options, terminal49test.WithoutSocket())...)
			defer srv.Close()
			for _, company := range []string{"Söhne & Co", "Other", "Die SÖHNE"} {
				srv.AddParty(terminal49test.Party{CompanyName: company})
			}
			client, params := testkit.SimulatedClient(t, srv), &terminal49.PartyListParams{Query: " söhne "}
			var all, paged []string
			for party, err := range client.Parties.All(t.Context(), params) {
				require.NoError(t, err)
				all = append(all, party.CompanyName)
			}
			for page, err := range client.Parties.Pages(t.Context(), params) {
				require.NoError(t, err)
				for _, party := range page.Items {
					paged = append(paged, party.CompanyName)
				}
			}
			page, err := client.Parties.List(t.Context(), params)
			require.NoError(t, err)
			require.Equal(t, []string{"Söhne & Co", "Die SÖHNE"}, all)
			require.Equal(t, all, paged)
			require.Len(t, page.Items, 2)
			srv.CheckViolations(t)
		})
	}
}
