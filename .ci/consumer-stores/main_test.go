package main

import (
	"testing"

	"github.com/go-freight/terminal49/redisstore/redisstoretest"
	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
)

// Only compiled: the engines may be missing.
func TestEngines(t *testing.T) {
	server := sqlstoretest.StartPostgres(t)
	t.Log(redisstoretest.StartRedis(t).Addr(), server.NewDatabase(t), server.StartPgBouncer(t).Through(server.DSN()))
}
