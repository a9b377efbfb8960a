package main

import (
	"context"
	"errors"
	"log"
	"math"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// source is where containers come from.
type source interface {
	api() *terminal49.Client
	now() time.Time // the source's clock
	// follow puts every container on the board, and what changes, until ctx ends.
	follow(ctx context.Context, b *board) error
}

// related is what a container is read with.
var related = []terminal49.ContainerInclude{
	terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal, terminal49.ContainerIncludePickupFacility,
	terminal49.ContainerIncludeTransportEvents,
}

// walkInterval is the time between two reads of the whole list.
const walkInterval = 5 * time.Minute

// walk reads the whole list, and removes the containers that neither this walk nor the one before
// it showed.
func walk(ctx context.Context, s source, b *board, before map[string]bool) (map[string]bool, error) {
	seen := map[string]bool{}
	params := &terminal49.ContainerListParams{Include: related}
	for c, err := range s.api().Containers.All(ctx, params, terminal49.WithShare(0.6)) {
		if err != nil {
			return before, err
		}
		seen[c.ID] = true
		b.put(c, s.now(), false)
	}
	kept := map[string]bool{}
	for id := range seen {
		kept[id] = true
	}
	for id := range before {
		kept[id] = true
	}
	b.keepOnly(kept)
	return seen, nil
}

// walks reads the list now and at intervals, until ctx ends. The first failure is an error; later
// ones are logged, and the page shows its age.
func walks(ctx context.Context, s source, b *board) error {
	seen, err := walk(ctx, s, b, nil)
	for err == nil || seen != nil {
		if err != nil && ctx.Err() == nil {
			log.Println("board: reading the list:", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(walkInterval):
		}
		seen, err = walk(ctx, s, b, seen)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// account is a real account.
type account struct{ client *terminal49.Client }

func (a *account) api() *terminal49.Client { return a.client }
func (a *account) now() time.Time          { return time.Now() }

func (a *account) follow(ctx context.Context, b *board) error { return walks(ctx, a, b) }

// simulation is a simulated account, whose webhooks reach the board.
type simulation struct {
	service *terminal49test.Server
	client  *terminal49.Client
	due     chan string   // ids of containers
	factor  atomic.Uint64 // bits of the speed
}

// maxSpeed is what the board keeps up with: a day a second.
const maxSpeed = 86_400

// secret signs the deliveries of the simulated service.
const secret = "a-secret-of-the-example"

func simulate(shipments int, speed float64) (*simulation, error) {
	s := &simulation{due: make(chan string, 10_000)}
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret(secret)), webhook.OnAny(s.notified))
	if err != nil {
		return nil, err
	}
	s.service = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithSpeed(speed),
		terminal49test.WithWebhookHandler(handler))
	s.factor.Store(math.Float64bits(speed))
	s.service.SeedTraffic(shipments)
	s.service.SeedDemo()
	var events []string
	for _, event := range terminal49.WebhookEvents() {
		events = append(events, string(event))
	}
	s.service.AddWebhook(terminal49test.Webhook{URL: "https://board.example/", Secret: secret, Events: events})
	s.client, err = terminal49.New(s.service.Token, terminal49.WithBaseURL(s.service.URL),
		terminal49.WithHTTPClient(s.service.HTTPClient()), terminal49.WithoutLimits())
	return s, err
}

func (s *simulation) api() *terminal49.Client { return s.client }
func (s *simulation) now() time.Time          { return s.service.Now() }

// notified records the container of a notification. The state is not taken from it but read.
func (s *simulation) notified(ctx context.Context, n *terminal49.Notification) error {
	id := n.Container.ID()
	if id == "" {
		return nil
	}
	select {
	case s.due <- id:
		return nil
	case <-ctx.Done():
		return ctx.Err() // delivered again
	}
}

// follow reads the list, and each container that a webhook reports.
func (s *simulation) follow(ctx context.Context, b *board) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	walking := make(chan error, 1)
	go func() { walking <- walks(ctx, s, b) }()
	for {
		select {
		case err := <-walking:
			return err
		case id := <-s.due:
			s.refresh(ctx, b, id)
		case <-ctx.Done():
			return <-walking
		}
	}
}

func (s *simulation) refresh(ctx context.Context, b *board, id string) {
	c, err := s.client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: related})
	switch {
	case err == nil:
		b.put(c, s.now(), true)
	case errors.Is(err, terminal49.ErrNotFound) || ctx.Err() != nil: // removed meanwhile, or the end
	default:
		log.Println("board: reading a container:", err)
	}
}

func (s *simulation) speed() float64 { return math.Float64frombits(s.factor.Load()) }

func (s *simulation) setSpeed(n float64) {
	s.factor.Store(math.Float64bits(n))
	s.service.SetSpeed(n)
}
