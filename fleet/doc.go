// Package fleet shares the rate limits of one API key among processes.
//
// A [Limiter] keeps its slots in an [Engine], such as Redis or Postgres; packages redisstore and
// sqlstore make one. A bucket has as many slots as the service allows requests per minute. Acquire
// takes a slot, which is free again one minute after its release. The service counts a request at
// some moment between the two, so it never counts more than the limit in any minute, on the
// engine's clock alone.
//
// While a request is in flight its slot is renewed every 20 seconds, and each time held for 90. The
// slot of a process that died comes back by itself, not before the service has forgotten its
// request.
//
// The limits do not hold in these cases: a process is stopped for longer than a hold between
// Acquire and sending; the engine lost slots, as Redis may in a failover, and [WithSettling] is not
// set; it is away, and the processes use their [LocalShare]. The service's 429 then pauses all
// processes.
//
// Within a process, calls with a larger share go first, and equal ones go in the order of their
// arrival. Between processes the order is the engine's: the first to ask gets a free slot.
package fleet
