package terminal49

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	oneContainer  = `{"data":{"id":"` + containerID + `","type":"container"}}`
	someContainer = `{"data":[{"id":"` + containerID + `","type":"container"}]}`
)

func containerCalls() []call {
	const everything = "filter[customer_id]=" + partyID + "&filter[customer_name]=Ümlaut & Sons&filter[number]=MSCU1234566" +
		"&include=shipment,pod_terminal,pickup_facility,transport_events,raw_events&page[number]=1&page[size]=1"
	params := func() *ContainerListParams {
		return &ContainerListParams{
			PageParams: PageParams{PageNumber: 1, PageSize: 1},
			Include: []ContainerInclude{
				ContainerIncludeShipment, ContainerIncludePODTerminal, ContainerIncludePickupFacility,
				ContainerIncludeTransportEvents, ContainerIncludeRawEvents,
			},
			Number: "MSCU1234566", CustomerID: partyID, CustomerName: "Ümlaut & Sons",
		}
	}
	update := ContainerUpdate{ReferenceNumbers: Some([]string{"PO 1"})}
	const updateBody = `{"data":{"type":"container","id":"` + containerID + `","attributes":{"ref_numbers":["PO 1"]}}}`
	return []call{
		{
			op: "containers.list", method: "GET", path: "/containers", query: everything, reply: someContainer,
			do: func(ctx context.Context, c *Client) error { return first(c.Containers.List(ctx, params())) },
		},
		{
			op: "containers.list", method: "GET", path: "/containers", query: everything, reply: someContainer,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Containers.Pages(ctx, params()))) },
		},
		{
			op: "containers.list", method: "GET", path: "/containers", query: everything, reply: someContainer,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Containers.All(ctx, params()))) },
		},
		{
			op: "containers.get", method: "GET", path: "/containers/" + containerID, reply: oneContainer,
			query: "include=shipment,shipment.port_of_lading",
			do: func(ctx context.Context, c *Client) error {
				return first(c.Containers.Get(ctx, containerID, &ContainerGetParams{
					Include: []ContainerInclude{ContainerIncludeShipment, "shipment.port_of_lading"},
				}))
			},
		},
		{
			op: "containers.get", method: "GET", path: "/containers/" + containerID, reply: oneContainer,
			do: func(ctx context.Context, c *Client) error { return first(c.Containers.Get(ctx, containerID, nil)) },
		},
		{
			op: "containers.update", method: "PATCH", path: "/containers", body: updateBody, reply: oneContainer,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Containers.Update(ctx, containerID, update))
			},
		},
		{
			op: "containers.update", method: "PATCH", path: "/containers/" + containerID, body: updateBody, reply: oneContainer,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Containers.Update(ctx, containerID, update, WithIDInPath()))
			},
		},
		{
			op: "containers.refresh", method: "PATCH", path: "/containers/" + containerID + "/refresh", reply: `{"message":"ok"}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Containers.Refresh(ctx, containerID)) },
		},
		{
			op: "containers.transport_events", method: "GET", path: "/containers/" + containerID + "/transport_events",
			query: "include=shipment,container,vessel,location,terminal", reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Containers.TransportEvents(ctx, containerID, &TransportEventListParams{Include: []TransportEventInclude{
					TransportEventIncludeShipment, TransportEventIncludeContainer, TransportEventIncludeVessel,
					TransportEventIncludeLocation, TransportEventIncludeTerminal,
				}}))
			},
		},
		{
			op: "containers.raw_events", method: "GET", path: "/containers/" + containerID + "/raw_events", reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Containers.RawEvents(ctx, containerID)) },
		},
	}
}

func TestContainers_Requests(t *testing.T) { testCalls(t, containerCalls()) }

func TestContainers_RefreshReturnsTheMessage(t *testing.T) {
	client := newClient(t, answer(200, `{"message":"Started refresh for Shipping line, Terminal, Rail"}`))
	message, err := client.Containers.Refresh(t.Context(), containerID)
	require.NoError(t, err)
	require.Equal(t, "Started refresh for Shipping line, Terminal, Rail", message)
}

func TestContainers_RefreshWithAnEmptyResponseIsADecodeError(t *testing.T) {
	_, err := newClient(t, answer(200, ``)).Containers.Refresh(t.Context(), containerID)
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	require.ErrorContains(t, err, "it is empty")
}

func TestContainers_EventListsAreComplete(t *testing.T) {
	const page = `{"data":[{"id":"a","type":"transport_event","attributes":{"event":"container.transport.full_in"}}],
		"links":{"next":"https://api.example.test/proxy/v2/x?page%5Bnumber%5D=2"}}`
	api := newFakeAPI()
	api.onPages("/containers/"+containerID+"/transport_events", map[string]string{
		"": page, "page[number]=2": `{"data":[{"id":"b","type":"transport_event"}]}`,
	})
	api.onPages("/containers/"+containerID+"/raw_events", map[string]string{"": page})
	client := newClient(t, api)

	events, err := client.Containers.TransportEvents(t.Context(), containerID, nil)
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, EventFullIn, events[0].Event)

	raw, err := client.Containers.RawEvents(t.Context(), containerID)
	require.NoError(t, err)
	require.Len(t, raw, 1, "the next link of a list that comes whole is not followed")
}

// A part of a list must never be taken for the whole.
func TestContainers_AnInterruptedEventListReturnsNothing(t *testing.T) {
	api := newFakeAPI()
	api.onPages("/containers/"+containerID+"/transport_events", map[string]string{
		"":               `{"data":[{"id":"a","type":"transport_event"}],"links":{"next":"/x?page%5Bnumber%5D=2"}}`,
		"page[number]=2": `!{"errors":[{"title":"Not Found"}]}`,
	})
	events, err := newClient(t, api).Containers.TransportEvents(t.Context(), containerID, nil)
	require.ErrorIs(t, err, ErrNotFound)
	require.Nil(t, events)
}

func TestContainers_FindByNumberComparesNumbersItself(t *testing.T) {
	api := newFakeAPI()
	api.on("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"number":"MSCU1234566"}},
		{"id":"2","type":"container","attributes":{"number":"TCLU0000001"}}]}`) // as if the filter were ignored
	found, err := newClient(t, api).Containers.FindByNumber(t.Context(), " mscu 123456-6", nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "1", found[0].ID)
	require.Contains(t, api.requests()[0].Query, "MSCU1234566")

	_, err = newClient(t, api).Containers.FindByNumber(t.Context(), " - ", nil)
	var bad *ArgumentError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "number", bad.Field)
	require.Len(t, api.requests(), 1)
}
