package terminal49_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
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
		"CompanyName": testkit.First(client.Parties.Create(ctx, terminal49.PartyCreate{CompanyName: " \t"})),
		"id":          testkit.First(client.Parties.Get(ctx, "Harbor Street Imports")),
		"party":       testkit.First(client.Parties.Update(ctx, testkit.PartyID, terminal49.PartyUpdate{})),
	} {
		testkit.RequireArgument(t, err, field)
	}
	for _, name := range []terminal49.Opt[string]{terminal49.Some(""), terminal49.Null[string]()} {
		testkit.RequireArgument(t,
			testkit.First(client.Parties.Update(ctx, testkit.PartyID, terminal49.PartyUpdate{CompanyName: name})),
			"CompanyName")
	}
}

func TestParties_ANameThatIsTaken(t *testing.T) {
	const taken = `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/customer"},"title":"Unprocessable Entity","detail":"'ZZZZ' already exists in Account"}]}`
	_, err := testkit.NewClient(t, testkit.Answer(http.StatusUnprocessableEntity, taken)).Parties.Create(t.Context(),
		terminal49.PartyCreate{CompanyName: "ZZZZ"})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	var refused *terminal49.APIError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "/data/attributes/customer", refused.Errors[0].Pointer)
}
