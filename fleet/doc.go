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
// The limits may be exceeded in these cases only:
//   - A process is suspended for 90 seconds or longer between Acquire and sending.
//   - The engine loses slots, as Redis may in a failover, and [WithSettling] is not set.
//   - The engine is away, and the processes use their [LocalShare].
//
// A 429 from the service then pauses all processes.
//
// Within a process, calls with a larger share go first, and calls with equal shares go in the order
// of arrival. Between processes, the first to ask the engine gets a free slot.
package fleet
