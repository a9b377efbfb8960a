package otelterminal49

import (
	"context"
	"errors"
	"math"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// fleetMetrics are the metrics of one bucket of a fleet.
var fleetMetrics = [...]struct {
	name, unit, description string
	counter                 bool
	value                   func(fleet.Stats) int64
}{
	{"limit", "{request}", "Requests that all processes may send in a minute.", false, func(s fleet.Stats) int64 { return int64(s.Limit) }},
	{"usage", "{request}", "Requests of all processes that are used up.", false, func(s fleet.Stats) int64 { return int64(s.InUse) }},
	{"pause", "s", "Time until the service accepts requests again.", false, pause},
	{"granted", "{request}", "Requests that received a slot.", true, func(s fleet.Stats) int64 { return s.Granted }},
	{"waited", "{request}", "Requests that waited longer than one second.", true, func(s fleet.Stats) int64 { return s.Waited }},
	{"near_limit", "{request}", "Requests that were granted near the limit.", true, func(s fleet.Stats) int64 { return s.NearLimit }},
	{"denied", "{request}", "Requests that received no slot.", true, func(s fleet.Stats) int64 { return s.Denied }},
}

// pause returns the seconds that are left of a pause, rounded up.
func pause(s fleet.Stats) int64 {
	return int64(math.Ceil(max(0, time.Until(s.PausedUntil).Seconds())))
}

// RegisterFleet reports the stats of a [fleet.Limiter] whenever metrics are collected, until
// Unregister is called on the registration. Register one limiter: a second one would report the
// same metrics. It returns an error if the meter cannot create an instrument.
func (t *Telemetry) RegisterFleet(limiter interface {
	Stats() map[terminal49.Bucket]fleet.Stats
}) (metric.Registration, error) {
	var observed [len(fleetMetrics)]metric.Int64Observable
	var errs [len(fleetMetrics)]error
	instruments := make([]metric.Observable, len(fleetMetrics))
	for i := range fleetMetrics {
		observed[i], errs[i] = t.observable(i)
		instruments[i] = observed[i]
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return t.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		for bucket, stats := range limiter.Stats() {
			of := metric.WithAttributes(bucketKey.String(string(bucket)))
			for i, m := range fleetMetrics {
				o.ObserveInt64(observed[i], m.value(stats), of)
			}
		}
		return nil
	}, instruments...)
}

// observable creates the instrument of a metric of fleetMetrics.
func (t *Telemetry) observable(i int) (metric.Int64Observable, error) {
	m := fleetMetrics[i]
	if m.counter {
		return t.meter.Int64ObservableCounter("terminal49.fleet."+m.name, metric.WithUnit(m.unit), metric.WithDescription(m.description))
	}
	return t.meter.Int64ObservableGauge("terminal49.fleet."+m.name, metric.WithUnit(m.unit), metric.WithDescription(m.description))
}
