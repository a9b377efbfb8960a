package testkit

import (
	"context"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/transport"
)

// FaultyCall is a call of one of the three retry classes.
type FaultyCall struct {
	Name, Op string
	Class    transport.Class
	Do       func(context.Context, *terminal49.Client, ...terminal49.CallOption) error
}

// FaultyCalls returns one call of each class.
func FaultyCalls() []FaultyCall {
	return []FaultyCall{
		{"read", "shipments.get", transport.Read,
			func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
				return First(c.Shipments.Get(ctx, ShipmentID, nil, opts...))
			}},
		{"repeatable write", "shipments.stop_tracking", transport.Idempotent,
			func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
				return First(c.Shipments.StopTracking(ctx, ShipmentID, opts...))
			}},
		{"creation", "tracking_requests.create", transport.Write,
			func(ctx context.Context, c *terminal49.Client, opts ...terminal49.CallOption) error {
				return First(c.TrackingRequests.Create(ctx, SureRequest(), opts...))
			}},
	}
}
