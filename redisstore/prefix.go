package redisstore

import "github.com/redis/go-redis/v9"

// prefixed is a client with a prefix for the keys of this package.
type prefixed struct {
	redis.UniversalClient
	prefix string
}

// WithKeyPrefix returns rdb for [NewLimiter] and [NewDedupe], which then put prefix before all
// their keys: "orders:" makes "orders:t49:...". Processes share limits and notifications only if
// they use the same prefix. Commands that are sent through the returned client directly are not
// changed.
func WithKeyPrefix(rdb redis.UniversalClient, prefix string) redis.UniversalClient {
	if isNil(rdb) {
		return nil
	}
	return prefixed{rdb, keyPrefix(rdb) + prefix}
}

// keyPrefix returns the prefix of a client from [WithKeyPrefix], or "".
func keyPrefix(rdb redis.UniversalClient) string {
	p, _ := rdb.(prefixed)
	return p.prefix
}
