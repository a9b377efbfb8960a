package redisstore

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// The source of the expected values in this file is the documentation of fleet.Engine.

func TestEngine_Suite(t *testing.T) {
	server := engines.StartRedis(t)
	fleettest.TestEngine(t, func(t *testing.T) fleet.Engine { return engine{connect(t, server)} })
}

func TestEngine_BucketsAreKeptForAMonth(t *testing.T) {
	server := engines.StartRedis(t)
	p := newProcess(t, connect(t, server))
	p.take("a")
	if ttl, err := server.Do("PTTL", p.engine.key(p.Bucket)); err != nil || len(ttl) != len("2592000000") {
		t.Errorf("a bucket is kept for %s ms, %v; want 30 days", ttl, err)
	}
}

// WithKeyPrefix documents the key.
func TestEngine_KeyPrefix(t *testing.T) {
	server := engines.StartRedis(t)
	newProcess(t, WithKeyPrefix(connect(t, server), "orders:")).take("a")
	if n, err := server.Do("EXISTS", "orders:t49:slots:test:default"); err != nil || n != "1" {
		t.Errorf("got %s keys, %v", n, err)
	}
}

// fleet.ErrNotSetUp documents that another format is such an error.
func TestEngine_RefusesAnotherFormat(t *testing.T) {
	server := engines.StartRedis(t)
	p := newProcess(t, connect(t, server))
	key := p.engine.key(p.Bucket)
	for change, want := range map[string]string{
		"HSET KEY format 2": "format 2", "HSET KEY slot:b soon": "format 0", "HSET KEY slot:b 1": "format 0",
		"HSET KEY paused 1e9": "format 0", "HDEL KEY line": "format 0", "SET KEY x": "WRONGTYPE",
	} {
		if _, err := server.Do("DEL", key); err != nil {
			t.Fatal(err)
		}
		p.take("a")
		if _, err := server.Do(strings.Fields(strings.Replace(change, "KEY", key, 1))...); err != nil {
			t.Fatal(err)
		}
		_, err := p.engine.Serve(t.Context(), p.Call)
		if !errors.Is(err, fleet.ErrNotSetUp) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "t49") {
			t.Errorf("%s: got %v", change, err)
		}
	}
}

func TestEngine_BucketsAreApart(t *testing.T) {
	server := engines.StartRedis(t)
	p := newProcess(t, connect(t, server))
	for _, b := range []fleet.Bucket{{Namespace: "a", Name: "b:c"}, {Namespace: "a:b", Name: "c"}, {Namespace: "a", Name: "b"}, {Namespace: "{a}", Name: "b"}} {
		p.Bucket = b
		p.takeAll("a", limit)
		p.denied(hold)
	}
	if keys, err := server.Do("DBSIZE"); err != nil || keys != "4" {
		t.Errorf("%s keys, %v; want one for each of 4 buckets", keys, err)
	}
}

// A node of a Redis Cluster refuses a script that uses a key of another hash slot than that of its
// declared keys.
func TestEngine_Cluster(t *testing.T) {
	server := engines.StartRedis(t, "--cluster-enabled", "yes")
	if _, err := server.Do("CLUSTER", "ADDSLOTSRANGE", "0", "16383"); err != nil {
		t.Fatal(err)
	}
	until(t, "cluster", func() bool {
		info, _ := server.Do("CLUSTER", "INFO")
		return strings.Contains(info, "cluster_state:ok")
	})
	withRights(t, server, rights)
	as := func() *redis.ClusterClient {
		rdb := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr()}, Username: "t49", Password: "pass-word"})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	l, err := NewLimiter(as(), "key")
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Acquire(t.Context(), terminal49.BucketDefault)
	if !errors.Is(err, fleet.ErrNotSetUp) || !strings.Contains(err.Error(), "this user has no permissions to run the 'cluster|slots' command") {
		t.Errorf("without the right to ask for the nodes: got %v", err)
	}
	withRights(t, server, rights+" +cluster|slots")
	rdb := as()
	p := newProcess(t, rdb)
	p.takeAll("a", limit)
	p.denied(hold)
	p.keep(fleet.Slot{Owner: "a0", For: 0}, fleet.Slot{Owner: "lost", For: time.Minute})
	p.pause(2 * time.Hour)
	p.denied(2*time.Hour + hold)
	testDedupe(t, rdb)
}

