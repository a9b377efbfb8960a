// Package redisstore keeps in Redis what several processes share: the rate limits of one API key,
// and the notifications that were handled. It needs Redis 6.2 or later, or Valkey; a Cluster works.
//
//	rdb := redis.NewClient(&redis.Options{Addr: "redis:6379"})
//	limiter, err := redisstore.NewLimiter(rdb, token)
//	...
//	client, err := terminal49.New(token, terminal49.WithLimiter(limiter))
//	...
//	dedupe, err := redisstore.NewDedupe(rdb, "orders")
//	...
//	handler, err := webhook.NewHandler(webhook.WithSecrets(secret),
//		webhook.WithDedupe(dedupe, webhook.DefaultDedupeRetention), webhook.OnContainerUpdated(updated))
//
// # Guarantees
//
// While Redis loses no writes, no window has more requests than the limit, whatever the clocks of
// the processes show and whenever processes are killed. The slots of a killed process become free
// by themselves. Only one receiver at a time handles a notification: it renews its claim while its
// callback runs.
//
// Redis can lose writes: replication is asynchronous, so a failover may lose the latest, and a
// restart without a disk loses all. A limiter notices this at its next request and writes back the
// slots of its own process. Slots of other processes may be missing until those send requests as
// well: one window may have up to twice the limit, also after several losses, and later ones never
// exceed it. [fleet.WithSettling] waits instead. A notification that Redis lost may be handled
// again, but is never missed. The clock of Redis may be wrong and may go backwards. If it jumps
// forwards, slots are free too early by as much.
//
// # Configuration
//
// Use the eviction policy noeviction. A full server then refuses writes: requests wait,
// and deliveries are answered 500 and delivered again later. Every key expires by itself,
// so any other policy may evict keys, which is a loss as above; volatile-ttl evicts the claims of
// notifications in progress first. Persistence is optional.
//
// A bucket takes about 5 KB at 100 requests a minute and expires after 30 days without use. A
// handled notification takes about 250 bytes: 20,000 a day for 7 days take 35 MB. Keys begin with
// "t49:", after the prefix of [WithKeyPrefix]. If access control lists are used, the user needs
//
//	~t49:* +eval +evalsha +hgetall +hset +hdel +pexpire +time +get +set +del
//
// and in a Cluster +cluster|slots as well, with which go-redis asks for the nodes.
//
// go-redis writes problems with connections to standard error by itself, with the address of the
// server. logging.Disable of its package logging ends that, and redis.SetLogger replaces it.
package redisstore
