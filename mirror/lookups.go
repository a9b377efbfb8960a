package mirror

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// lookedUp are the arguments of the store's own clauses.
var lookedUp = map[store.Lookup]string{
	store.ByID: "id", store.ByContainerNumber: "number", store.ByShipmentNumber: "number",
	store.ByContainerReference: "reference", store.ByShipmentReference: "reference",
}

// containers reads containers by one of the store's own clauses.
func (r *Reader) containers(ctx context.Context, by store.Lookup, arg string) iter.Seq2[*terminal49.Container, error] {
	s := store.Selection{Table: schema.ContainerTable, Lookup: by, Args: []any{arg}}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Container])
}

// shipments reads shipments by one of the store's own clauses.
func (r *Reader) shipments(ctx context.Context, by store.Lookup, arg string) iter.Seq2[*terminal49.Shipment, error] {
	s := store.Selection{Table: schema.ShipmentTable, Lookup: by, Args: []any{arg}}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Shipment])
}

// Container returns the container with an id, as [Reader.Containers] reads it. The error wraps
// [sql.ErrNoRows] if the database has no such container.
func (r *Reader) Container(ctx context.Context, id string) (*terminal49.Container, error) {
	return first(r.containers(ctx, store.ByID, id), "container", id)
}

// ContainersByNumber returns the containers with a container number, one for each journey of the
// equipment, the latest first. It returns an empty list and no error if there are none, as the
// other short forms for lists do. Spaces, dashes and case are ignored.
func (r *Reader) ContainersByNumber(ctx context.Context, number string) ([]*terminal49.Container, error) {
	if err := checkText("Reader", "number", number); err != nil { // whose normal form is text
		return nil, err
	}
	return collected(r.containers(ctx, store.ByContainerNumber, terminal49.NormalizeContainerNumber(number)))
}

// ContainersByReference returns the containers that have a reference number, or whose shipment has
// it, the latest first.
func (r *Reader) ContainersByReference(ctx context.Context, reference string) ([]*terminal49.Container, error) {
	return collected(r.containers(ctx, store.ByContainerReference, reference))
}

// Shipment returns the shipment with an id, as [Reader.Shipments] reads it. The error wraps
// [sql.ErrNoRows] if the database has no such shipment.
func (r *Reader) Shipment(ctx context.Context, id string) (*terminal49.Shipment, error) {
	return first(r.shipments(ctx, store.ByID, id), "shipment", id)
}

// ShipmentsByNumber returns the shipments with a bill of lading or booking number: as it was
// submitted, or in the form of the shipping line. The latest is first.
func (r *Reader) ShipmentsByNumber(ctx context.Context, number string) ([]*terminal49.Shipment, error) {
	return collected(r.shipments(ctx, store.ByShipmentNumber, number))
}

// ShipmentsByReference returns the shipments that have a reference number, the latest first.
func (r *Reader) ShipmentsByReference(ctx context.Context, reference string) ([]*terminal49.Shipment, error) {
	return collected(r.shipments(ctx, store.ByShipmentReference, reference))
}
