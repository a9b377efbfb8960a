package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// The service makes up to fourteen attempts at a carrier within about a day, with doubling waits.
// It checks a bill of lading without a manifest once a day for a week.
const (
	maxAttempts     = 14
	firstRetry      = 10 * time.Second
	manifestRecheck = 24 * time.Hour
	manifestTimeout = 7 * 24 * time.Hour
	pollInterval    = 6 * time.Hour // of line and terminals, while a shipment is tracked
)

// addRequest stores a tracking request and, if it has no status, plans the first attempt.
func (w *world) addRequest(r TrackingRequest) string {
	r = r.clone()
	r.ID = w.identify(r.ID, "tracking_request")
	r.CreatedAt = w.orNow(r.CreatedAt)
	r.RequestType = cmp.Or(r.RequestType, "bill_of_lading")
	if r.UpdatedAt.IsZero() {
		r.UpdatedAt = r.CreatedAt
	}
	live := r.Status == ""
	r.Status = cmp.Or(r.Status, "pending")
	if was := w.requests.Get(r.ID); was != nil {
		w.replaces(wire.Ref{Kind: "tracking_request", ID: r.ID}, true)
		w.requestsOf.remove(r.ID, was.RequestNumber)
	}
	w.requests.Put(r.ID, &r)
	w.requestsOf.add(r.ID, r.RequestNumber)
	if live {
		wait := cmp.Or(w.journeyFor(&r).TrackingDelay, w.trackingDelay)
		w.Plan(r.CreatedAt.Add(wait), attemptRequest{r.ID})
	}
	return r.ID
}

// isTracked reports whether a request for the number is open or has led to a shipment that is still
// tracked.
func (w *world) isTracked(number, scac string) bool {
	return slices.ContainsFunc(w.requestsOf.ids(number), func(id string) bool {
		r := w.requests.Get(id)
		open := r != nil && (r.Status == "pending" || r.Status == "awaiting_manifest" || r.Status == "created")
		return open && (r.SCAC == scac || scac == "" || r.SCAC == "")
	})
}

// attempt makes one attempt at the carrier and sets the request's next status.
func (w *world) attempt(r *TrackingRequest, at time.Time) {
	if r.Status != "pending" && r.Status != "awaiting_manifest" {
		return // changed by the test in the meantime
	}
	w.requests.Own(r.ID)
	defer func(was string) { w.notifyRequest(r, was, at) }(r.Status)
	j := w.journeyFor(r)
	r.UpdatedAt = at
	if r.SCAC == "" {
		if r.SCAC = w.detectSCAC(normalizeNumber(r.RequestNumber)); r.SCAC == "" {
			w.failRequest(r, "scac_auto_detect_failed")
			return
		}
	}
	switch {
	case r.RetryCount < j.FailedAttempts && r.RetryCount+1 >= maxAttempts:
		r.RetryCount++
		w.failRequest(r, "retries_exhausted")
	case r.RetryCount < j.FailedAttempts:
		r.RetryCount++
		r.IsRetrying, r.FailedReason = true, cmp.Or(j.RetryReason, "shipping_line_unreachable")
		w.Plan(at.Add(firstRetry<<(r.RetryCount-1)), attemptRequest{r.ID})
	case j.Outcome == OutcomeFailed:
		w.failRequest(r, cmp.Or(j.FailedReason, "not_found"))
	case j.Outcome == OutcomeAwaitingManifest && (j.ManifestAfter == 0 || at.Before(r.CreatedAt.Add(j.ManifestAfter))):
		r.Status, r.IsRetrying, r.FailedReason = "awaiting_manifest", false, ""
		if !at.Before(r.CreatedAt.Add(manifestTimeout)) {
			w.failRequest(r, cmp.Or(j.FailedReason, "expired"))
			return
		}
		w.Plan(at.Add(manifestRecheck), attemptRequest{r.ID})
	default:
		r.Status, r.IsRetrying, r.FailedReason = "created", false, ""
		r.Shipment = w.shipmentFor(r, j, at)
		w.applyInitialFields(r)
	}
}

