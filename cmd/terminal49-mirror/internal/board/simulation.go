package board

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// simulation is a simulated account, whose webhooks reach the board.
type simulation struct {
	service
	server *terminal49test.Server
	due    chan string   // ids of containers
	factor atomic.Uint64 // bits of the speed
}

// MaxSpeed is what the board keeps up with: a day a second.
const MaxSpeed = 86_400

// twoChecks is the time in which the simulated service checks each terminal twice. It notifies of
// what has changed, but not of a check.
const twoChecks = 12 * time.Hour

// secret signs the deliveries of the simulated service.
const secret = "a-secret-of-the-simulated-account"

func simulate(shipments int, speed float64) (*simulation, error) {
	s := &simulation{due: make(chan string, 10_000)}
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret(secret)), webhook.OnAny(s.notified))
	if err != nil {
		return nil, err
	}
	s.server = terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithoutRateLimits(), terminal49test.WithSpeed(speed),
		terminal49test.WithWebhookHandler(handler))
	s.factor.Store(math.Float64bits(speed))
	s.server.SeedTraffic(shipments)
	s.server.SeedDemo()
	var events []string
	for _, event := range terminal49.WebhookEvents() {
		events = append(events, string(event))
	}
	s.server.AddWebhook(terminal49test.Webhook{URL: "https://board.example/", Secret: secret, Events: events})
	client, err := terminal49.New(s.server.Token, terminal49.WithBaseURL(s.server.URL),
		terminal49.WithHTTPClient(s.server.HTTPClient()), terminal49.WithoutRateLimits())
	s.service = service{client: client, clock: s.server.Now, kept: map[string]*kept{}, usable: twoChecks}
	s.every = ", and a webhook reports each change"
	return s, err
}

// tick is short, because a simulated day may pass in a second.
func (s *simulation) tick() time.Duration { return time.Second }

// notified records the container of a notification. The state is not taken from it but read.
func (s *simulation) notified(ctx context.Context, n *webhook.Notification) error {
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
func (s *simulation) follow(ctx context.Context, m *model) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	walking := make(chan error, 1)
	go func() { walking <- s.walks(ctx, m) }()
	for {
		select {
		case err := <-walking:
			return err
		case id := <-s.due:
			s.refresh(ctx, m, id)
		case <-ctx.Done():
			return <-walking
		}
	}
}

func (s *simulation) refresh(ctx context.Context, m *model, id string) {
	asked := s.now()
	c, err := s.client.Containers.Get(ctx, id, &terminal49.ContainerGetParams{Include: related})
	switch {
	case err == nil:
		s.ok()
		s.put(m, c, asked, "by webhook")
	case errors.Is(err, terminal49.ErrNotFound) || ctx.Err() != nil: // removed meanwhile, or the end
	default:
		s.note(err)
	}
}

func (s *simulation) speed() float64 { return math.Float64frombits(s.factor.Load()) }

// turn sets the speed of the clock, or moves it ahead by a number of hours.
func (s *simulation) turn(factor, hours string) error {
	if hours != "" {
		n, err := strconv.Atoi(hours)
		if err != nil || n < 1 || n > 24 {
			return errors.New("ahead must be 1 to 24 hours")
		}
		s.server.Advance(time.Duration(n) * time.Hour)
		return nil
	}
	n, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(n >= 0 && n <= MaxSpeed) {
		return fmt.Errorf("speed must be 0 to %d", MaxSpeed)
	}
	s.factor.Store(math.Float64bits(n))
	s.server.SetSpeed(n)
	return nil
}
