package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/transport"
)

// kind is an operation of a schedule.
type kind struct {
	operation.Operation
	resource string // type of the resource in its response; "" if there is none
	// proven is set if the response shows that it belongs to the request: by an id or a number.
	proven bool
	do     func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error
}

func (k kind) creates() bool { return k.Retry == transport.Write }
func (k kind) reads() bool   { return k.Retry == transport.Read }

// A tag is part of every id, number and URL of a call, so that the service recognises the call.
var tags = regexp.MustCompile(`77\d{10}`)

func tagOf(call int) string      { return fmt.Sprintf("77%010d", call) }
func strangeTag(call int) string { return fmt.Sprintf("88%010d", call) }
func idOf(tag string) string     { return "11111111-1111-4111-8111-" + tag }
func numberOf(tag string) string { return "MAEU" + tag }
func urlOf(tag string) string    { return "https://example.com/" + tag }

// document returns a resource with everything that any operation compares.
func document(resource, tag string) string {
	return fmt.Sprintf(`{"data":{"id":%q,"type":%q,"attributes":{"request_number":%q,"bill_of_lading_number":%q,"url":%q}}}`,
		idOf(tag), resource, numberOf(tag), numberOf(tag), urlOf(tag))
}

var errOther = errors.New("a nil error with the value of another call")

// same returns err, or errOther if a value is not that of the call.
func same(err error, got string, tag string) error {
	if err == nil && !strings.HasSuffix(got, tag) {
		return errOther
	}
	return err
}

func someName() terminal49.Opt[[]string] { return terminal49.Some([]string{"a"}) }

var kinds = []kind{
	{operation.TrackingRequestsCreate, "tracking_request", true, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		request := testkit.SureRequest()
		request.RequestNumber = numberOf(tag)
		made, err := c.TrackingRequests.Create(ctx, request, opts...)
		return same(err, valueOf(made).RequestNumber, tag)
	}},
	{operation.WebhooksCreate, "webhook", false, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		events := []terminal49.EventName{terminal49.EventContainerUpdated}
		made, err := c.Webhooks.Create(ctx, terminal49.WebhookCreate{URL: urlOf(tag), Events: events}, opts...)
		return same(err, valueOf(made).URL, tag)
	}},
	{operation.DocumentsReclassify, "", false, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		return c.Documents.Reclassify(ctx, idOf(tag), opts...)
	}},
	{operation.ShipmentsUpdate, "shipment", true, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		got, err := c.Shipments.Update(ctx, idOf(tag), terminal49.ShipmentUpdate{ReferenceNumbers: someName()}, opts...)
		return same(err, valueOf(got).ID, tag)
	}},
	{operation.TrackingRequestsUpdate, "tracking_request", true, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		update := terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("a")}
		got, err := c.TrackingRequests.Update(ctx, idOf(tag), update, opts...)
		return same(err, valueOf(got).ID, tag)
	}},
	{operation.WebhooksUpdate, "webhook", true, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		got, err := c.Webhooks.Update(ctx, idOf(tag), terminal49.WebhookUpdate{Active: terminal49.Some(true)}, opts...)
		return same(err, valueOf(got).ID, tag)
	}},
	{operation.WebhooksDelete, "", false, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		return c.Webhooks.Delete(ctx, idOf(tag), opts...)
	}},
	{operation.ShipmentsGet, "shipment", true, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		got, err := c.Shipments.Get(ctx, idOf(tag), nil, opts...)
		return same(err, valueOf(got).BillOfLadingNumber, tag)
	}},
	{operation.TrackingRequestsGet, "tracking_request", true, func(ctx context.Context, c *terminal49.Client, tag string, opts ...terminal49.CallOption) error {
		got, err := c.TrackingRequests.Get(ctx, idOf(tag), nil, opts...)
		return same(err, valueOf(got).ID, tag)
	}},
}

// valueOf returns what p points to, or the zero value.
func valueOf[V any](p *V) (v V) {
	if p != nil {
		v = *p
	}
	return v
}
