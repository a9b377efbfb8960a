package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestContainers_Requests(t *testing.T) { testkit.TestCalls(t, testkit.ContainerCalls()) }

func TestContainers_RefreshReturnsTheMessage(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(200, `{"message":"Started refresh for Shipping line, Terminal, Rail"}`))
	message, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Equal(t, "Started refresh for Shipping line, Terminal, Rail", message)
}

func TestContainers_RefreshWithAnEmptyResponseIsADecodeError(t *testing.T) {
	_, err := testkit.NewClient(t, testkit.Answer(200, ``)).Containers.Refresh(t.Context(), testkit.ContainerID)
	var decode *terminal49.DecodeError
	require.ErrorAs(t, err, &decode)
	require.ErrorContains(t, err, "it is empty")
}

func TestContainers_EventListsAreComplete(t *testing.T) {
	const page = `{"data":[{"id":"a","type":"transport_event","attributes":{"event":"container.transport.full_in"}}],
		"links":{"next":"https://api.example.test/proxy/v2/x?page%5Bnumber%5D=2"}}`
	api := testkit.NewFakeAPI()
	api.OnPages("/containers/"+testkit.ContainerID+"/transport_events", map[string]string{
		"": page, "page[number]=2": `{"data":[{"id":"b","type":"transport_event"}]}`,
	})
	api.OnPages("/containers/"+testkit.ContainerID+"/raw_events", map[string]string{"": page})
	client := testkit.NewClient(t, api)

	events, err := client.Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.Equal(t, terminal49.EventFullIn, events[0].Event)

	raw, err := client.Containers.RawEvents(t.Context(), testkit.ContainerID)
	require.NoError(t, err)
	require.Len(t, raw, 1, "the next link of an unpaged list is not followed")
}

// A part of a list must never be mistaken for the whole.
func TestContainers_AnInterruptedEventListReturnsNothing(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.OnPages("/containers/"+testkit.ContainerID+"/transport_events", map[string]string{
		"":               `{"data":[{"id":"a","type":"transport_event"}],"links":{"next":"/x?page%5Bnumber%5D=2"}}`,
		"page[number]=2": `!{"errors":[{"title":"Not Found"}]}`,
	})
	events, err := testkit.NewClient(t, api).Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Nil(t, events)
}

func TestContainers_FindByNumberComparesNumbersItself(t *testing.T) {
	api := testkit.NewFakeAPI()
	api.On("GET", "/containers", 200, `{"data":[{"id":"1","type":"container","attributes":{"number":"MSCU1234566"}},
		{"id":"2","type":"container","attributes":{"number":"TCLU0000001"}}]}`) // as if the filter were ignored
	found, err := testkit.NewClient(t, api).Containers.FindByNumber(t.Context(), " mscu 123456-6", nil)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "1", found[0].ID)
	require.Contains(t, api.Requests()[0].Query, "MSCU1234566")

	_, err = testkit.NewClient(t, api).Containers.FindByNumber(t.Context(), " - ", nil)
	var bad *terminal49.ArgumentError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "number", bad.Field)
	require.Len(t, api.Requests(), 1)
}
