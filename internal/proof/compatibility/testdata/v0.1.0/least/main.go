// Least is a program of v0.1.0 that creates everything with the least that v0.1.0 required, and
// with each option once. A new required argument, field or option makes it fail.
package main

import (
	"context"
	"database/sql"
	"io"
	"log"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/mcpserver"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/redisstore"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
	"github.com/go-freight/terminal49/webhook"
)

func main() {
	log.SetFlags(0)
	service := terminal49test.NewServer()
	defer service.Close()
	demo := service.SeedDemo()
	folder, err := os.MkdirTemp("", "least")
	check("a folder", err)
	defer os.RemoveAll(folder)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "least.db"))
	check("a database", err)
	defer db.Close()
	ctx := context.Background()
	client := clients(ctx, service, demo)
	stores(ctx, db)
	mirrors(ctx, client, db)
	webhooks(client)
	_, err = demurrage.ParseTariff([]byte(`{"currency": "USD", "charges": [{"kind": "demurrage", "starts": ["discharge"], "stops": "full_out",
		"free_days": 4, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": 75}]}]}`))
	check("demurrage.ParseTariff", err)
	simulator := control.New(control.Options{})
	defer simulator.Close()
	_, err = control.Run(simulator.Default(), strings.NewReader(`{"advance": "1h"}`))
	check("control.Run", err)
	check("documentschema.Validate", documentschema.Validate(&terminal49.DocumentSchema{SchemaPayload: []byte(`{}`)}, []byte(`{}`)))
}

func check(what string, err error) {
	if err != nil {
		log.Fatalf("%s: %v", what, err)
	}
}

// clients creates a client with the least, with each option, and calls with zero parameters.
func clients(ctx context.Context, service *terminal49test.Server, demo terminal49test.Demo) *terminal49.Client {
	_, err := terminal49.New("an-api-key")
	check("terminal49.New", err)
	limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
	check("terminal49.NewLimiter", err)
	check("setting T49_API_TOKEN", os.Setenv("T49_API_TOKEN", "an-api-key"))
	_, err = terminal49.NewFromEnv()
	check("terminal49.NewFromEnv", err)
	_, _ = terminal49.NewTime(time.Now(), "America/Los_Angeles"), terminal49.NewWallTime(time.Now())
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	check("terminal49.New", err)
	for name, option := range map[string]terminal49.Option{
		"WithAccountID":      terminal49.WithAccountID("0d2f1c5e-0000-4000-8000-000000000000"),
		"WithAttemptTimeout": terminal49.WithAttemptTimeout(time.Second),

		"WithHTTPClient":        terminal49.WithHTTPClient(http.DefaultClient),
		"WithHooks":             terminal49.WithHooks(terminal49.Hooks{}),
		"WithLimiter":           terminal49.WithLimiter(limiter),
		"WithMiddleware":        terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper { return next }),
		"WithRateLimits":        terminal49.WithRateLimits(terminal49.RateLimits{Default: 1000, PerSecond: 1.0 / 3600, Burst: 1}),
		"WithLogger":            terminal49.WithLogger(slog.Default()),
		"WithMaxAttempts":       terminal49.WithMaxAttempts(1),
		"WithMaxResponseBytes":  terminal49.WithMaxResponseBytes(1 << 20),
		"WithPlainHTTP":         terminal49.WithPlainHTTP(),
		"WithPrefetch":          terminal49.WithPrefetch(1),
		"WithRawJSON":           terminal49.WithRawJSON(),
		"WithRetryPolicy":       terminal49.WithRetryPolicy(terminal49.RetryPolicy{}),
		"WithRateLimitShare":    terminal49.WithRateLimitShare(0.5),
		"WithStorageHTTPClient": terminal49.WithStorageHTTPClient(http.DefaultClient),
		"WithStrictDecoding":    terminal49.WithStrictDecoding(),
		"WithUnstable":          terminal49.WithUnstable(terminal49.UnstableNoRivalCheck),
		"WithUserAgent":         terminal49.WithUserAgent("least/1.0"),
		"WithoutFilterCheck":    terminal49.WithoutFilterCheck(),
		"WithoutRateLimits":     terminal49.WithoutRateLimits(),
	} {
		_, err := terminal49.New("an-api-key", option)
		check("terminal49."+name, err)
	}
	shipment, err := client.Shipments.Get(ctx, demo.Shipments[0], nil)
	check("Shipments.Get", err)
	var response terminal49.Response
	container, err := client.Containers.Get(ctx, shipment.Containers.IDs()[0], nil, terminal49.WithResponse(&response))
	check("Containers.Get", err)
	_, err = client.Containers.Update(ctx, container.ID, terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"a"})})
	check("Containers.Update", err)
	_ = terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{}).String()
	_, err = client.Containers.List(ctx, nil)
	check("Containers.List", err)
	_, err = client.Containers.List(ctx, &terminal49.ContainerListParams{})
	check("Containers.List", err)
	_, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Ann & Sons"})
	check("Parties.Create", err)
	_, err = client.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU221876618", SCAC: "MAEU",
	})
	check("TrackingRequests.Create", err)
	_, err = client.Webhooks.Create(ctx, terminal49.WebhookCreate{URL: "https://receiver.example/", Events: []terminal49.EventName{terminal49.EventContainerUpdated}})
	check("Webhooks.Create", err)
	return client
}

