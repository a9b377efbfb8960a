// Package terminal49 is a client for Terminal49's ocean shipment and container tracking API.
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
// It is an independent, unofficial client.
//
// # Services
//
// A [Client] has a service for each kind of resource: [Client.Shipments], [Client.Containers] and so on. Methods take a
// context first and call options last; params may be nil. List fetches one page, Pages and All walk them all. Dates of
// arrival, holds, fees and deadlines come with a container; [PickupReadiness], [SumFees] and [LastFreeDays] say what they
// mean.
//
// Names use the trade's abbreviations: POL and POD are the ports of lading and discharge, IND the inland destination, LFD
// the last free day, SCAC a carrier's code and LOCODE a place's UN/LOCODE.
//
// # What is not known
//
// The service often does not know, and says so with null. So does this package: an [Opt] has a value or not, a [Time]
// may be zero or without a zone, a relationship tells whether it was absent, null, linked or included. Nothing is
// guessed: an unknown availability is not "no", and a time without a zone is not UTC.
//
// # Errors
//
// An [*APIError] is an answer other than success; errors.Is tells its kind, such as [ErrNotFound]. A [*TransportError]
// is no answer at all. An [*ArgumentError] is a call that was not sent. A [*DecodeError] is a success that could not be
// read. Any method that sends something can return any of these; its Errors line names those to expect.
// [IsOutcomeUnknown] tells whether a write may have happened although it failed.
//
// # Keeping values
//
// Values can be written as JSON for logs, but not read back: zones and relationships are lost on the way. To keep what
// the service sent, ask for it with [WithRawJSON].
//
// # Retries and limits
//
// Reads are repeated after failures, creations only when the service cannot have acted. The documented rate limits are
// kept by waiting before sending. Both end at once when the context does.
//
// # Webhooks
//
// A [WebhookHandler] receives what the service pushes: it verifies the signature of the raw body, parses it into a
// [Notification], and calls you back once for each, however often it is delivered. [WebhooksService.Ensure] sets the
// webhook up and [WebhooksService.Recover] makes up for an outage.
//
// # Testing
//
// Package terminal49test simulates the service in memory, over a socket or within a testing/synctest bubble.
package terminal49

// Version is the version of this package, as sent in the User-Agent.
const Version = "0.1.0"
