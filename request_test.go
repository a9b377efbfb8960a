package terminal49

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
)

// refused checks that a call ends in an *ArgumentError before anything is sent.
func refused(t *testing.T, do func(context.Context, *Client) error) *ArgumentError {
	t.Helper()
	api := newFakeAPI()
	err := do(t.Context(), newClient(t, api))
	var argument *ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Empty(t, api.requests())
	require.NotEmpty(t, argument.Op)
	require.NotEmpty(t, argument.Problem)
	return argument
}

func TestRequest_IDsAreCheckedBeforeSending(t *testing.T) {
	update := ShipmentUpdate{Tags: Some([]string{"a"})}
	byID := map[string]func(context.Context, *Client, string) error{
		"shipments.get": func(ctx context.Context, c *Client, id string) error { return first(c.Shipments.Get(ctx, id, nil)) },
		"shipments.update": func(ctx context.Context, c *Client, id string) error {
			return first(c.Shipments.Update(ctx, id, update))
		},
		"shipments.stop_tracking": func(ctx context.Context, c *Client, id string) error { return first(c.Shipments.StopTracking(ctx, id)) },
		"shipments.resume_tracking": func(ctx context.Context, c *Client, id string) error {
			return first(c.Shipments.ResumeTracking(ctx, id))
		},
		"containers.get": func(ctx context.Context, c *Client, id string) error { return first(c.Containers.Get(ctx, id, nil)) },
		"containers.update": func(ctx context.Context, c *Client, id string) error {
			return first(c.Containers.Update(ctx, id, ContainerUpdate{ReferenceNumbers: Some([]string{"a"})}))
		},
		"containers.refresh": func(ctx context.Context, c *Client, id string) error { return first(c.Containers.Refresh(ctx, id)) },
		"containers.transport_events": func(ctx context.Context, c *Client, id string) error {
			return first(c.Containers.TransportEvents(ctx, id, nil))
		},
		"containers.raw_events": func(ctx context.Context, c *Client, id string) error { return first(c.Containers.RawEvents(ctx, id)) },
		"tracking_requests.get": func(ctx context.Context, c *Client, id string) error {
			return first(c.TrackingRequests.Get(ctx, id, nil))
		},
		"tracking_requests.update": func(ctx context.Context, c *Client, id string) error {
			return first(c.TrackingRequests.Update(ctx, id, TrackingRequestUpdate{ReferenceNumber: Some("a")}))
		},
		"shipping_lines.get": func(ctx context.Context, c *Client, id string) error { return first(c.ShippingLines.Get(ctx, id)) },
	}
	notUUIDs := map[string]string{
		"empty": "", "a container number": "MSCU1234566", "dots": "..", "a path": shipmentID + "/stop_tracking",
		"braces": "{" + shipmentID + "}", "a URN": "urn:uuid:" + shipmentID, "no hyphens": strings.ReplaceAll(shipmentID, "-", ""),
		"36 other characters": strings.Repeat("x", 36), "a query": shipmentID[:35] + "?", "a line break": shipmentID[:35] + "\n",
	}
	for op, do := range byID {
		for name, id := range notUUIDs {
			t.Run(op+" "+name, func(t *testing.T) {
				argument := refused(t, func(ctx context.Context, c *Client) error { return do(ctx, c, id) })
				require.Equal(t, op, argument.Op)
				require.Equal(t, "id", argument.Field)
				require.Contains(t, argument.Problem, "must be a UUID")
			})
		}
	}
}

func TestRequest_AnInvalidIDNamesTheRemedy(t *testing.T) {
	argument := refused(t, func(ctx context.Context, c *Client) error {
		return first(c.Containers.Get(ctx, "MSCU1234566", nil))
	})
	require.EqualError(t, argument, "terminal49: containers.get: id must be a UUID such as "+
		"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d; a container number is not an id: "+
		"find the container with Containers.FindByNumber")

	argument = refused(t, func(ctx context.Context, c *Client) error { return first(c.ShippingLines.Get(ctx, "MAEU")) })
	require.Contains(t, argument.Problem, "ShippingLines.List")
}

func TestRequest_UpperCaseIDsAreAccepted(t *testing.T) {
	const id = "ABCDEF01-2345-4789-ABCD-EF0123456789"
	api := newFakeAPI()
	api.on("GET", "/shipments/"+id, 200, oneShipment)
	_, err := newClient(t, api).Shipments.Get(t.Context(), id, nil)
	require.NoError(t, err)
}

