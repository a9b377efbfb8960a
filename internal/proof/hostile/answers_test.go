package hostile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

const otherID = "11111111-2222-4333-8444-555555555555"

// A connection that is out of step carries whole and valid responses to other requests.
func TestHostile_ResponsesToOtherRequests(t *testing.T) {
	shipment := func(id, typ string) string { return fmt.Sprintf(`{"data":{"id":%q,"type":%q}}`, id, typ) }
	get := func(c *terminal49.Client) error {
		return testkit.First(c.Shipments.Get(t.Context(), testkit.ShipmentID, nil))
	}
	update := func(c *terminal49.Client) error {
		return testkit.First(c.Shipments.Update(t.Context(), testkit.ShipmentID, terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"a"})}))
	}
	request := func(number string) string {
		return `{"data":{"id":"` + otherID + `","type":"tracking_request","attributes":{"request_number":"` + number + `"}}}`
	}
	create := func(c *terminal49.Client) error {
		return testkit.First(c.TrackingRequests.Create(t.Context(), terminal49.TrackingRequestCreate{
			RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MEDU 123-456", SCAC: "MSCU",
		}))
	}
	for name, row := range map[string]struct {
		body    string
		call    func(*terminal49.Client) error
		refused bool
		unknown bool
	}{
		"another shipment":            {shipment(otherID, "shipment"), get, true, false},
		"the shipment":                {shipment(testkit.ShipmentID, "shipment"), get, false, false},
		"the shipment in upper case":  {shipment(strings.ToUpper(testkit.ShipmentID), "shipment"), get, false, false},
		"another type":                {shipment(testkit.ShipmentID, "container"), get, true, false},
		"a new name of the type":      {shipment(testkit.ShipmentID, "ocean_shipment"), get, false, false},
		"an update's other shipment":  {shipment(otherID, "shipment"), update, true, true},
		"another number":              {request("MEDU999999"), create, true, true},
		"the number, normalised":      {request("MEDU123456"), create, false, false},
		"the number without a prefix": {request("123456"), create, false, false},
		"no number":                   {request(""), create, false, false},
	} {
		connections := &idle{RoundTripper: testkit.Answer(http.StatusOK, row.body)}
		err := row.call(testkit.NewClient(t, connections))
		require.Equal(t, row.refused, connections.closed, name)
		if !row.refused {
			require.NoError(t, err, name)
			continue
		}
		var unread *terminal49.DecodeError
		require.ErrorAs(t, err, &unread, name)
		require.Equal(t, row.unknown, terminal49.IsOutcomeUnknown(err), name)
		require.NotContains(t, err.Error(), otherID, name)
	}
}

// idle records that connections out of use were closed.
type idle struct {
	http.RoundTripper
	closed bool
}

func (i *idle) CloseIdleConnections() { i.closed = true }

// An encoding that was not asked for and a byte order mark are named, without quoting the body.
func TestHostile_EncodingsNobodyAskedFor(t *testing.T) {
	answer := func(encoding, body string) error {
		rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := testkit.Answer(http.StatusOK, body)(r)
			resp.Header = http.Header{}
			if encoding != "" {
				resp.Header.Set("Content-Encoding", encoding)
			}
			return resp, err
		})
		return testkit.First(testkit.NewClient(t, rt).Shipments.List(t.Context(), nil))
	}
	require.ErrorContains(t, answer("br", "\x0b\x02\x80{}"), `encoded as "br"`)
	require.ErrorContains(t, answer("", "\xef\xbb\xbf{\"data\":[]}"), "byte order mark")
	require.NoError(t, answer("", `{"data":[]}`))
}

// Of a next link only the page counts: it cannot change what is listed.
func TestHostile_NextLinksChangeThePageOnly(t *testing.T) {
	api := testkit.NewFakeAPI()
	next := "/v2/shipments?page%5Bnumber%5D=2&filter%5Bnumber%5D=other&q=other&sort=other&include=other&x=other"
	api.OnPages("/shipments", map[string]string{
		"page[size]=100":                testkit.ShipmentPage(next, "a"),
		"page[number]=2&page[size]=100": testkit.ShipmentPage("", "b"),
	})
	items := 0
	for _, err := range testkit.NewClient(t, api).Shipments.All(t.Context(), nil) {
		require.NoError(t, err)
		items++
	}
	require.Equal(t, 2, items)
}

// hearing returns a client with listeners on, which redact what they report.
func hearing(t *testing.T, rt http.RoundTripper, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	return testkit.NewClient(t, rt, append(opts, terminal49.WithLogger(slog.New(slog.DiscardHandler)))...)
}

