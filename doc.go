// Package terminal49 is a client for Terminal49's API, which tracks ocean shipments and containers.
// It also computes what a dispatcher needs to know: where a container is, whether it can be picked
// up, until when, and what is owed for it. It is an independent, unofficial client.
//
//	client, err := terminal49.NewFromEnv() // T49_API_TOKEN
//	...
//	for shipment, err := range client.Shipments.All(ctx, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(shipment.BillOfLadingNumber, shipment.PODETA)
//	}
//
// The sections below list the tasks by what you would search for. Methods of a service are called
// on the client: [ShipmentsService.All] is client.Shipments.All.
//
// # Track numbers
//
//   - track a bill of lading, booking or container number, also if the carrier is unknown:
//     [TrackingRequestsService.Track]; until it is settled: [TrackingRequestsService.Wait]
//   - many numbers in bulk, or the rows of a CSV: [TrackingRequestsService.TrackAll] with
//     [NumbersToTrack]; then [TrackingRequestsService.WaitAll]
//   - only infer the carrier and the type of a number: [TrackingRequestsService.Infer]
//   - check a container number: [ParseContainerNumber]
//   - stop and resume tracking: [ShipmentsService.StopTracking], [ShipmentsService.ResumeTracking]
//   - steamship lines (SSL) and their SCACs: [ShippingLinesService.List]; by name:
//     [SearchShippingLines], [BestShippingLine]; the line of a shipment: its ShippingLineSCAC
//
// # Find and list
//
//   - list shipments or containers: [ShipmentsService.All], [ContainersService.All]; with
//     pagination of your own: [ShipmentsService.List], [PageParams]
//   - filter and sort: [ShipmentFilter], [ContainerFilter], [ContainerSort]
//   - find a container by its number: [ContainersService.FindByNumber]; the numbers of a sheet:
//     [ContainersService.FindByNumbers]; any number, or a part of one: [SearchService.Query]
//   - include related resources: Include of [ContainerListParams] and the like, then [ToOne.Value]
//   - count containers by status, terminal, line or port: [ContainersService.Summary]
//   - the lists of the dashboard: [DashboardReady], [DashboardAtRisk], [DashboardDischarged]; a
//     link into it: [DashboardURL]
//
// # Decide
//
//   - where a container is, whether it is ready for pickup, and what to do now: [Assess] returns a
//     [Verdict]; [SumVerdicts] adds up a bill of lading
//   - only what the terminal says, availability and holds: [PickupReadiness], ActiveHolds of
//     [Readiness]; who clears a hold: [HoldName.ClearedBy]
//   - the last free day (LFD): [Verdict].LastFreeDay, by source [LastFreeDays]; what is due on a
//     day: [ContainersService.AllByPickupLFD]; in a week, or at a terminal: PickupLFD and
//     PODTerminalID of [ContainerFilter]
//   - the fees and charges that are owed, such as demurrage: [SumContainerFees], [FeeSummary.Owed]
//   - milestones, ETA and history of a container: [Journey]
//   - the route of a container on a map: [ContainersService.Map]; where a vessel has been and
//     will be: [VesselsService.Get], [VesselsService.FuturePositions]
//
// # React to changes
//
//   - receive webhooks and verify their signature: Handler and Verify of package
//     [github.com/go-freight/terminal49/webhook]
//   - create the webhook: [WebhooksService.Ensure]; after an outage: Recover of package webhook
//   - watch or poll without webhooks: [ContainersService.Watch], [ContainersService.WatchAll]
//   - what a container.updated webhook changed: Changeset of its payload in package webhook, a
//     [Changeset]; what changed between two readings: [DiffContainers]; an ETA that slipped, a
//     shipment that was rolled to another vessel: [DiffShipments]
//   - what a stay costs by a tariff of yours, and whether an invoice is right: package
//     [github.com/go-freight/terminal49/demurrage]
//
// # Documents and your own data
//
//   - upload a document and read what was extracted: [DocumentsService.Upload],
//     [DocumentsService.WaitExtracted], [Extraction.Decode]; validate it: package
//     [github.com/go-freight/terminal49/documentschema]
//   - custom fields: [ShipmentsService.SetCustomField], [ContainersService.SetCustomField],
//     [CustomFieldDefinitionsService.Create]
//   - reference numbers and tags: [ShipmentsService.Update]; customers and other parties:
//     [PartiesService.All], [ShipmentsService.AddPartyRole]
//   - store values as JSON or in SQL: [Resource], [Time.Value]; attributes that
//     this package does not know, as raw JSON: [WithRawJSON], [Resource.Raw]
//   - a copy of the account in your database: module [github.com/go-freight/terminal49/mirror]
//
// # Operate and test
//
//   - retries, timeouts, rate limits: [WithRetryPolicy], [WithRateLimits]; for a walk in the
//     background: [WithRateLimitShare]; for processes with one API key: [WithLimiter] with one of
//     the modules [github.com/go-freight/terminal49/redisstore],
//     [github.com/go-freight/terminal49/sqlstore]
//   - errors, such as not found (404) or rate limit (429): see Errors below
//   - logs, metrics, traces: [WithLogger], [WithHooks], [WithMiddleware]; with
//     OpenTelemetry: module [github.com/go-freight/terminal49/otelterminal49]
//   - what an API key may do: [Client.Me]; any operation by its path: [Client.Do], [Operations]
//   - test without an account or a mock: package
//     [github.com/go-freight/terminal49/terminal49test], a simulator of the service
//
// # Names
//
// Names use the trade's abbreviations: POL and POD are the ports of lading and discharge, IND is
// the inland destination, LFD the last free day, SCAC a carrier's code and LOCODE a UN/LOCODE.
//
// # Calls
//
// A [Client] has one service per kind of resource. Methods take a context first and options last;
// params may be nil. List returns one page. All and Pages request a page when the loop needs it, or
// several ahead with [WithPrefetch]; ranging over them again starts over. [Collect] makes a slice
// of either. A list may change while it is read, which is no error: Response.ListChanged of
// [WithResponse] reports it, and items may then be missing.
//
// # Filters
//
// [ContainerFilter] and [ShipmentFilter] select on the service, and Sort orders. They come from
// documents later than its published OpenAPI file. A service ignores filters that it does not have
// and responds with everything, so each page is compared with the filters: an item that one
// excludes is a [*FilterIgnoredError]. What an item does not show is not compared, such as the port
// of a container whose shipment is not included. [WithoutFilterCheck] turns this off.
//
// # Errors
//
// Every method that sends a request can return these, for errors.As and errors.Is:
//
//   - [*ArgumentError]: an argument is invalid; nothing was sent
//   - [*APIError]: the service responded with an error; errors.Is matches its kind, such as
//     [ErrNotFound], [ErrUnauthorized], [ErrRateLimited] or [ErrServer];
//     RetryAfter is how long the service asked to wait
//   - [*TransportError]: there was no response, or the context ended
//   - [*DecodeError]: the response was a success but could not be decoded
//   - [ErrPagination]: a list cannot be read to its end by its links; All and Pages only
//   - [*FilterIgnoredError]: the service ignored a filter; lists of containers and shipments only
//
// The last line of a method's documentation names the errors that are specific to it.
// [IsOutcomeUnknown] reports whether a failed write may have been carried out.
//
// # Rate limits and retries
//
// The client waits before it would exceed a documented rate limit. A call counts against
// [BucketDefault] unless the last line of its documentation names another bucket. Reads and updates
// are retried, creations only if the service cannot have acted. See [RateLimits] and [RetryPolicy].
//
// # Unknown values, times and enumerations
//
// The service reports null for what it does not know, and nothing is guessed: an [Opt] holds a
// value or none, and a [ToOne] reports whether its resource was absent, null, linked or included.
//
// A [Time] is an instant with the IANA zone of its place, and prints as local time at that place.
// The zero Time means that no time was reported. If the service does not know the zone,
// [Time.Instant] returns false; UTC is never assumed.
//
// Enumerations are open: a value that this version has no constant for is kept as sent, and its
// Known method returns false. The JSON of a [Resource] is the service's own and can be read back.
// The JSON of computed results, such as a [Verdict], is for logs and web pages only.
//
// # Concurrency
//
// A [Client] and its services are safe for concurrent use. Share one client: the rate limits are
// counted per client. Values that a call returns belong to the caller.
package terminal49

//go:generate go run ./internal/generate

// Version is the version of this package, as sent in the User-Agent.
const Version = "0.1.0"
