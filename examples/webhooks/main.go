// Webhooks is a complete receiver of webhooks: it ensures that the webhook exists, handles
// deliveries, decides on container.updated whether a container can be picked up, recovers
// deliveries that failed during an outage, and shuts down gracefully.
//
//	go run ./examples/webhooks
//
// Without a token it starts a simulated service in this process, which delivers a whole journey
// over a socket. With T49_API_TOKEN and T49_WEBHOOK_URL, the public https URL that leads to -addr,
// it serves until it is interrupted. The flag -proxy 10.0.0.0/8 names the network of a proxy in
// front of it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// grace is how long deliveries in progress may take after an interrupt.
const grace = 15 * time.Second

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal("webhooks: ", err)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("webhooks", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "`address` to listen on")
	down := flags.Duration("since", 24*time.Hour, "recover deliveries that failed within this `duration`")
	var proxies []netip.Prefix
	flags.Func("proxy", "`network` of a proxy whose X-Forwarded-For is trusted; may be repeated", func(s string) error {
		prefix, err := netip.ParsePrefix(s)
		proxies = append(proxies, prefix)
		return err
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if os.Getenv("T49_API_TOKEN") == "" {
		return simulate(ctx, out)
	}
	return serve(ctx, *addr, *down, proxies, newLog(out, false))
}

// serve receives from the real service until ctx ends.
func serve(ctx context.Context, addr string, down time.Duration, proxies []netip.Prefix, log *slog.Logger) error {
	url := os.Getenv("T49_WEBHOOK_URL")
	if url == "" {
		return errors.New("T49_WEBHOOK_URL is not set; set it to the public https URL of /terminal49 on this server, or unset T49_API_TOKEN for a simulated service")
	}
	client, err := terminal49.NewFromEnv(terminal49.WithUserAgent("webhooks-example"))
	if err != nil {
		return err
	}
	r, ended, err := start(ctx, client, time.Now, addr, url, proxies, log)
	if err != nil {
		return err
	}
	report, err := webhook.Recover(ctx, client, time.Now().Add(-down), r.handler.Handle)
	if err != nil {
		log.Error("recovering failed deliveries", "error", err)
	}
	if report != nil {
		log.Info("recovered", "found", report.Found, "handled", report.Handled, "webhooks_inactive", len(report.Inactive))
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = nil
	}
	log.Info("stopping")
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return errors.Join(err, r.close(bounded))
}

// start ensures that the webhook exists and listens. The channel receives the error of the server
// when it ends.
func start(
	ctx context.Context, client *terminal49.Client, now func() time.Time, addr, url string, proxies []netip.Prefix, log *slog.Logger,
) (*receiver, <-chan error, error) {
	webhook, err := client.Webhooks.Ensure(ctx, url, []terminal49.EventName{
		terminal49.EventTrackingRequestSucceeded, terminal49.EventTrackingRequestFailed, terminal49.EventContainerUpdated,
		terminal49.EventVesselArrived, terminal49.EventVesselDischarged, terminal49.EventFullOut, terminal49.EventEmptyIn,
		terminal49.EventPickupLFDChanged,
	})
	if err != nil {
		return nil, nil, err
	}
	r, err := newReceiver(client, now, log, webhook.Secret, proxies)
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot listen; choose another -addr: %w", err)
	}
	r.server.Addr = listener.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- r.server.Serve(listener) }()
	log.Info("listening", "address", r.server.Addr, "webhook", webhook.ID)
	return r, ended, nil
}

// simulate runs a simulated service that tracks a shipment from the sea to the return of the empty
// container. It advances the service's clock, and deliveries reach the receiver over a socket, some
// of them twice.
func simulate(ctx context.Context, out io.Writer) error {
	tunnel := &tunnel{}
	service := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookTransport(tunnel),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 4}))
	defer service.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "T49_API_TOKEN is not set: a simulated service in this process delivers a journey of 36 days.")
	plain := newLog(out, true)
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	r, ended, err := start(ctx, client, service.Now, "127.0.0.1:0", "https://receiver.example/terminal49", local, plain)
	if err != nil {
		return err
	}
	tunnel.to = r.server.Addr
	_, err = client.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU123456789", SCAC: "MAEU",
	})
	for range 36 * 4 {
		if err != nil || ctx.Err() != nil {
			break
		}
		service.Advance(6 * time.Hour)
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err = errors.Join(err, r.close(bounded))
	if ended := <-ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	fmt.Fprintf(out, "%d notifications, %d deliveries\n", len(service.WebhookNotifications()), len(service.WebhookDeliveries()))
	return err
}

// maxLogged is how many bytes of a value are logged. An event's name may be as long as a delivery.
const maxLogged = 500

// newLog returns a log of text, which escapes what a terminal would interpret. The time is
// meaningless with a simulated clock.
func newLog(out io.Writer, simulated bool) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if simulated && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		if s := a.Value.String(); len(s) > maxLogged {
			return slog.String(a.Key, s[:maxLogged]+"...")
		}
		return a
	}}))
}

// tunnel sends deliveries for a public URL to this machine, like a proxy in front of a receiver.
type tunnel struct{ to string }

// RoundTrip forwards a delivery with the address of the service in X-Forwarded-For.
func (t *tunnel) RoundTrip(req *http.Request) (*http.Response, error) {
	inner := req.Clone(req.Context())
	inner.URL.Scheme, inner.URL.Host = "http", t.to
	inner.Header.Set("X-Forwarded-For", "35.222.62.171")
	return http.DefaultTransport.RoundTrip(inner)
}
