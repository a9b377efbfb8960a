// Package terminal49 is a client for Terminal49's API, which tracks ocean shipments and containers.
// It also computes what a dispatcher needs to know: where a container is, whether it can be picked
// up, until when, and what is owed for it. It is an independent, unofficial client.
//
//	client, err := terminal49.New(os.Getenv("T49_API_TOKEN"))
//	...
//	for shipment, err := range client.Shipments.All(ctx, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(shipment.BillOfLadingNumber, shipment.PODETA)
//	}
//
// # I want to
//
//   - track a number: [TrackingRequestsService.FindOrTrack], then [TrackingRequestsService.Wait];
//     [TrackingRequestsService.TrackAll] for many numbers, [TrackingRequestsService.TrackRows] for
//     the rows of a file, [TrackingRequestsService.WaitAll] to wait for them
//   - walk a list: [ShipmentsService.All], [ContainersService.All] and so on; a part of it with
//     [ContainerFilter] or [ShipmentFilter]
//   - count containers by status, terminal, line or port: [ContainersService.Summary]
//   - list what is due on a day at its place: [ContainersService.AllByPickupLFD]
//   - work on the lists of the dashboard: [DashboardReady], [DashboardAtRisk],
//     [DashboardDischarged]; open a number in it: [DashboardURL]
//   - find a container by its number: [ContainersService.FindByNumber]
//   - know where a container is, and what to do about it now: [Assess]
//   - add up a bill of lading: [SumVerdicts]
//   - sum the owed fees: [SumContainerFees]
//   - list the last free days by source: [LastFreeDays]
//   - list the milestones of a container: [Journey]
//   - learn what changed: [ContainersService.Watch], [ContainersService.WatchAll],
//     [DiffContainers], [DiffShipments] for an ETA that slips
//   - receive webhooks: package [github.com/go-freight/terminal49/webhook];
//     [WebhooksService.Ensure] creates the webhook, [WebhooksService.Recover] handles what was
//     missed in an outage
//   - store values: json.Marshal and json.Unmarshal, see [Resource]; database/sql, see [Time.Value]
//   - share one API key among processes: package [github.com/go-freight/terminal49/fleet]
//   - keep a walk from using the whole rate limit: [WithShare]
//   - see what my key may do: [Client.Me]
//   - upload a document: [DocumentsService.Upload], then [DocumentsService.WaitExtracted]
//   - test my code: package [github.com/go-freight/terminal49/terminal49test], a simulated service
//
// Names use the trade's abbreviations: POL and POD are the ports of lading and discharge, IND is
// the inland destination, LFD the last free day, SCAC a carrier's code and LOCODE a UN/LOCODE.
//
// # Calls
//
// A [Client] has one service per kind of resource. Methods take a context first and options last;
// params may be nil. List returns one page. All and Pages request a page when the loop needs it, or
// several ahead with [WithPrefetch]; ranging over them again starts over.
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
//     [ErrNotFound], [ErrUnauthorized], [ErrRateLimited] or [ErrServer]
//   - [*TransportError]: there was no response, or the context ended
//   - [*DecodeError]: the response was a success but could not be decoded
//   - [ErrPagination]: the page links of a list do not end; All and Pages only
//   - [*FilterIgnoredError]: the service ignored a filter; lists of containers and shipments only
//
// The last line of a method's documentation names the errors that are specific to it.
// [IsOutcomeUnknown] reports whether a failed write may have been carried out.
//
// # Rate limits and retries
//
// The client waits before it would exceed a documented rate limit. A call counts against
// [BucketDefault] unless the last line of its documentation names another bucket. Reads and updates
// are retried, creations only if the service cannot have acted. See [Limits] and [RetryPolicy].
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

// Version is the version of this package, as sent in the User-Agent.
const Version = "0.1.0"
