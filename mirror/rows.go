package mirror

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Containers reads containers, each with its shipment, the ports and terminals of both, and its
// transport events with their places and vessels. It reads in one pass, in constant memory. If
// there are more than a few hundred rows, it holds a connection and a transaction until the loop
// ends; the same is true of the other reads.
//
// Errors: *terminal49.ArgumentError for a clause that is not one, and for an argument that is not
// text; [ErrNoTables]; one that names a row whose JSON is damaged; those of the database and of
// ctx. An error is yielded once, at the end.
func (r *Reader) Containers(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Container, error] {
	s := store.Selection{Table: schema.ContainerTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Container])
}

// Shipments reads shipments with their ports and terminals, and with what [Reader.Containers]
// reads of their containers. See [Reader.Containers].
func (r *Reader) Shipments(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Shipment, error] {
	s := store.Selection{Table: schema.ShipmentTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Shipment])
}

// TrackingRequests reads tracking requests with their shipments and customers. See
// [Reader.Containers].
func (r *Reader) TrackingRequests(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.TrackingRequest, error] {
	s := store.Selection{Table: schema.TrackingRequestTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.TrackingRequest])
}

// TransportEvents reads milestones and estimates with their containers, shipments, places and
// vessels. See [Reader.Containers].
func (r *Reader) TransportEvents(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.TransportEvent, error] {
	s := store.Selection{Table: schema.TransportEventTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.TransportEvent])
}

// EstimatedEvents reads the estimates for shipments that notifications reported, from the table
// estimates. See [Reader.Containers].
func (r *Reader) EstimatedEvents(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.EstimatedEvent, error] {
	s := store.Selection{Table: schema.EstimateTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.EstimatedEvent])
}

// ContainerUpdatedEvents reads the changes of containers that notifications reported, from the
// table container_events. See [Reader.Containers].
func (r *Reader) ContainerUpdatedEvents(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.ContainerUpdatedEvent, error] {
	s := store.Selection{Table: schema.ContainerEventTable, Types: []string{"container_updated_event"}, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.ContainerUpdatedEvent])
}

// ContainerCreatedEvents reads the creations of containers that notifications reported, from the
// table container_events. See [Reader.Containers].
func (r *Reader) ContainerCreatedEvents(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.ContainerCreatedEvent, error] {
	s := store.Selection{Table: schema.ContainerEventTable, Types: []string{"container_created_event"}, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.ContainerCreatedEvent])
}

// ContainerPODTerminalChangedEvents reads the changes of terminals that notifications reported,
// from the table container_events. See [Reader.Containers].
func (r *Reader) ContainerPODTerminalChangedEvents(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.ContainerPODTerminalChangedEvent, error] {
	s := store.Selection{Table: schema.ContainerEventTable, Types: []string{"container_pod_terminal_changed_event"}, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.ContainerPODTerminalChangedEvent])
}

// Documents reads documents with their shipments and containers. See [Reader.Containers].
func (r *Reader) Documents(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Document, error] {
	s := store.Selection{Table: schema.DocumentTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Document])
}

// CustomFields reads values of custom fields with the resources that have them. See
// [Reader.Containers].
func (r *Reader) CustomFields(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.CustomField, error] {
	s := store.Selection{Table: schema.CustomFieldTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.CustomField])
}

// Parties reads parties, such as customers. See [Reader.Containers].
func (r *Reader) Parties(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Party, error] {
	s := store.Selection{Table: schema.PartyTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Party])
}

// ShippingLines reads shipping lines. See [Reader.Containers].
func (r *Reader) ShippingLines(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.ShippingLine, error] {
	s := store.Selection{Table: schema.ShippingLineTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.ShippingLine])
}

// Ports reads sea ports, from the table ports. See [Reader.Containers].
func (r *Reader) Ports(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Port, error] {
	s := store.Selection{Table: schema.PortTable, Types: []string{"port"}, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Port])
}

// MetroAreas reads inland destinations, from the table ports. See [Reader.Containers].
func (r *Reader) MetroAreas(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.MetroArea, error] {
	s := store.Selection{Table: schema.PortTable, Types: []string{"metro_area"}, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.MetroArea])
}

// Terminals reads ocean terminals and rail ramps with their ports and metro areas. See
// [Reader.Containers].
func (r *Reader) Terminals(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Terminal, error] {
	s := store.Selection{Table: schema.TerminalTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Terminal])
}

// Vessels reads vessels. See [Reader.Containers].
func (r *Reader) Vessels(ctx context.Context, clause string, args ...any) iter.Seq2[*terminal49.Vessel, error] {
	s := store.Selection{Table: schema.VesselTable, Clause: clause, Args: args}
	return typed(ctx, r, s, terminal49.ParseResources[terminal49.Vessel])
}