func stores(ctx context.Context, db *sql.DB) {
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	defer rdb.Close()
	_, err := redisstore.NewLimiter(rdb, "an-api-key")
	check("redisstore.NewLimiter", err)
	_, err = redisstore.NewDedupe(redisstore.WithKeyPrefix(rdb, "least:"), "least")
	check("redisstore.NewDedupe", err)
	check("sqlstore.Migrate", sqlstore.Migrate(ctx, db, sqlstore.SQLite))
	limiter, err := sqlstore.NewLimiter(db, sqlstore.SQLite, "an-api-key")
	check("sqlstore.NewLimiter", err)
	done, err := limiter.Acquire(ctx, terminal49.BucketDefault)
	check("sqlstore.NewLimiter", err)
	done()
	dedupe, err := sqlstore.NewDedupe(db, sqlstore.SQLite, "least")
	check("sqlstore.NewDedupe", err)
	_, err = dedupe.Claim(ctx, "an id", "owner", time.Minute)
	check("sqlstore.Dedupe.Claim", err)
	engine, err := sqlstore.NewEngine(db, sqlstore.SQLite)
	check("sqlstore.NewEngine", err)
	_, err = fleet.New(engine, "an-api-key")
	check("fleet.New", err)
	for name, option := range map[string]fleet.Option{
		"WithEvents":     fleet.WithEvents(func(fleet.Event) {}),
		"WithFallback":   fleet.WithFallback(fleet.Fail()),
		"WithRateLimits": fleet.WithRateLimits(terminal49.RateLimits{Default: 10}),
		"WithNamespace":  fleet.WithNamespace("least"),
		"WithSettling":   fleet.WithSettling(),
		"WithWindow":     fleet.WithWindow(time.Minute),
	} {
		_, err := fleet.New(engine, "an-api-key", option)
		check("fleet."+name, err)
	}
	telemetry, err := otelterminal49.New(nil, nil)
	check("otelterminal49.New", err)
	_ = telemetry.Hooks()
}

func mirrors(ctx context.Context, client *terminal49.Client, db *sql.DB) {
	m, err := mirror.New(client, db)
	check("mirror.New", err)
	agents, err := mcpserver.New(mcpserver.Config{Mirror: m, Reader: mirror.NewReader(db)})
	check("mcpserver.New", err)
	if agents != nil {
		check("mcpserver.Stdio", agents.Run(ctx, mcpserver.Stdio(strings.NewReader(""), io.Discard)))
		_ = mcpserver.Handler(agents)
	}
	check("mirror.Mirror.Migrate", m.Migrate(ctx))
	_, err = m.Status(ctx)
	check("mirror.Mirror.Status", err)
	_, err = m.Position(ctx)
	check("mirror.Mirror.Position", err)
	if m.Receiver() == nil {
		log.Fatal("mirror.Mirror.Receiver: no handler")
	}
	_, err = mirror.NewReader(db).Worklist(ctx, mirror.WorkArriving, time.Now(), mirror.WorklistOptions{})
	check("mirror.Reader.Worklist", err)
	_, err = mirror.NewReader(db).Overview().List(ctx, time.Now(), mirror.ListOptions{})
	check("mirror.Overview.List", err)
	_, err = mirror.NewReader(db).Query(ctx, "select count(*) from containers", mirror.QueryOptions{})
	check("mirror.Reader.Query", err)
	_, err = mirror.Schema(sqlstore.SQLite, mirror.SchemaOptions{})
	check("mirror.Schema", err)
	push := mirror.Push{URL: terminal49.NewSecret("https://receiver.example/"), Secret: terminal49.NewSecret("secret")}
	check("mirror.Push", push.Check())
	for name, option := range map[string]mirror.Option{
		"WithActiveInterval": mirror.WithActiveInterval(time.Hour),
		"WithLogger":         mirror.WithLogger(slog.Default()),
		"WithRetention":      mirror.WithRetention(mirror.Retention{}),
		"WithSchema":         mirror.WithSchema("t49"),
		"WithSecrets":        mirror.WithSecrets(terminal49.NewSecret("secret")),
		"WithSettle":         mirror.WithSettle(time.Second),
		"WithRateLimitShare": mirror.WithRateLimitShare(0.5),
		"WithSituationRules": mirror.WithSituationRules(mirror.SituationRules{}),
		"WithWebhook":        mirror.WithWebhook("https://receiver.example/"),
		"WithWholeInterval":  mirror.WithWholeInterval(24 * time.Hour),
	} {
		_, err := mirror.New(client, db, option)
		check("mirror."+name, err)
	}
}

func webhooks(client *terminal49.Client) {
	secret := webhook.WithSecrets(terminal49.NewSecret("secret"))
	on := webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil })
	_, err := webhook.NewHandler(secret, on)
	check("webhook.NewHandler", err)
	for name, option := range map[string]webhook.Option{
		"OnContainer":    webhook.OnContainer(client, nil, func(context.Context, *webhook.Notification, *terminal49.Container) error { return nil }),
		"OnDeadLetter":   webhook.OnDeadLetter(func(context.Context, webhook.DeadLetter) error { return nil }),
		"OnDelivery":     webhook.OnDelivery(func(context.Context, webhook.Delivery) {}),
		"WithBodyLimit":  webhook.WithBodyLimit(1 << 20),
		"WithClaimLease": webhook.WithClaimLease(time.Minute),
		"WithDedupe":     webhook.WithDedupe(webhook.NewMemoryDedupe(0), webhook.DefaultDedupeRetention),
		"WithTimeout":    webhook.WithTimeout(time.Second),
	} {
		_, err := webhook.NewHandler(secret, on, option)
		check("webhook."+name, err)
	}
	_, err = webhook.OnlyFrom(client.Webhooks, nil)
	check("webhook.OnlyFrom", err)
}
