package terminal49

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49/internal/transport"
)

// CustomFields returns the custom field values of a shipment.
//
// API: GET /shipments/{shipment_id}/custom_fields. Rate bucket: default. Errors: ErrNotFound.
func (s *ShipmentsService) CustomFields(ctx context.Context, id string, opts ...CallOption) ([]*CustomField, error) {
	return shipmentFields(s, id).list(ctx, opts)
}

// SetCustomField gives a shipment a value for the custom field with that api_slug, in place of the one it may have. A
// first value is refused once the account's limit on custom fields is reached. CustomNull clears the value.
//
// API: POST /shipments/{shipment_id}/custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid, ErrForbidden.
func (s *ShipmentsService) SetCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return shipmentFields(s, id).set(ctx, apiSlug, value, opts)
}

// UpdateCustomField replaces a value that the shipment has. Unlike SetCustomField it creates none: without a value it is
// ErrNotFound.
//
// API: PATCH /shipments/{shipment_id}/custom_fields/{api_slug}. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid.
func (s *ShipmentsService) UpdateCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return shipmentFields(s, id).update(ctx, apiSlug, value, opts)
}

// DeleteCustomField removes a value from a shipment.
//
// API: DELETE /shipments/{shipment_id}/custom_fields/{api_slug}. Rate bucket: default. Errors: ErrNotFound.
func (s *ShipmentsService) DeleteCustomField(ctx context.Context, id, apiSlug string, opts ...CallOption) error {
	return shipmentFields(s, id).delete(ctx, apiSlug, opts)
}

// CustomFields returns the custom field values of a container.
//
// API: GET /containers/{container_id}/custom_fields. Rate bucket: default. Errors: ErrNotFound.
func (s *ContainersService) CustomFields(ctx context.Context, id string, opts ...CallOption) ([]*CustomField, error) {
	return containerFields(s, id).list(ctx, opts)
}

// SetCustomField gives a container a value for the custom field with that api_slug, in place of the one it may have. A
// first value is refused once the account's limit on custom fields is reached. CustomNull clears the value.
//
// API: POST /containers/{container_id}/custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid, ErrForbidden.
func (s *ContainersService) SetCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return containerFields(s, id).set(ctx, apiSlug, value, opts)
}

// UpdateCustomField replaces a value that the container has. Unlike SetCustomField it creates none: without a value it
// is ErrNotFound.
//
// API: PATCH /containers/{container_id}/custom_fields/{api_slug}. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid.
func (s *ContainersService) UpdateCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return containerFields(s, id).update(ctx, apiSlug, value, opts)
}

// DeleteCustomField removes a value from a container.
//
// API: DELETE /containers/{container_id}/custom_fields/{api_slug}. Rate bucket: default. Errors: ErrNotFound.
func (s *ContainersService) DeleteCustomField(ctx context.Context, id, apiSlug string, opts ...CallOption) error {
	return containerFields(s, id).delete(ctx, apiSlug, opts)
}

// CustomFields returns the custom field values of a tracking request.
//
// API: GET /tracking_requests/{tracking_request_id}/custom_fields. Rate bucket: default. Errors: ErrNotFound.
func (s *TrackingRequestsService) CustomFields(ctx context.Context, id string, opts ...CallOption) ([]*CustomField, error) {
	return requestFields(s, id).list(ctx, opts)
}

// SetCustomField gives a tracking request a value for the custom field with that api_slug, in place of the one it may
// have. For values on what the request will find, see the InitialCustomFields of [TrackingRequestCreate].
//
// API: POST /tracking_requests/{tracking_request_id}/custom_fields. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid, ErrForbidden.
func (s *TrackingRequestsService) SetCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return requestFields(s, id).set(ctx, apiSlug, value, opts)
}

// UpdateCustomField replaces a value that the tracking request has. Unlike SetCustomField it creates none: without a
// value it is ErrNotFound.
//
// API: PATCH /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrInvalid.
func (s *TrackingRequestsService) UpdateCustomField(ctx context.Context, id, apiSlug string, value CustomFieldValue, opts ...CallOption) (*CustomField, error) {
	return requestFields(s, id).update(ctx, apiSlug, value, opts)
}

// DeleteCustomField removes a value from a tracking request.
//
// API: DELETE /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}. Rate bucket: default. Errors: ErrNotFound.
func (s *TrackingRequestsService) DeleteCustomField(ctx context.Context, id, apiSlug string, opts ...CallOption) error {
	return requestFields(s, id).delete(ctx, apiSlug, opts)
}

// fieldOwner is what custom fields are kept on, and where.
type fieldOwner struct {
	client   *Client
	op, path string // without what is done, such as "shipments.custom_fields"
	id       argument
}

func shipmentFields(s *ShipmentsService, id string) fieldOwner {
	return fieldOwner{s.client, "shipments.custom_fields", "/shipments/{shipment_id}/custom_fields", uuidArg(id)}
}

func containerFields(s *ContainersService, id string) fieldOwner {
	return fieldOwner{s.client, "containers.custom_fields", "/containers/{container_id}/custom_fields", containerArg(id)}
}

func requestFields(s *TrackingRequestsService, id string) fieldOwner {
	return fieldOwner{s.client, "tracking_requests.custom_fields", "/tracking_requests/{tracking_request_id}/custom_fields", uuidArg(id)}
}

func (o fieldOwner) list(ctx context.Context, opts []CallOption) ([]*CustomField, error) {
	return collect(unrepeated(pages[CustomField](ctx, o.client, get(o.op+".list", o.path, o.id), opts)))
}

// set posts, and yet it may be repeated: it creates the value or replaces it, which leaves the same state.
func (o fieldOwner) set(ctx context.Context, slug string, value CustomFieldValue, opts []CallOption) (*CustomField, error) {
	e := post(o.op+".set", o.path, o.id).check(slugArg("apiSlug", slug)).reject(value.check("value"))
	e.Class = transport.Idempotent
	return one[CustomField](ctx, o.client, e.resource("custom_field", "", customFieldChange{APISlug: slug, Value: value}), opts)
}

func (o fieldOwner) update(ctx context.Context, slug string, value CustomFieldValue, opts []CallOption) (*CustomField, error) {
	e := patch(o.op+".update", o.path+"/{api_slug}", o.id, slugArg("apiSlug", slug)).reject(value.check("value"))
	return one[CustomField](ctx, o.client, e.resource("custom_field", "", customFieldChange{Value: value}), opts)
}

func (o fieldOwner) delete(ctx context.Context, slug string, opts []CallOption) error {
	return none(ctx, o.client, del(o.op+".delete", o.path+"/{api_slug}", o.id, slugArg("apiSlug", slug)), opts)
}

// unrepeated walks the items of a list that may advertise a next page and answer it with the same items once more. It
// yields each item once and ends with the first page that brings nothing new.
func unrepeated[T any, P resourceType[T]](pages iter.Seq2[*Page[T], error]) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		seen := map[string]bool{}
		for page, err := range pages {
			if err != nil {
				yield(nil, err)
				return
			}
			before := len(seen)
			for _, item := range page.Items {
				id := P(item).resource().ID
				if seen[id] {
					continue
				}
				seen[id] = true
				if !yield(item, nil) {
					return
				}
			}
			if len(seen) == before {
				return
			}
		}
	}
}
