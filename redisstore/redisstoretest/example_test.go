package redisstoretest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/redisstore/redisstoretest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A service must go on after its Redis has lost everything.
func ExampleStartRedis() {
	test := func(t *testing.T) {
		server := redisstoretest.StartRedis(t)
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
		defer rdb.Close()
		limiter, err := redisstore.NewLimiter(rdb, "my-api-key")
		if err != nil {
			t.Fatal(err)
		}
		_ = limiter // pass it to the service under test
		if _, err := server.Do("FLUSHALL"); err != nil {
			t.Fatal(err)
		}
		// Require that the service still works.
	}
	_ = test
}

func TestRedis_RestartsEmpty(t *testing.T) {
	server := redisstoretest.StartRedis(t)
	if _, err := server.Do("SET", "key", "value"); err != nil {
		t.Fatal(err)
	}
	server.Restart()
	if n, err := server.Do("DBSIZE"); n != "0" || err != nil {
		t.Errorf("got %q keys and %v", n, err)
	}
}