func TestRequest_PageParamsAreCheckedBeforeSending(t *testing.T) {
	for name, test := range map[string]struct {
		page  PageParams
		field string
	}{
		"negative number": {PageParams{PageNumber: -1}, "PageNumber"},
		"negative size":   {PageParams{PageSize: -1}, "PageSize"},
		"too large":       {PageParams{PageSize: 101}, "PageSize"},
	} {
		for listName, list := range map[string]func(context.Context, *Client) error{
			"shipments.List": func(ctx context.Context, c *Client) error {
				return first(c.Shipments.List(ctx, &ShipmentListParams{PageParams: test.page}))
			},
			"shipments.All": func(ctx context.Context, c *Client) error {
				return first(drain(c.Shipments.All(ctx, &ShipmentListParams{PageParams: test.page})))
			},
			"shipments.All ahead": func(ctx context.Context, c *Client) error {
				return first(drain(c.Shipments.All(ctx, &ShipmentListParams{PageParams: test.page}, WithPrefetch(2))))
			},
			"containers.Pages": func(ctx context.Context, c *Client) error {
				return first(drain(c.Containers.Pages(ctx, &ContainerListParams{PageParams: test.page})))
			},
			"tracking_requests.List": func(ctx context.Context, c *Client) error {
				return first(c.TrackingRequests.List(ctx, &TrackingRequestListParams{PageParams: test.page}))
			},
		} {
			t.Run(listName+" "+name, func(t *testing.T) { require.Equal(t, test.field, refused(t, list).Field) })
		}
	}
}

func TestRequest_IncludesAreCheckedBeforeSending(t *testing.T) {
	for _, include := range []ShipmentInclude{"", "containers,pod_terminal"} {
		argument := refused(t, func(ctx context.Context, c *Client) error {
			return first(c.Shipments.List(ctx, &ShipmentListParams{Include: []ShipmentInclude{"containers", include}}))
		})
		require.Equal(t, "include", argument.Field)
	}
}

