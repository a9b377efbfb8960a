package redisstore

import (
	"reflect"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// NewLimiter returns a limiter for the API key token whose slots are in Redis. Each process creates
// one and passes it to its clients with [terminal49.WithLimiter]. With [fleet.WithNamespace], two
// keys of one account share their limits. NewLimiter does no I/O. It returns a
// [*terminal49.ArgumentError] if rdb is nil, and the errors of [fleet.New].
func NewLimiter(rdb redis.UniversalClient, token string, opts ...fleet.Option) (*fleet.Limiter, error) {
	if isNil(rdb) {
		return nil, required("NewLimiter", "rdb")
	}
	return fleet.New(engine{rdb}, token, opts...)
}

// isNil also recognizes a nil client in a variable of its own type.
func isNil(rdb redis.UniversalClient) bool {
	v := reflect.ValueOf(rdb)
	return rdb == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

func required(function, field string) error {
	return &terminal49.ArgumentError{Op: "redisstore." + function, Field: field, Problem: "is required"}
}
