// Package redisstore keeps in Redis what several processes share: the rate limits of one API key,
// and the notifications that were handled.
package redisstore

import (
	_ "github.com/redis/go-redis/v9"

	_ "github.com/go-freight/terminal49"
)
