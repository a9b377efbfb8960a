// Package terminal49test simulates the Terminal49 API in memory, so that code which tracks ocean containers can be
// tested without an account and without a network.
//
// [NewServer] starts a service like httptest.NewServer does. It keeps state: what a test adds ([Server.AddShipment],
// [Server.AddContainer], ...) or has tracked through the API is listed, included, filtered and paged the way the real
// service does it, with the same quirks. A tracking request runs its course on the world's clock, and so does the
// [Journey] it leads to: loading, sailing, discharge, holds, fees, availability, pickup, empty return. Nothing runs in
// the background; the world catches up with its clock whenever somebody looks. [Server.Advance] moves that clock,
// [WithSpeed] makes it run faster.
//
// The server is strict: what a client sends and the service does not document is kept as a [Violation]. It can also
// misbehave: a [Fault] breaks chosen requests in the ways networks and services break.
//
// Operations are named service.verb: shipments.list, get, update, stop_tracking, resume_tracking;
// tracking_requests.create, list, get, update, infer; containers.list, get, update, refresh, transport_events,
// raw_events; shipping_lines.list, get. Faults and recorded requests go by these names.
//
// Inside a testing/synctest bubble use [WithoutSocket] and [Server.HTTPClient], create the server in the bubble, and
// time is the bubble's.
//
// The package is independent of the client it serves and of any test library.
package terminal49test
