package terminal49test

import (
	"cmp"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// task is planned work. It names resources by id, because another one can take the id until then.
type task interface {
	run(w *world, at time.Time)
	// about is the resource that the task ends with, if another one takes its id; empty if there is
	// none.
	about() wire.Ref
}

// runNext runs the next task that is due and reports whether there was one.
func (w *world) runNext(now time.Time) bool {
	next, ok := w.Take(now)
	if ok {
		next.Task.run(w, next.At)
	}
	return ok
}

// replaces drops what is planned for the resource that had the id of a new one.
func (w *world) replaces(r wire.Ref, exists bool) {
	if _, gone := w.gone[r]; exists || gone {
		w.Drop(func(t task) bool { return t.about() == r })
	}
	delete(w.gone, r)
}

// attemptRequest makes an attempt at the carrier.
type attemptRequest struct {
	Request string
}

func (t attemptRequest) about() wire.Ref { return wire.Ref{Kind: "tracking_request", ID: t.Request} }

func (t attemptRequest) run(w *world, at time.Time) {
	if r := w.requests.Get(t.Request); r != nil {
		w.attempt(r, at)
	}
}

// pollShipment polls the line and the terminals.
type pollShipment struct {
	Shipment string
}

func (t pollShipment) about() wire.Ref { return wire.Ref{Kind: "shipment", ID: t.Shipment} }

func (t pollShipment) run(w *world, at time.Time) { w.poll(t.Shipment, at) }

// runStep runs a step of the journey that began with a shipment.
type runStep struct {
	Shipment string
	Step     Step
	Found    time.Time // when the shipment was found
}

func (runStep) about() wire.Ref { return wire.Ref{} }

func (t runStep) run(w *world, at time.Time) {
	w.runStep(t.Shipment, t.Step, at, laterOf(at, t.Found))
}

// closeWindow stops the tracking of a shipment after its arrival or pickup.
type closeWindow struct {
	Shipment  string
	Container string
	Reason    string
	Reported  time.Time
}

func (t closeWindow) about() wire.Ref { return wire.Ref{Kind: "container", ID: t.Container} }

func (t closeWindow) run(w *world, at time.Time) {
	s, c := w.current(t.Shipment, t.Container)
	if s == nil {
		return
	}
	inTerminal := c.PODFullOutAt.IsZero() && c.FinalDestinationFullOutAt.IsZero()
	if t.Reason == "past_full_out_window" || inTerminal {
		w.stopTracking(s, laterOf(at, t.Reported), t.Reason, "")
	}
}

// accrueFee adds a day's fee.
type accrueFee struct {
	Shipment  string
	Container string
	Fee       Fee
	Reported  time.Time
}

func (t accrueFee) about() wire.Ref { return wire.Ref{Kind: "container", ID: t.Container} }

func (t accrueFee) run(w *world, at time.Time) {
	s, c := w.current(t.Shipment, t.Container)
	if s == nil {
		return
	}
	seen := laterOf(at, t.Reported)
	w.notifyChanges(s, c, seen, func() { w.accrue(s, c, t.Fee, at, seen) })
}

// current returns a container and its current shipment, or else the given one; nil for both if
// there is none.
func (w *world) current(shipment, container string) (*Shipment, *Container) {
	c := w.containers.Get(container)
	if c == nil {
		return nil, nil
	}
	if s := cmp.Or(w.shipments.Get(c.Shipment), w.shipments.Get(shipment)); s != nil {
		return s, c
	}
	return nil, nil
}

// classifyDocument classifies a document and, with Extract, plans its extraction.
type classifyDocument struct {
	Document string
	Script   DocumentScript
	Extract  bool
}

func (t classifyDocument) about() wire.Ref { return wire.Ref{Kind: "document", ID: t.Document} }

func (t classifyDocument) run(w *world, at time.Time) {
	if d := w.docs.documents.Get(t.Document); d != nil {
		w.classify(d, t, at)
	}
}

// extractDocument extracts and links a document.
type extractDocument struct {
	Document string
	Script   DocumentScript
}

func (t extractDocument) about() wire.Ref { return wire.Ref{Kind: "document", ID: t.Document} }

func (t extractDocument) run(w *world, at time.Time) {
	if d := w.docs.documents.Get(t.Document); d != nil {
		w.extract(d, t.Script, at)
	}
}

// linkDocument links a document again.
type linkDocument struct {
	Document string
}

func (t linkDocument) about() wire.Ref { return wire.Ref{Kind: "document", ID: t.Document} }

func (t linkDocument) run(w *world, at time.Time) {
	if d := w.docs.documents.Get(t.Document); d != nil {
		w.linkDocument(d, at)
	}
}

// rotateDocument turns a document.
type rotateDocument struct {
	Document string
	Degrees  int
}

func (t rotateDocument) about() wire.Ref { return wire.Ref{Kind: "document", ID: t.Document} }

func (t rotateDocument) run(w *world, at time.Time) {
	if d := w.docs.documents.Get(t.Document); d != nil {
		d.Rotation, d.UpdatedAt = (d.Rotation+t.Degrees)%360, at
	}
}

// succeed ends the wait of a notification that is not sent.
type succeed struct {
	Notification string
}

func (t succeed) about() wire.Ref {
	return wire.Ref{Kind: "webhook_notification", ID: t.Notification}
}

func (t succeed) run(w *world, _ time.Time) {
	if n := w.notifications.Get(t.Notification); n != nil && n.DeliveryStatus == "pending" {
		w.notifications.Own(t.Notification)
		n.DeliveryStatus = "succeeded"
	}
}

// touchContainer changes a synthetic container; see [Server.TouchContainers].
type touchContainer struct {
	Container string
	N         int
}

func (touchContainer) about() wire.Ref { return wire.Ref{} }

func (t touchContainer) run(w *world, at time.Time) { w.touch(t.Container, t.N, at) }

// generate makes the N-th thing that [Server.SeedTraffic] does at even intervals.
type generate struct {
	Kind string // a key of trafficKinds
	N    int
}

func (generate) about() wire.Ref { return wire.Ref{} }

func (t generate) run(w *world, at time.Time) { w.traffic.generate(t.Kind, t.N, at) }

// forgetJourney removes the journey of a number that tracking has found.
type forgetJourney struct {
	Number string
}

func (forgetJourney) about() wire.Ref { return wire.Ref{} }

func (t forgetJourney) run(w *world, _ time.Time) { delete(w.journeys, t.Number) }
