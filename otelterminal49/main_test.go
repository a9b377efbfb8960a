package otelterminal49_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recording keeps what a Telemetry reports.
type recording struct {
	*otelterminal49.Telemetry
	spans  *tracetest.SpanRecorder
	reader *metric.ManualReader
}

func record() recording {
	r := recording{spans: tracetest.NewSpanRecorder(), reader: metric.NewManualReader()}
	var err error
	r.Telemetry, err = otelterminal49.New(trace.NewTracerProvider(trace.WithSpanProcessor(r.spans)),
		metric.NewMeterProvider(metric.WithReader(r.reader)))
	must(err)
	return r
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// simulation returns a simulated service with six shipments, and a client of it.
func simulation(opts ...terminal49.Option) (*terminal49test.Server, *terminal49.Client) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
	service.SeedDemo()
	client, err := terminal49.New(service.Token, append([]terminal49.Option{
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()),
	}, opts...)...)
	must(err)
	return service, client
}

// metrics returns a value for each metric and its attributes: of a histogram the number of its
// values, otherwise the value.
func (r recording) metrics() map[string]float64 {
	var all metricdata.ResourceMetrics
	must(r.reader.Collect(context.Background(), &all))
	values := map[string]float64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, point := range data.DataPoints {
					values[m.Name+" "+point.Attributes.Encoded(attribute.DefaultEncoder())] = float64(point.Count)
				}
			case metricdata.Sum[int64]:
				for _, point := range data.DataPoints {
					values[m.Name+" "+point.Attributes.Encoded(attribute.DefaultEncoder())] = float64(point.Value)
				}
			case metricdata.Gauge[int64]:
				for _, point := range data.DataPoints {
					values[m.Name+" "+point.Attributes.Encoded(attribute.DefaultEncoder())] = float64(point.Value)
				}
			default:
				log.Fatalf("%s is a %T", m.Name, data)
			}
		}
	}
	return values
}

// lines returns a line for each span: its name, its parent's name, attributes, kind and status. A
// wait for the rate limit is left out, because it differs.
func (r recording) lines() (lines []string) {
	ended, names := r.spans.Ended(), map[string]string{}
	for _, span := range ended {
		names[span.SpanContext().SpanID().String()] = span.Name()
	}
	for _, span := range ended {
		set, _ := attribute.NewSetWithFiltered(span.Attributes(), attribute.NewDenyKeysFilter("terminal49.limiter.wait"))
		lines = append(lines, fmt.Sprintf("%s | in %s | %s | %s %s", span.Name(), names[span.Parent().SpanID().String()],
			set.Encoded(attribute.DefaultEncoder()), span.SpanKind(), span.Status().Code))
	}
	return lines
}
