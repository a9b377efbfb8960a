package terminal49test

import (
	"reflect"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// webhookParts are the state of deliveries.
func webhookParts() []savedPart {
	return []savedPart{
		linesOf("webhook_body", func(w *world) any { return w.bodies }, saveBodies, func(l *loading, f savedBody) error {
			if err := l.checkNotification(f.Notification); err != nil {
				return err
			}
			l.world.bodyOf(f.Notification).raw = f.Body
			return nil
		}),
		linesOf("webhook_failures", func(w *world) any { return w.failedInARow },
			func(s *Server, out *lineWriter) {
				for _, id := range state.SortedKeys(s.world.failedInARow) {
					out.add("webhook_failures", id, savedFailures{id, s.world.failedInARow[id]})
				}
			},
			func(l *loading, f savedFailures) error {
				l.world.failedInARow[f.Webhook] = f.Count
				return nil
			}),
	}
}

// savedBody is the body of a notification that may be delivered again; it is absent until it is
// written.
type savedBody struct {
	Notification string   `json:"notification"`
	Body         wire.Raw `json:"body,omitzero"`
}

type savedFailures struct {
	Webhook string `json:"webhook"`
	Count   int    `json:"in_a_row"`
}

func saveBodies(s *Server, out *lineWriter) {
	for _, id := range s.world.bodyOrder.All() {
		if b := s.world.bodies[id]; b != nil {
			out.add("webhook_body", id, savedBody{id, b.raw})
		}
	}
}

func (l *loading) checkNotification(id string) error {
	if l.world.notifications.Get(id) == nil {
		return &forms.Error{Member: "notification", Problem: "must be that of an earlier line"}
	}
	return nil
}

// planParts are what can happen: journeys, scripts, faults and tasks.
func planParts() []savedPart {
	parts := []savedPart{
		orderPart(),
		linesOf("script", func(w *world) any { return w.journeys },
			func(s *Server, out *lineWriter) {
				for _, number := range state.SortedKeys(s.world.journeys) {
					out.add("script", number, savedScript{number, s.world.journeys[number]})
				}
			},
			func(l *loading, f savedScript) error {
				l.world.journeys[normalizeNumber(f.Number)] = f.Journey
				return nil
			}),
		linesOf("script_document", func(w *world) any { return w.docs.scripts },
			func(s *Server, out *lineWriter) {
				for _, name := range state.SortedKeys(s.world.docs.scripts) {
					out.add("script_document", name, savedDocumentScript{name, s.world.docs.scripts[name]})
				}
			},
			func(l *loading, f savedDocumentScript) error {
				l.world.docs.scripts[f.FileName] = f.Script
				return nil
			}),
		{name: "fault", form: reflect.TypeFor[Fault](), save: saveFaults, load: func(l *loading, raw []byte) error {
			f := &Fault{}
			l.faults = append(l.faults, f)
			return f.UnmarshalJSON(raw)
		}},
		linesOf("deliver", func(w *world) any { return &w.Schedule }, saveTasks, (*loading).planDelivery),
	}
	for _, name := range state.SortedKeys(taskForms) {
		parts = append(parts, savedPart{name: name, form: taskForms[name], save: func(*Server, *lineWriter) {}, load: func(l *loading, raw []byte) error {
			return l.plan(taskForms[name], raw)
		}})
	}
	return parts
}

func saveFaults(s *Server, out *lineWriter) {
	for _, f := range s.faults {
		if f.Times != 0 { // else it does not apply any more
			out.add("fault", f.Operation, *f)
		}
	}
}

type savedScript struct {
	Number  string  `json:"number"`
	Journey Journey `json:"journey"`
}

type savedDocumentScript struct {
	FileName string         `json:"file_name"`
	Script   DocumentScript `json:"script"`
}

// savedDelivery is a delivery that is planned, or due and not made.
type savedDelivery struct {
	At           time.Time `json:"at"`
	Notification string    `json:"notification"`
	Try          int       `json:"attempt,omitzero"`
	Older        bool      `json:"older,omitzero"` // than the bodies that are kept
	Body         wire.Raw  `json:"body,omitzero"`
}

func (w *world) savedDelivery(m *deliveryAttempt) savedDelivery {
	if w.bodies[m.notification] == m.body {
		return savedDelivery{At: m.at, Notification: m.notification, Try: m.try}
	}
	return savedDelivery{m.at, m.notification, m.try, true, m.body.raw}
}

func (l *loading) planDelivery(f savedDelivery) error {
	if err := l.checkNotification(f.Notification); err != nil {
		return err
	}
	body := l.bodies[f.Notification] // the same one for all deliveries of a notification
	switch {
	case !f.Older:
		body = l.world.bodyOf(f.Notification)
	case body == nil:
		body = &deliveryBody{f.Notification, f.Body}
		l.bodies[f.Notification] = body
	}
	l.world.planAttempt(&deliveryAttempt{notification: f.Notification, try: f.Try, at: f.At, body: body})
	return nil
}

// taskForms are the tasks other than deliveries.
var taskForms = map[string]reflect.Type{
	"attempt_request":   reflect.TypeFor[attemptRequest](),
	"poll_shipment":     reflect.TypeFor[pollShipment](),
	"run_step":          reflect.TypeFor[runStep](),
	"close_window":      reflect.TypeFor[closeWindow](),
	"accrue_fee":        reflect.TypeFor[accrueFee](),
	"classify_document": reflect.TypeFor[classifyDocument](),
	"extract_document":  reflect.TypeFor[extractDocument](),
	"link_document":     reflect.TypeFor[linkDocument](),
	"rotate_document":   reflect.TypeFor[rotateDocument](),
	"succeed":           reflect.TypeFor[succeed](),
	"touch_container":   reflect.TypeFor[touchContainer](),
	"generate":          reflect.TypeFor[generate](),
	"forget_journey":    reflect.TypeFor[forgetJourney](),
}

// saveTasks writes what is due and then what is planned, in the order in which it happens.
func saveTasks(s *Server, out *lineWriter) {
	w := s.world
	due := w.due
	if w.delivering != nil {
		due = append([]*deliveryAttempt{w.delivering}, due...)
	}
	for _, m := range due {
		out.add("deliver", m.notification, w.savedDelivery(m))
	}
	for _, planned := range w.Schedule.List() {
		if m, ok := planned.Task.(*deliveryAttempt); ok {
			out.add("deliver", m.notification, w.savedDelivery(m))
			continue
		}
		out.addTask(planned)
	}
}

// addTask writes a task other than a delivery, with its time as the first member.
func (w *lineWriter) addTask(planned state.Planned[task]) {
	name := nameOfTask(planned.Task)
	raw, err := forms.Encode(planned.Task)
	if err != nil {
		w.fail(name, planned.Task.about().ID, err)
		return
	}
	at := wire.AppendJSON(nil, planned.At.UTC().Format(time.RFC3339Nano))
	w.write(name, slices.Concat([]byte(`{"at":`), at, []byte(","), raw[1:]))
}

func nameOfTask(t task) string {
	for name, form := range taskForms {
		if form == reflect.TypeOf(t) {
			return name
		}
	}
	return ""
}

// plannedAt is the time of a task, which its line has next to the task's members.
type plannedAt struct {
	At time.Time `json:"at"`
}

// plan plans a task other than a delivery.
func (l *loading) plan(form reflect.Type, raw []byte) error {
	members, err := forms.Members(raw)
	if err != nil {
		return err
	}
	var when plannedAt
	isTime := func(m forms.Member) bool { return m.Name == "at" }
	if i := slices.IndexFunc(members, isTime); i >= 0 {
		err = forms.Fill(members[i:i+1], &when)
	} else {
		err = forms.Fill(nil, &when)
	}
	if err != nil {
		return err
	}
	into := reflect.New(form)
	if err := forms.Fill(slices.DeleteFunc(members, isTime), into.Interface()); err != nil {
		return err
	}
	t := into.Elem().Interface().(task)
	if g, ok := t.(generate); ok && (l.world.traffic == nil || trafficKinds[g.Kind].do == nil) {
		return &forms.Error{Member: "kind", Problem: "must be one of a world with traffic"}
	}
	l.world.Plan(when.At, t)
	return nil
}

// finish completes a world, once all lines are read.
func (l *loading) finish() error {
	if l.world == nil {
		return &forms.Error{Problem: "must be a world: the first line of a saved one begins with {\"world\":"}
	}
	if !l.ended {
		l.part = ""
		return &forms.Error{Problem: "is the last one, and must be {\"end\":{}}: the file was cut off"}
	}
	l.index()
	for _, planned := range l.world.Schedule.List() {
		if p, ok := planned.Task.(pollShipment); ok {
			l.world.pollPlanned[p.Shipment] = true
		}
	}
	return nil
}