func TestRequest_EmptyUpdatesAreRefused(t *testing.T) {
	for name, do := range map[string]func(context.Context, *Client) error{
		"shipment": func(ctx context.Context, c *Client) error {
			return first(c.Shipments.Update(ctx, shipmentID, ShipmentUpdate{}))
		},
		"container": func(ctx context.Context, c *Client) error {
			return first(c.Containers.Update(ctx, containerID, ContainerUpdate{}, WithIDInPath()))
		},
		"tracking_request": func(ctx context.Context, c *Client) error {
			return first(c.TrackingRequests.Update(ctx, requestID, TrackingRequestUpdate{}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			argument := refused(t, do)
			require.Equal(t, name, argument.Field)
			require.Contains(t, argument.Problem, "set at least one field")
		})
	}
}

func TestRequest_InvalidCallOptionsAreRefused(t *testing.T) {
	for field, opt := range map[string]CallOption{
		"WithMaxAttempts": WithMaxAttempts(0), "WithAttemptTimeout": WithAttemptTimeout(-1),
		"WithMaxResponseBytes": WithMaxResponseBytes(0), "WithPrefetch": WithPrefetch(101), "WithResponse": WithResponse(nil),
	} {
		for name, do := range map[string]func(context.Context, *Client) error{
			"get": func(ctx context.Context, c *Client) error { return first(c.Shipments.Get(ctx, shipmentID, nil, opt)) },
			"all": func(ctx context.Context, c *Client) error { return first(drain(c.Shipments.All(ctx, nil, opt))) },
			"do": func(ctx context.Context, c *Client) error {
				return c.Do(ctx, Request{Method: "GET", Path: "/x"}, nil, opt)
			},
			"text": func(ctx context.Context, c *Client) error { return first(c.Containers.Refresh(ctx, containerID, opt)) },
		} {
			t.Run(field+" "+name, func(t *testing.T) { require.Equal(t, field, refused(t, do).Field) })
		}
	}
}

func TestRequest_NilCallOptionsAreIgnored(t *testing.T) {
	_, err := newClient(t, answer(200, oneShipment)).Shipments.Get(t.Context(), shipmentID, nil, nil)
	require.NoError(t, err)
}

func TestRequest_WithResponse(t *testing.T) {
	reply := func(status int) roundTripper {
		return func(*http.Request) (*http.Response, error) {
			resp, _ := answer(status, oneShipment)(nil)
			resp.Header = http.Header{"X-Request-Id": {"req-1"}, "X-Other": {"o"}}
			return resp, nil
		}
	}
	for _, status := range []int{200, 404} {
		response := Response{Status: -1, Attempts: -1}
		_, err := newClient(t, reply(status)).Shipments.Get(t.Context(), shipmentID, nil, WithResponse(&response))
		require.Equal(t, status != 200, err != nil)
		require.Equal(t, status, response.Status)
		require.Equal(t, 1, response.Attempts)
		require.Equal(t, "req-1", response.RequestID)
		require.Equal(t, "o", response.Header.Get("X-Other"))
		require.Positive(t, response.Duration)
	}
}

func TestRequest_ResponsesThatAreNotAShipment(t *testing.T) {
	for name, test := range map[string]struct{ body, tells string }{
		"null data":     {`{"data":null}`, "0 resources"},
		"empty list":    {`{"data":[]}`, "0 resources"},
		"two resources": {`{"data":[{"id":"a","type":"shipment"},{"id":"b","type":"shipment"}]}`, "2 resources"},
		"no data":       {`{"message":"hello"}`, "no data member"},
		"empty":         {"", "it is empty"},
		"blank":         {" \r\n\t", "it is empty"},
		"a web page":    {"\n<!DOCTYPE html><html></html>", "web page"},
		"truncated":     {`{"data":{"id":"a","type":"ship`, "cannot read"},
		"trailing":      {oneShipment + "garbage", "cannot read"},
		"not an object": {`["data"]`, "not a JSON:API document"},
	} {
		t.Run(name, func(t *testing.T) {
			shipment, err := newClient(t, answer(200, test.body)).Shipments.Get(t.Context(), shipmentID, nil)
			require.Nil(t, shipment)
			var decode *DecodeError
			require.ErrorAs(t, err, &decode)
			require.Equal(t, "shipments.get", decode.Op)
			require.Equal(t, 200, decode.Status)
			require.ErrorContains(t, err, test.tells)
		})
	}
}

// JSON cannot carry what is no UTF-8: encoding/json would put another character in its place without a word.
func TestRequest_InvalidUTF8IsRefused(t *testing.T) {
	api := newFakeAPI()
	client := newClient(t, api)
	for _, name := range []string{"\xff", "a\xc3", `\` + "\xff", `\\` + "\xff"} {
		err := first(client.Parties.Create(t.Context(), PartyCreate{CompanyName: name}))
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument, "%q", name)
		require.Contains(t, argument.Problem, "UTF-8")
	}
	require.Empty(t, api.requests())
	api.on("POST", "/parties", 201, `{"data":{"id":"p","type":"party"}}`)
	for _, name := range []string{"\ufffd", `\ufffd`, `\\ufffd`, "ÿ"} {
		require.NoError(t, first(client.Parties.Create(t.Context(), PartyCreate{CompanyName: name})), "%q", name)
	}
}

// What is no document is short; encoding/json would make far more of a long one.
func TestRequest_PlainResponsesAreBounded(t *testing.T) {
	long := `{"ips":["` + strings.Repeat("1.2.3.4\",\"", MaxPlain/10) + `1.2.3.4"]}`
	client := newClient(t, answer(200, long))
	_, err := client.Webhooks.IPs(t.Context())
	require.ErrorIs(t, err, transport.ErrBodyTooLarge)
	_, err = client.Webhooks.IPs(t.Context(), WithMaxResponseBytes(2*MaxPlain))
	require.NotErrorIs(t, err, transport.ErrBodyTooLarge)
}

// Even a warning may repeat the token: as the id of a resource, or as the name of a member.
func TestRequest_WarningsShowNoToken(t *testing.T) {
	var seen []DecodeWarning
	body := fmt.Sprintf(`{"data":{"id":"a %[1]s","type":"b %[1]s","attributes":{"c %[1]s":1,"pod_eta_at":"d"}}}`, testToken)
	client := newClient(t, answer(200, body), WithStrictDecoding(), WithHooks(Hooks{
		OnDecodeWarning: func(_ context.Context, w DecodeWarning) { seen = append(seen, w) },
	}))
	err := first(client.Shipments.Get(t.Context(), shipmentID, nil))
	require.Error(t, err)
	require.NotEmpty(t, seen)
	for _, v := range []any{seen, err} {
		require.NotContains(t, fmt.Sprintf("%+v %#v", v, v), testToken)
	}
}
