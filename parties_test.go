package terminal49

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

const oneParty = `{"data":{"id":"` + partyID + `","type":"party","attributes":{"company_name":"Ümlaut & Sons"}}}`

func partyCalls() []call {
	const someParties = `{"data":[{"id":"` + partyID + `","type":"party"}]}`
	params := &PartyListParams{PageParams{PageNumber: 1, PageSize: 5}}
	const query = "page[number]=1&page[size]=5"
	return []call{
		{
			op: "parties.list", method: "GET", path: "/parties", query: query, reply: someParties,
			do: func(ctx context.Context, c *Client) error { return first(c.Parties.List(ctx, params)) },
		},
		{
			op: "parties.list", method: "GET", path: "/parties", query: query, reply: someParties,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Parties.Pages(ctx, params))) },
		},
		{
			op: "parties.list", method: "GET", path: "/parties", query: "page[size]=100", reply: someParties,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Parties.All(ctx, nil))) },
		},
		{
			op: "parties.create", method: "POST", path: "/parties", reply: oneParty,
			body: `{"data":{"type":"party","attributes":{"company_name":"Harbor Street Imports"}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Parties.Create(ctx, PartyCreate{CompanyName: "Harbor Street Imports"}))
			},
		},
		{
			op: "parties.get", method: "GET", path: "/parties/" + partyID, reply: oneParty,
			do: func(ctx context.Context, c *Client) error { return first(c.Parties.Get(ctx, partyID)) },
		},
		{
			op: "parties.update", method: "PATCH", path: "/parties/" + partyID, reply: oneParty,
			body: `{"data":{"type":"party","id":"` + partyID + `","attributes":{"company_name":"New Name"}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Parties.Update(ctx, partyID, PartyUpdate{CompanyName: Some("New Name")}))
			},
		},
	}
}

func TestParties_Requests(t *testing.T) { testCalls(t, partyCalls()) }

func TestParties_Decode(t *testing.T) {
	party, err := newClient(t, answer(200, oneParty)).Parties.Get(t.Context(), partyID, WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, partyID, party.ID)
	require.Equal(t, "Ümlaut & Sons", party.CompanyName)

	nameless := newClient(t, answer(200, `{"data":{"id":"`+partyID+`","type":"party","attributes":{"company_name":null}}}`))
	party, err = nameless.Parties.Get(t.Context(), partyID)
	require.NoError(t, err)
	require.Empty(t, party.CompanyName)
}

func TestParties_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client := newClient(t, newFakeAPI())
	ctx := t.Context()
	for field, err := range map[string]error{
		"PageSize":    first(client.Parties.List(ctx, &PartyListParams{PageParams{PageSize: 101}})),
		"CompanyName": first(client.Parties.Create(ctx, PartyCreate{CompanyName: " \t"})),
		"id":          first(client.Parties.Get(ctx, "Harbor Street Imports")),
		"party":       first(client.Parties.Update(ctx, partyID, PartyUpdate{})),
	} {
		requireArgument(t, err, field)
	}
	for _, name := range []Opt[string]{Some(""), Null[string]()} {
		requireArgument(t, first(client.Parties.Update(ctx, partyID, PartyUpdate{CompanyName: name})), "CompanyName")
	}
}

// requireArgument checks that a call was refused before it was sent, for the field.
func requireArgument(t *testing.T, err error, field string) {
	t.Helper()
	var argument *ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Equal(t, field, argument.Field)
	require.NotEmpty(t, argument.Op)
}

func TestParties_ANameThatIsTaken(t *testing.T) {
	const taken = `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/customer"},"title":"Unprocessable Entity","detail":"'ZZZZ' already exists in Account"}]}`
	_, err := newClient(t, answer(http.StatusUnprocessableEntity, taken)).Parties.Create(t.Context(), PartyCreate{CompanyName: "ZZZZ"})
	require.ErrorIs(t, err, ErrInvalid)
	var refused *APIError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "/data/attributes/customer", refused.Errors[0].Pointer)
}
