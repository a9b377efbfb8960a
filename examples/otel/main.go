// Otel shows traces and metrics of the client and of a webhook handler with OpenTelemetry:
//
//	go run ./examples/otel            # metrics on http://127.0.0.1:9464/metrics
//	go run ./examples/otel -traces    # and each span as JSON
//
// It works against a simulated service, on which some requests fail. dashboard.json is a dashboard
// for Grafana with a Prometheus data source.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/go-freight/terminal49/otelterminal49"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		log.Fatal("otel: ", err)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("otel", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:9464", "`address` of the metrics; on loopback")
	end := flags.Duration("for", 0, "end after this `duration`; 0 runs until it is interrupted")
	traces := flags.Bool("traces", false, "print each span as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("the arguments must be flags, not %q", flags.Arg(0))
	}
	if *end > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *end)
		defer cancel()
	}
	spans := io.Discard
	if *traces {
		spans = out
	}
	tracer, meter, closeAll, err := providers(spans)
	if err != nil {
		return err
	}
	defer closeAll()
	stopServing, err := serve(*addr, out)
	if err != nil {
		return err
	}
	defer stopServing()
	telemetry, err := otelterminal49.New(tracer, meter)
	if err != nil {
		return err
	}
	return work(ctx, tracer.Tracer("example"), telemetry)
}

// providers returns where spans and metrics go: to a writer, and to Prometheus.
func providers(spans io.Writer) (*sdktrace.TracerProvider, *sdkmetric.MeterProvider, func(), error) {
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(spans))
	if err != nil {
		return nil, nil, nil, err
	}
	reader, err := prometheus.New()
	if err != nil {
		return nil, nil, nil, err
	}
	name := resource.NewSchemaless(attribute.String("service.name", "dispatcher"))
	tracer := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(name))
	meter := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(name))
	return tracer, meter, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = errors.Join(tracer.Shutdown(ctx), meter.Shutdown(ctx))
	}, nil
}

func serve(addr string, out io.Writer) (stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen; choose another -addr: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.Handler())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second, IdleTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	fmt.Fprintf(out, "metrics on http://%s/metrics\n", listener.Addr())
	return func() { _ = server.Close() }, nil
}
