package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-freight/terminal49"
)

const notUnderstood = "in an example was not understood by the library"

// decodeExamples reads every example through the library, in strict mode, and reports what was not
// understood.
func decodeExamples(examples []example) ([]finding, error) {
	var findings []finding
	for _, e := range examples {
		call, ok := calls[e.op]
		if !ok {
			call, ok = customFieldCalls()[e.op]
		}
		if !ok {
			call, ok = webhookCalls()[e.op]
		}
		if !ok {
			call, ok = documentCalls()[e.op]
		}
		if !ok {
			return nil, fmt.Errorf("no call for %s: add it to calls in decode.go", e.op)
		}
		client, err := terminal49.New("drift-check", terminal49.WithStrictDecoding(), terminal49.WithoutLimits(),
			terminal49.WithoutRetries(), terminal49.WithHTTPClient(&http.Client{Transport: e}))
		if err != nil {
			return nil, err
		}
		err = call(client)
		var unread *terminal49.DecodeError
		switch {
		case err == nil:
		case errors.As(err, &unread) && len(unread.Warnings) > 0:
			for _, w := range unread.Warnings {
				what := w.ResourceType + "." + w.Field + ": " + w.Problem
				findings = append(findings, finding{"example " + e.op, what, notUnderstood})
			}
		default:
			findings = append(findings, finding{"example " + e.op, e.name + ": " + err.Error(), notUnderstood})
		}
	}
	return findings, nil
}

// RoundTrip answers every request with the example.
func (e example) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: e.status, Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewReader(e.body)),
	}, nil
}

// anyID stands for the ids of the examples, which the answers do not depend on.
const anyID = "00000000-0000-4000-8000-000000000000"

// calls makes each offered operation by name.
var calls = map[string]func(*terminal49.Client) error{
	"shipments.list": func(c *terminal49.Client) error { return second(c.Shipments.List(context.Background(), nil)) },
	"shipments.get":  func(c *terminal49.Client) error { return second(c.Shipments.Get(context.Background(), anyID, nil)) },
	"shipments.update": func(c *terminal49.Client) error {
		change := terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"tag"})}
		return second(c.Shipments.Update(context.Background(), anyID, change))
	},
	"shipments.stop_tracking": func(c *terminal49.Client) error { return second(c.Shipments.StopTracking(context.Background(), anyID)) },
	"shipments.resume_tracking": func(c *terminal49.Client) error {
		return second(c.Shipments.ResumeTracking(context.Background(), anyID))
	},
	"tracking_requests.create": func(c *terminal49.Client) error {
		request := terminal49.TrackingRequestCreate{RequestNumber: "1", RequestType: terminal49.RequestBillOfLading, SCAC: "TEST"}
		return second(c.TrackingRequests.Create(context.Background(), request))
	},
	"tracking_requests.list": func(c *terminal49.Client) error { return second(c.TrackingRequests.List(context.Background(), nil)) },
	"tracking_requests.get": func(c *terminal49.Client) error {
		return second(c.TrackingRequests.Get(context.Background(), anyID, nil))
	},
	"tracking_requests.update": func(c *terminal49.Client) error {
		change := terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("1")}
		return second(c.TrackingRequests.Update(context.Background(), anyID, change))
	},
	"tracking_requests.infer": func(c *terminal49.Client) error { return second(c.TrackingRequests.Infer(context.Background(), "1")) },
	"containers.list":         func(c *terminal49.Client) error { return second(c.Containers.List(context.Background(), nil)) },
	"containers.get":          func(c *terminal49.Client) error { return second(c.Containers.Get(context.Background(), anyID, nil)) },
	"containers.update": func(c *terminal49.Client) error {
		change := terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"1"})}
		return second(c.Containers.Update(context.Background(), anyID, change))
	},
	"containers.refresh": func(c *terminal49.Client) error { return second(c.Containers.Refresh(context.Background(), anyID)) },
	"containers.transport_events": func(c *terminal49.Client) error {
		return second(c.Containers.TransportEvents(context.Background(), anyID, nil))
	},
	"containers.raw_events":  func(c *terminal49.Client) error { return second(c.Containers.RawEvents(context.Background(), anyID)) },
	"shipping_lines.list":    func(c *terminal49.Client) error { return second(c.ShippingLines.List(context.Background())) },
	"containers.map_geojson": func(c *terminal49.Client) error { return second(c.Containers.Map(context.Background(), anyID)) },
	"ports.get":              func(c *terminal49.Client) error { return second(c.Ports.Get(context.Background(), anyID)) },
	"metro_areas.get":        func(c *terminal49.Client) error { return second(c.MetroAreas.Get(context.Background(), anyID)) },
	"terminals.get":          func(c *terminal49.Client) error { return second(c.Terminals.Get(context.Background(), anyID)) },
	"vessels.get":            func(c *terminal49.Client) error { return second(c.Vessels.Get(context.Background(), anyID, nil)) },
	"vessels.get_by_imo": func(c *terminal49.Client) error {
		return second(c.Vessels.GetByIMO(context.Background(), "9811000", nil))
	},
	"vessels.future_positions": func(c *terminal49.Client) error {
		leg := terminal49.VesselLeg{PreviousPortID: anyID, PortID: anyID}
		return second(c.Vessels.FuturePositions(context.Background(), anyID, leg))
	},
	"vessels.future_positions_with_coordinates": func(c *terminal49.Client) error {
		leg := terminal49.VesselLeg{PreviousPortID: anyID, PortID: anyID}
		return second(c.Vessels.FuturePositionsFrom(context.Background(), anyID, leg, terminal49.Coordinates{}))
	},
	"parties.list": func(c *terminal49.Client) error { return second(c.Parties.List(context.Background(), nil)) },
	"parties.create": func(c *terminal49.Client) error {
		return second(c.Parties.Create(context.Background(), terminal49.PartyCreate{CompanyName: "1"}))
	},
	"parties.get": func(c *terminal49.Client) error { return second(c.Parties.Get(context.Background(), anyID)) },
	"parties.update": func(c *terminal49.Client) error {
		change := terminal49.PartyUpdate{CompanyName: terminal49.Some("1")}
		return second(c.Parties.Update(context.Background(), anyID, change))
	},
	"search.query":       func(c *terminal49.Client) error { return second(c.Search.Query(context.Background(), "1")) },
	"shipping_lines.get": func(c *terminal49.Client) error { return second(c.ShippingLines.Get(context.Background(), anyID)) },
}

func second[V any](_ V, err error) error { return err }
