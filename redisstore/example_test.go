package redisstore_test

import (
	"context"
	"log"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/webhook"
)

func ExampleNewLimiter() {
	rdb := redis.NewClient(&redis.Options{Addr: "redis:6379"})
	limiter, err := redisstore.NewLimiter(rdb, "token", fleet.WithEvents(func(e fleet.Event) {
		log.Println("rate limits:", e.Kind, e.Bucket, e.Err)
	}))
	if err != nil {
		log.Fatal(err)
	}
	client, err := terminal49.New("token", terminal49.WithLimiter(limiter))
	if err != nil {
		log.Fatal(err)
	}
	shipment, err := client.Shipments.Get(context.Background(), "6a1c2f3e-0000-4000-8000-000000000000", nil)
	log.Println(shipment, err)
}

func ExampleNewDedupe() {
	rdb := redis.NewClient(&redis.Options{Addr: "redis:6379"})
	dedupe, err := redisstore.NewDedupe(rdb, "orders")
	if err != nil {
		log.Fatal(err)
	}
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.WithDedupe(dedupe, webhook.DefaultDedupeRetention),
		webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
			log.Println(n.ID, n.Event)
			return nil
		}),
	)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(":8080", handler))
}

// shared returns a client and a receiver that share what they must with other processes.
func shared(token string, secret terminal49.Secret, onUpdate webhook.Option) (*terminal49.Client, *webhook.Handler, error) {
	rdb := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	limiter, err := redisstore.NewLimiter(rdb, token)
	if err != nil {
		return nil, nil, err
	}
	client, err := terminal49.New(token, terminal49.WithLimiter(limiter))
	if err != nil {
		return nil, nil, err
	}
	store, err := redisstore.NewDedupe(rdb, "orders") // the namespace: all replicas of a receiver use the same
	if err != nil {
		return nil, nil, err
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(secret), webhook.WithDedupe(store, 7*24*time.Hour), onUpdate)
	return client, handler, err
}

var _ = shared // part of docs/fleet.md