func (w *world) failRequest(r *TrackingRequest, reason string) {
	r.Status, r.IsRetrying, r.FailedReason = "failed", false, reason
}

// shipmentFor returns the shipment of a successful request: the one that has the number, whose
// tracking resumes, or a new one.
func (w *world) shipmentFor(r *TrackingRequest, j Journey, at time.Time) string {
	for _, id := range w.shipmentsOf.ids(r.RequestNumber) {
		if s := w.shipments.Get(id); s != nil && s.ShippingLine == r.SCAC {
			w.resumeTracking(s, at)
			return id
		}
	}
	return w.startJourney(r, j, at)
}

// journeyFor returns the journey of a request: the script of its number, that of the test carrier's
// two numbers, or a default that depends on the number's form.
func (w *world) journeyFor(r *TrackingRequest) Journey {
	number := normalizeNumber(r.RequestNumber)
	shape := shapeOf(number)
	if r.SCAC == "TEST" {
		switch strings.ToUpper(r.RequestNumber) {
		case "TEST-TR-SUCCEEDED":
			return DefaultJourney()
		case "TEST-TR-FAILED":
			return Journey{Outcome: OutcomeFailed, FailedReason: "not_found"}
		}
	}
	if j, ok := w.journeys[number]; ok {
		// The right number with the wrong type is never found.
		if j.RequestType != "" && j.RequestType != r.RequestType {
			return Journey{TrackingDelay: j.TrackingDelay, Outcome: OutcomeFailed, FailedReason: "not_found"}
		}
		return j
	}
	switch {
	case shape == shapeInvalid, (shape == shapeContainer) != (r.RequestType == "container"),
		shape == shapeContainer && !checkDigitMatches(number):
		return Journey{Outcome: OutcomeFailed, FailedReason: "invalid_number"}
	}
	return DefaultJourney()
}

// stopTracking stops the tracking of a shipment and of its requests.
func (w *world) stopTracking(s *Shipment, at time.Time, reason, user string) {
	if !s.LineTrackingStoppedAt.IsZero() {
		return
	}
	w.shipments.Own(s.ID)
	s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedByUser = at, reason, user
	w.changeStatus(s, at, "created", "tracking_stopped")
}

// resumeTracking resumes tracking. Events in between are not added.
func (w *world) resumeTracking(s *Shipment, at time.Time) {
	w.shipments.Own(s.ID)
	s.LineTrackingStoppedAt, s.LineTrackingStoppedReason, s.LineTrackingStoppedByUser = time.Time{}, "", ""
	w.changeStatus(s, at, "tracking_stopped", "created")
	if planned, journeying := w.pollPlanned[s.ID]; journeying && !planned {
		w.poll(s.ID, at)
	}
}

// poll sets when the line and the terminals were last polled and plans the next poll. It ends with
// tracking.
func (w *world) poll(shipment string, at time.Time) {
	s := w.shipments.Get(shipment)
	w.pollPlanned[shipment] = s != nil && s.LineTrackingStoppedAt.IsZero()
	if !w.pollPlanned[shipment] {
		return
	}
	w.shipments.Own(shipment)
	for _, id := range w.containersOf(shipment) {
		w.containers.Own(id).markChecked(at)
	}
	s.LineTrackingLastAttemptedAt, s.LineTrackingLastSucceededAt = at, at
	w.Plan(at.Add(pollInterval), pollShipment{shipment})
}

func (w *world) changeStatus(s *Shipment, at time.Time, from, to string) {
	w.ownRequest(s.ID)
	for _, r := range append(w.requests.All(), w.changedRequests()...) {
		if r.Shipment == s.ID && r.Status == from {
			w.requests.Own(r.ID)
			r.Status, r.UpdatedAt = to, at
			if to == "tracking_stopped" {
				w.notifyRequest(r, from, at)
			}
		}
	}
}