func TestEngine_EndsWithItsContext(t *testing.T) {
	silent := func(context.Context, string, string) (net.Conn, error) { // accepts connections and never replies
		conn, server := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, server) }() // ends when the client closes conn
		return conn, nil
	}
	rdb := redis.NewClient(&redis.Options{Dialer: silent, Password: "pass-word", ReadTimeout: time.Hour, MaxRetries: -1})
	p := newProcess(t, rdb)
	d, err := NewDedupe(rdb, "test")
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(context.Context) error{
		"Serve":    func(ctx context.Context) error { _, err := p.engine.Serve(ctx, p.Call); return err },
		"Claim":    func(ctx context.Context) error { _, err := d.Claim(ctx, "id", "owner", time.Second); return err },
		"Complete": func(ctx context.Context) error { return d.Complete(ctx, "id", "owner", time.Second) },
		"Release":  func(ctx context.Context) error { return d.Release(ctx, "id", "owner") },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if err := call(ctx); !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "pass-word") {
			t.Errorf("%s returned %v", name, err)
		}
		cancel()
	}
	_ = rdb.Close()
}

func TestNewLimiter_Arguments(t *testing.T) {
	rdb := redis.NewClient(&redis.Options{})
	defer rdb.Close()
	for field, make := range map[string]func() (any, error){
		"rdb":       func() (any, error) { return NewLimiter(nil, "token") },
		"token":     func() (any, error) { return NewLimiter(rdb, "") },
		"namespace": func() (any, error) { return NewDedupe(rdb, "") },
	} {
		var argument *terminal49.ArgumentError
		if _, err := make(); !errors.As(err, &argument) || argument.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	if _, err := NewLimiter((*redis.Client)(nil), "token"); err == nil {
		t.Error("a nil *redis.Client is accepted")
	}
	if _, err := NewDedupe((*redis.Ring)(nil), "test"); err == nil {
		t.Error("a nil *redis.Ring is accepted")
	}
	if _, err := NewDedupe(nil, "test"); err == nil {
		t.Error("NewDedupe(nil) is accepted")
	}
	if _, err := NewLimiter(rdb, "token", fleet.WithNamespace("test")); err != nil {
		t.Error(err)
	}
}

// rights are those that the documentation of the package lists.
const rights = "resetkeys -@all ~t49:* +eval +evalsha +hgetall +hset +hdel +pexpire +time +get +set +del"

// withRights makes a user with these rights.
func withRights(t *testing.T, server *engines.Redis, rights string) {
	t.Helper()
	if _, err := server.Do(append([]string{"ACL", "SETUSER", "t49", "reset", "on", ">pass-word"}, strings.Fields(rights)...)...); err != nil {
		t.Fatal(err)
	}
}

// One user has the rights that the documentation of the package lists, others lack one of them or
// use a wrong password.
func TestEngine_AccessControlList(t *testing.T) {
	server := engines.StartRedis(t)
	withRights(t, server, rights)
	as := func(password string) redis.UniversalClient {
		rdb := redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "t49", Password: password})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	p := newProcess(t, as("pass-word"))
	p.takeAll("a", limit)
	p.keep(fleet.Slot{Owner: "a0", For: 0}, fleet.Slot{Owner: "lost", For: hold})
	p.pause(time.Minute)
	testDedupe(t, as("pass-word"))
	_, err := newProcess(t, as("wrong-word")).engine.Serve(t.Context(), p.Call)
	if !errors.Is(err, fleet.ErrNotSetUp) || strings.Contains(err.Error(), "wrong-word") {
		t.Errorf("with a wrong password: got %v", err)
	}
	for _, less := range []string{"-eval -evalsha", "-hgetall", "-hset", "-time", "resetkeys ~other:*"} {
		withRights(t, server, rights+" "+less)
		if _, err := p.engine.Serve(t.Context(), p.Call); !errors.Is(err, fleet.ErrNotSetUp) {
			t.Errorf("%s: got %v", less, err)
		}
	}
}