// A response must not cost seconds, nor an error keep a thousand times its size, because ids are
// redacted with every warning. A text in which an escaped token was found is copied, so the memory
// shows how much was searched, and how often. Before ids were cut it was the whole id each time.
func TestHostile_EscapedIDsAreCheap(t *testing.T) {
	var attributes []string
	for i := range 1_000 {
		attributes = append(attributes, fmt.Sprintf(`"odd%d":1`, i))
	}
	id := ""
	for _, c := range testkit.Token {
		id += fmt.Sprintf(`\\u%04x`, c)
	}
	body := `{"data":[{"type":"shipment","id":"` + strings.Repeat(id, 2_000) + `","attributes":{` +
		strings.Join(attributes, ",") + `}}]}`
	client := hearing(t, testkit.Answer(http.StatusOK, body), terminal49.WithStrictDecoding())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := testkit.First(client.Shipments.List(t.Context(), nil))
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(40*len(body)), "it is a quarter of that")
	var unread *terminal49.DecodeError
	require.ErrorAs(t, err, &unread)
	require.Len(t, unread.Warnings, 1_000)
	kept := 0
	for _, w := range unread.Warnings {
		kept += len(w.ResourceType) + len(w.ResourceID) + len(w.Field) + len(w.Problem)
	}
	require.Less(t, kept, 1_000_000)
}

// A header of megabytes is cut before it is redacted. No part of the token is left at the cut.
func TestHostile_LongHeadersAreCut(t *testing.T) {
	rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := testkit.Answer(http.StatusOK, `{"data":[]}`)(r)
		resp.Header = http.Header{
			"X-Request-Id": {strings.Repeat(`\u0041%41`, 1_000_000)},
			"X-Echo":       {strings.Repeat(testkit.Token, 10_000)},
		}
		return resp, err
	})
	var got terminal49.Response
	err := testkit.First(hearing(t, rt).Shipments.List(t.Context(), nil, terminal49.WithResponse(&got)))
	require.NoError(t, err)
	for name, values := range got.Header {
		require.LessOrEqual(t, len(values[0]), 4<<10, name)
		require.NotContains(t, values[0], testkit.Token[:8], name)
	}
	require.LessOrEqual(t, len(got.RequestID), 4<<10)
}

// A response to Do is bounded like other responses that are not documents.
func TestHostile_DoReadsOneMebibyte(t *testing.T) {
	body := `[` + strings.Repeat(`{},`, 500_000) + `{}]`
	do := func(opts ...terminal49.CallOption) error {
		var out []json.RawMessage
		return testkit.NewClient(t, testkit.Answer(http.StatusOK, body)).Do(t.Context(),
			terminal49.Request{Method: http.MethodGet, Path: "/things"}, &out, opts...)
	}
	require.Error(t, do())
	require.NoError(t, do(terminal49.WithMaxResponseBytes(4<<20)))
}

// Errors repeat only the beginning of what the service and the caller sent.
func TestHostile_ErrorTextsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	candidates := make([]terminal49.CarrierCandidate, 1_000)
	for i := range candidates {
		candidates[i] = terminal49.CarrierCandidate{SCAC: long, Name: long}
	}
	inference := &terminal49.Inference{Carrier: terminal49.CarrierInference{Decision: terminal49.CarrierDecision(long), Candidates: candidates}}
	for _, err := range []error{
		&terminal49.CarrierUndecidedError{Number: long, Inference: inference}, &terminal49.InvalidNumberError{Number: long, Reason: long},
	} {
		require.Less(t, len(err.Error()), 4_000)
		require.Contains(t, err.Error(), "...")
	}
}

// A number that is called a duplicate but not listed must not cost a walk through the account.
func TestHostile_DuplicatesThatAreNotListed(t *testing.T) {
	lists := 0
	rt := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost {
			return testkit.Answer(http.StatusUnprocessableEntity, `{"errors":[{"code":"duplicate"}]}`)(r)
		}
		if r.URL.Query().Has("filter[request_number]") {
			return testkit.Answer(http.StatusOK, `{"data":[]}`)(r)
		}
		lists++
		var items []string
		for i := range 100 {
			items = append(items, fmt.Sprintf(`{"type":"tracking_request","id":"%d-%d"}`, lists, i))
		}
		return testkit.Answer(http.StatusOK, fmt.Sprintf(`{"data":[%s],"links":{"next":"/v2/tracking_requests?page[number]=%d"}}`,
			strings.Join(items, ","), lists+1))(r)
	})
	_, err := testkit.NewClient(t, rt).TrackingRequests.Track(context.Background(), "MEDU123456", &terminal49.TrackParams{
		RequestType: terminal49.RequestTypeBillOfLading, SCAC: "MSCU",
	})
	require.ErrorIs(t, err, terminal49.ErrDuplicate)
	require.ErrorContains(t, err, "Shipments.List")
	require.Equal(t, 10, lists)
}
