package main

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// speed is the speed of the simulated clock: an hour of the containers' journeys takes a second.
// The rate limits are those of real minutes.
const speed = 3600

// secret is that of the webhook, with which the service signs deliveries.
const secret = "a-secret-of-the-simulated-service"

// events are what the webhook subscribes to.
var events = []string{
	"tracking_request.succeeded", "container.updated", "container.pickup_lfd.changed",
	"container.transport.vessel_arrived", "container.transport.vessel_discharged", "container.transport.available",
}

// deployment is a simulated service and the processes that use it.
type deployment struct {
	engine   engine
	file     string // of handled notifications
	service  *terminal49test.Server
	balancer *balancer
	workers  map[string]*child
}

func newDeployment(e engine, file string) *deployment {
	d := &deployment{engine: e, file: file, balancer: newBalancer(), workers: map[string]*child{}}
	d.service = terminal49test.NewServer(terminal49test.WithSpeed(speed), terminal49test.WithWebhookTransport(d.balancer.transport),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 3}))
	journey := terminal49test.DefaultJourney()
	journey.Elapsed = 22 * 24 * time.Hour // tracking finds the containers shortly before they arrive
	for i := range 1000 {
		d.service.Script(number(i), journey)
	}
	return d
}

// start starts the balancer, the receivers and the workers.
func (d *deployment) start(ctx context.Context) error {
	address, err := d.balancer.listen()
	if err != nil {
		return err
	}
	for range 2 {
		receiver, err := d.startProcess(ctx, "receive")
		if err != nil {
			return err
		}
		d.balancer.receivers = append(d.balancer.receivers, receiver)
	}
	d.service.AddWebhook(terminal49test.Webhook{URL: "http://" + address, Events: events, Secret: secret})
	d.service.SeedDemo()
	for role := range jobs {
		if err := d.startWorker(ctx, role); err != nil {
			return err
		}
	}
	return nil
}

func (d *deployment) startWorker(ctx context.Context, role string) error {
	worker, err := d.startProcess(ctx, role)
	if err == nil {
		d.workers[role] = worker
	}
	return err
}

func (d *deployment) startProcess(ctx context.Context, role string) (*child, error) {
	return process{
		Role: role, Engine: d.engine, Service: d.service.URL, Token: d.service.Token, Secret: secret, File: d.file,
	}.startReady(ctx)
}

// crash kills a worker and a receiver, and starts another of each.
func (d *deployment) crash(ctx context.Context) error {
	d.workers["read"].kill()
	if err := d.startWorker(ctx, "read"); err != nil {
		return err
	}
	if err := d.balancer.killWhileHandling(ctx, 0); err != nil {
		return err
	}
	receiver, err := d.startProcess(ctx, "receive")
	if err != nil {
		return err
	}
	d.balancer.replace(0, receiver)
	return nil
}

// waiting returns how many calls of the workers wait for the limiter.
func (d *deployment) waiting() (n int) {
	for _, worker := range d.workers {
		i, _ := strconv.Atoi(worker.status.Load().(string)) // 0 if the process has just started
		n += i
	}
	return n
}

// handled returns the ids of the notifications that were handled, one for each time.
func (d *deployment) handled() []string {
	content, _ := os.ReadFile(d.file) // empty before the first
	return strings.Fields(string(content))
}

// finish ends the workers and waits until the receivers have handled what the service has sent, or
// have handled nothing more of it for half a minute.
func (d *deployment) finish(ctx context.Context) (result, error) {
	for _, worker := range d.workers {
		worker.stop()
	}
	r := result{requests: d.service.Requests(), sent: d.service.WebhookNotifications()}
	least, deadline := len(r.sent)+1, time.Time{}
	for {
		r.handled = d.handled()
		if r.count(); r.lost < least {
			least, deadline = r.lost, time.Now().Add(30*time.Second)
		}
		if r.lost == 0 || time.Now().After(deadline) {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop ends all processes, the balancer and the service.
func (d *deployment) stop() {
	for _, worker := range d.workers {
		worker.stop()
	}
	d.service.Close()
	d.balancer.close()
}
