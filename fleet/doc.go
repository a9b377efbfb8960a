// Package fleet shares the rate limits of one API key among several processes.
//
// A [Limiter] keeps its slots in an [Engine], such as Redis or Postgres. Packages redisstore and
// sqlstore return limiters; [New] makes one for an engine of your own.
//
// A bucket has as many slots as the service allows requests per minute. Acquire takes a slot, which
// is free again one minute after its release. The service counts a request at some moment between
// the two, so it never counts more than the limit in any minute. Only the engine's clock matters.
//
// While a request is in flight, its slot is renewed every 20 seconds, each time for 90 seconds. If
// a process dies, its slots become free by themselves, after the service has stopped counting their
// requests.
//
// Requests that find no free slot get a place in line in the engine. Calls with a larger share are
// served first, and calls with equal shares in the order of arrival, over all processes. A slot is
// granted up to one second before it is free, so the distance to the engine does not matter.
//
// While the engine is away, requests wait. The limits may be exceeded in these cases only:
//   - A process is suspended for 90 seconds or longer between Acquire and sending, or a request
//     takes longer than that while the engine is away.
//   - The engine loses slots, as Redis may in a failover, and [WithSettling] is not set. One minute
//     may then have up to twice the limit. A second loss within 90 seconds closes the bucket for 90
//     seconds.
//
// A 429 from the service then pauses all processes.
package fleet
