// Package otelterminal49 reports calls of a client, waits for rate limits and deliveries of
// webhooks to OpenTelemetry:
//
//	telemetry, err := otelterminal49.New(nil, nil) // the global providers
//	...
//	client, err := terminal49.New(token, terminal49.WithHooks(telemetry.Hooks()),
//		terminal49.WithLimiter(telemetry.Limiter(limiter)))
//	...
//	handler, err := webhook.NewHandler(webhook.WithSecrets(secret),
//		webhook.OnDelivery(telemetry.Delivery))
//
// # Spans
//
// A call is a span such as "terminal49.shipments.list". Each of its requests is a span of kind
// client in it, such as "GET /shipments". A span that failed has the status Error and error.type.
//
// # Metrics
//
// Durations are histograms in seconds; retries and warnings are counters.
//
//	http.client.request.duration          each request; its count is the number of requests
//	terminal49.call.duration              each call, with its retries and waits
//	terminal49.call.retries               requests that are repeated, by the status before
//	terminal49.decode.warnings            values that could not be decoded, by type and field
//	terminal49.limiter.wait.duration      each wait for a rate limit, also of no time, by bucket
//	terminal49.webhook.delivery.duration  each delivery, by event and outcome
//
// [Telemetry.RegisterFleet] adds what a limiter counts that several processes share, by bucket. The
// first three are gauges of all processes, the others counters of this one:
//
//	terminal49.fleet.limit       requests that all processes may send in a minute
//	terminal49.fleet.usage       how many of them are used up
//	terminal49.fleet.pause       seconds until the service accepts requests again; 0 for no pause
//	terminal49.fleet.granted     requests that received a slot
//	terminal49.fleet.waited      those that waited longer than one second
//	terminal49.fleet.near_limit  those that were granted while at least 90 % was in use
//	terminal49.fleet.denied      requests that received none
//
// # Attributes
//
// Attributes are names and numbers: operations, route templates, buckets, statuses, types of
// errors. They contain no token, no address, no query, no id and no text of the service, and have
// few values. They follow the semantic conventions for HTTP, without server.address and
// server.port, which would be addresses. otelhttp.NewTransport reports the same requests with their
// addresses: do not use both.
package otelterminal49
