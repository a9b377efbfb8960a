// Package terminal49test simulates the Terminal49 API in memory, so that code which tracks
// containers can be tested without an account and without a network.
//
//	func TestPickup(t *testing.T) {
//		srv := terminal49test.NewServer()
//		defer srv.Close()
//		shipment := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU"})
//		srv.AddContainer(terminal49test.Container{
//			Shipment: shipment, Number: "MSKU7182047",
//			AvailableForPickup: terminal49test.Bool(true),
//		})
//		client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
//		if err != nil {
//			t.Fatal(err)
//		}
//		for container, err := range client.Containers.All(t.Context(), nil) {
//			if err != nil {
//				t.Fatal(err)
//			}
//			if !dispatch(container) { // the code under test
//				t.Errorf("%s is not dispatched", container.Number)
//			}
//		}
//		srv.CheckViolations(t)
//	}
//
// The simulator uses neither the client nor a test library, so it also serves HTTP clients in other
// languages; see the command cmd/t49. Packages fleet/fleettest and webhook/webhooktest test
// limiters and stores that several processes share.
//
// # Operations
//
// The server has these operations. A name is that of the service and of the operation, such as
// shipments.list; [Fault], [Request] and [Violation] use it.
//
//	shipments
//	  list                 GET    /shipments
//	  get                  GET    /shipments/{id}
//	  update               PATCH  /shipments/{id}
//	  stop_tracking        PATCH  /shipments/{id}/stop_tracking
//	  resume_tracking      PATCH  /shipments/{id}/resume_tracking
//	  custom_fields.list   GET    /shipments/{shipment_id}/custom_fields
//	  custom_fields.set    POST   /shipments/{shipment_id}/custom_fields
//	  custom_fields.update PATCH  /shipments/{shipment_id}/custom_fields/{api_slug}
//	  custom_fields.delete DELETE /shipments/{shipment_id}/custom_fields/{api_slug}
//	  party_roles.list     GET    /shipments/{shipment_id}/party_roles
//	  party_roles.add      POST   /shipments/{shipment_id}/party_roles
//	  party_roles.remove   DELETE /shipments/{shipment_id}/party_roles/{id}
//	tracking_requests
//	  create               POST   /tracking_requests
//	  infer                POST   /tracking_requests/infer_number
//	  list                 GET    /tracking_requests
//	  get                  GET    /tracking_requests/{id}
//	  update               PATCH  /tracking_requests/{id}
//	  custom_fields.list   GET    /tracking_requests/{tracking_request_id}/custom_fields
//	  custom_fields.set    POST   /tracking_requests/{tracking_request_id}/custom_fields
//	  custom_fields.update PATCH  /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}
//	  custom_fields.delete DELETE /tracking_requests/{tracking_request_id}/custom_fields/{api_slug}
//	containers
//	  list                 GET    /containers
//	  summary              GET    /containers/summary
//	  update               PATCH  /containers
//	  update               PATCH  /containers/{id}
//	  get                  GET    /containers/{id}
//	  refresh              PATCH  /containers/{id}/refresh
//	  transport_events     GET    /containers/{id}/transport_events
//	  raw_events           GET    /containers/{id}/raw_events
//	  custom_fields.list   GET    /containers/{container_id}/custom_fields
//	  custom_fields.set    POST   /containers/{container_id}/custom_fields
//	  custom_fields.update PATCH  /containers/{container_id}/custom_fields/{api_slug}
//	  custom_fields.delete DELETE /containers/{container_id}/custom_fields/{api_slug}
//	  party_roles.list     GET    /containers/{container_id}/party_roles
//	  party_roles.add      POST   /containers/{container_id}/party_roles
//	  party_roles.remove   DELETE /containers/{container_id}/party_roles/{id}
//	  map_geojson          GET    /containers/{id}/map_geojson
//	shipping_lines
//	  list GET /shipping_lines
//	  get  GET /shipping_lines/{id}
//	custom_field_definitions
//	  list   GET    /custom_field_definitions
//	  create POST   /custom_field_definitions
//	  get    GET    /custom_field_definitions/{id}
//	  update PATCH  /custom_field_definitions/{id}
//	  delete DELETE /custom_field_definitions/{id}
//	custom_field_options
//	  list   GET    /custom_field_definitions/{definition_id}/options
//	  create POST   /custom_field_definitions/{definition_id}/options
//	  get    GET    /custom_field_definitions/{definition_id}/options/{option_id}
//	  update PATCH  /custom_field_definitions/{definition_id}/options/{option_id}
//	  delete DELETE /custom_field_definitions/{definition_id}/options/{option_id}
//	custom_fields
//	  list   GET    /custom_fields
//	  create POST   /custom_fields
//	  get    GET    /custom_fields/{id}
//	  update PATCH  /custom_fields/{id}
//	  delete DELETE /custom_fields/{id}
//	parties
//	  list   GET   /parties
//	  create POST  /parties
//	  get    GET   /parties/{id}
//	  update PATCH /parties/{id}
//	me
//	  get GET /me
//	ports
//	  get GET /ports/{id}
//	metro_areas
//	  get GET /metro_areas/{id}
//	terminals
//	  get GET /terminals/{id}
//	vessels
//	  get_by_imo                        GET /vessels/{imo}
//	  get                               GET /vessels/{id}
//	  future_positions                  GET /vessels/{id}/future_positions
//	  future_positions_with_coordinates GET /vessels/{id}/future_positions_with_coordinates
//	search
//	  query GET /search
//	webhooks
//	  events  GET    /webhooks/events
//	  ips     GET    /webhooks/ips
//	  trigger POST   /webhooks/trigger
//	  list    GET    /webhooks
//	  create  POST   /webhooks
//	  get     GET    /webhooks/{id}
//	  update  PATCH  /webhooks/{id}
//	  delete  DELETE /webhooks/{id}
//	webhook_notifications
//	  examples GET /webhook_notifications/examples
//	  list     GET /webhook_notifications
//	  get      GET /webhook_notifications/{id}
//	documents
//	  direct_upload POST   /rails/active_storage/direct_uploads
//	  list          GET    /documents
//	  create        POST   /documents
//	  types         GET    /documents/types
//	  type          GET    /documents/types/{code}
//	  get           GET    /documents/{id}
//	  update        PATCH  /documents/{id}
//	  delete        DELETE /documents/{id}
//	  download_url  GET    /documents/{id}/download_url
//	  reextract     POST   /documents/{id}/reextract
//	  reclassify    POST   /documents/{id}/reclassify
//	  relink        POST   /documents/{id}/relink
//	  rotate        POST   /documents/{id}/rotate
//	document_schemas
//	  get GET /document_schemas/{id}
//	email_submissions
//	  list GET /email_submissions
//	  get  GET /email_submissions/{id}
//
// Presigned storage URLs are served on another host. For faults and recorded requests their names
// are storage.put and storage.get.
//
// # Strictness
//
// The server records a [Violation] for everything in a request that the service does not document:
// an unknown method or path; a missing Authorization or User-Agent header; an unknown,
// repeated or empty query parameter; an include path that the type does not have; a page size above
// 100; a wrong Content-Type or envelope, an unknown attribute or a value of the wrong kind; headers
// or bytes of an upload that differ from what was announced. The request is still handled as well
// as possible: a webhook without active is created active, and the includes shipment and container
// of tracking requests, which the service's own client has, change nothing.
// [Server.CheckViolations] reports each violation as an error of a test. [WithIgnored] makes the
// service silently ignore a documented parameter, which is not a violation.
//
// Rate limits apply as documented, in a rolling window of 60 seconds for each bucket; see
// [WithRateLimits] and [WithoutRateLimits].
//
// # Time
//
// Two clocks matter. The process clock is that of package time; rate limits, delays of faults and
// presigned URLs use it. The simulated clock, [Server.Now], starts at [WithStart], runs [WithSpeed]
// times as fast as the process clock, and is moved ahead by [Server.Advance]. [Server.SetSpeed]
// changes the speed or stops the clock. Tracking, journeys, documents and webhook deliveries use
// it.
//
// Nothing runs in the background, except deliveries on a running clock: each request and each call
// of a method first runs, in order, what is due by the simulated clock.
//
// Inside a testing/synctest bubble, create the server in the bubble with [WithoutSocket] and use
// [Server.HTTPClient]; the process clock is then the bubble's.
//
// # Faults
//
// [Server.AddFault] makes matching requests fail: with an error status in any [ErrorShape], a
// refused, reset or stalled connection, a truncated, huge or malformed body, a redirect, and the
// other kinds of [FaultKind]. Operation, Skip and Times select the requests; Acted decides whether
// the service executes the request first.
//
//	srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Status: 503, Times: 2})
//
// # Data
//
// [Server.AddShipment], [Server.AddContainer] and the other Add methods add resources; the Update
// methods change them, and methods such as [Server.Shipment] return copies. [Server.SeedDemo] adds
// a small example, and [Server.SeedTraffic] hundreds of shipments that keep moving. Requests
// through the API change the same data. Reference data (shipping lines, ports, terminals and
// vessels) is present unless [WithoutReferenceData] is set.
//
// [Server.RemoveContainer] and [Server.MergeShipments] do what the service's staff can do.
//
// [Server.Reset] begins again.
//
// [WithSyntheticContainers] adds up to a million containers that take no memory, with shipments,
// tracking requests and transport events, and [Server.TouchContainers] changes some of them.
//
// [WithReplicaLag] answers a share of the reads with the world as it was a little earlier.
//
// A test of code that copies the service compares the copy with [Server.Snapshot], all resources as
// they are now, and with [Server.History], all states since the start; see [WithHistory] and, for
// long runs, [WithHistoryFunc].
//
// The fields of the resources have the names of package terminal49, which documents their
// attributes. An empty string and a zero time are sent as null. A nil slice is sent as null or as
// [], as the service does. A resource refers to others by id or by the code in common use: the SCAC
// of a shipping line, the UN/LOCODE of a port or metro area, the nickname of a terminal, the IMO
// number of a vessel. Time zones follow from the places: the zone of a port, or of an event's
// location, is that of its terminal if only the terminal is set, and null if neither is.
//
// Attributes, a field of every resource, of a [Hold] and of [Deadlines], overrides what is sent: an
// existing name is replaced (nil is null), a new one is added. It can hold what the fields cannot,
// such as release_statuses or a value of the wrong kind. [SetAttribute] does it in a journey.
//
// # Tracking and journeys
//
// A tracking request is pending for 5 seconds ([WithTrackingDelay]) and then becomes created,
// awaiting_manifest or failed, by the [Journey] that [Server.Script] sets for its number. Numbers
// without a script follow [DefaultJourney]; a malformed number fails. The carrier TEST has the
// numbers TEST-TR-SUCCEEDED and TEST-TR-FAILED, like the live service. The steps of a journey are
// [Action] values, such as [VesselLoaded], [HoldPlaced] or [PickupLFD]; they change the container
// and add transport events. Journeys, resources and faults can be read from JSON, with the
// service's names and durations such as "2.5d"; see the Example of [Journey.UnmarshalJSON].
//
// # Documents and webhooks
//
// Uploaded documents are classified after 10 seconds, and 20 seconds later extracted and linked to
// the shipments and containers they mention; [Server.ScriptDocument] changes that.
//
// Events create notifications for the webhooks that subscribe to them. Deliveries need
// [WithWebhookHandler] or [WithWebhookTransport]. They are made one at a time, by Advance or as the
// clock runs. An attempt that is not answered with status 200, 201, 202 or 204 within ten seconds
// is retried up to 12 times, first after 15 seconds and then after doubling waits of up to 4 hours.
// Five failed notifications in a row deactivate a webhook. [WebhookNoise] adds duplicates, delays
// and, like [WithLostWebhooks], notifications that are never delivered. The body of a delivery is
// written when its event happens, so a late one carries old data, unless
// [WithWebhookBodiesAtDelivery] is set.
//
// Party roles, GET /me, GET /containers/summary and some parameters are only in the service's
// documents of September and October 2026; [WithoutAutumn2026] simulates a service without them.
//
// The service has had two names of each document event; a webhook receives those it subscribes to.
// It does not document the form of link.created: here the event refers to the document, once it is
// linked.
package terminal49test
