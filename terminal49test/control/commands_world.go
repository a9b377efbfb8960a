package control

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

func (r *runner) addCustomField(f terminal49test.CustomField) (any, error) {
	id, err := r.server.AddCustomField(f)
	return identified{id}, err
}

func (r *runner) addDocumentType(t terminal49test.DocumentType) (any, error) {
	r.server.AddDocumentType(t)
	return nothing{}, nil
}

func (r *runner) removeContainer(c identified) (any, error) {
	id := r.containerID(c.ID)
	if !r.server.RemoveContainer(id) {
		return nil, unknownID("id", c.ID)
	}
	return identified{id}, nil
}

// merge is the value of merge_shipments.
type merge struct {
	From string `json:"from"`
	Into string `json:"into"`
}

func (r *runner) mergeShipments(m merge) (any, error) {
	if err := cmp.Or(r.findShipment("from", &m.From), r.findShipment("into", &m.Into)); err != nil {
		return nil, err
	}
	if !r.server.MergeShipments(m.From, m.Into) {
		return nil, &forms.Error{Member: "into", Problem: "must be another shipment than from"}
	}
	return identified{m.Into}, nil
}

// scripted is the value of script and begin.
type scripted struct {
	Number  string                 `json:"number"`
	Journey terminal49test.Journey `json:"journey"`
}

func (r *runner) script(s scripted) (any, error) {
	r.server.Script(s.Number, s.Journey)
	return nothing{}, nil
}

// tracked is the result of track and begin.
type tracked struct {
	TrackingRequest string `json:"tracking_request"`
}

// track adds a tracking request as a client would post it: with an unknown carrier, the service
// detects it.
func (r *runner) track(t terminal49test.TrackingRequest) (any, error) {
	switch {
	case t.RequestNumber == "":
		return nil, &forms.Error{Member: "request_number", Problem: "is required"}
	case t.Status != "":
		return nil, &forms.Error{Member: "status", Problem: "cannot be set: tracking sets it; add_tracking_request can add one with any status"}
	}
	if t.RequestType == "" && containerNumber.MatchString(t.RequestNumber) {
		t.RequestType = "container"
	}
	t.AutoDetectSCAC = t.AutoDetectSCAC || t.SCAC == ""
	return tracked{r.server.AddTrackingRequest(t)}, nil
}

var containerNumber = regexp.MustCompile(`^[A-Z]{3}[UJZ][0-9]{7}$`)

// begin is script and track. The journey's shipment may name the carrier.
func (r *runner) begin(s scripted) (any, error) {
	r.server.Script(s.Number, s.Journey)
	return r.track(terminal49test.TrackingRequest{
		RequestNumber: s.Number, RequestType: s.Journey.RequestType, SCAC: s.Journey.Shipment.ShippingLine,
	})
}

// stepped is the value of step.
type stepped struct {
	Container string                `json:"container"`
	Action    terminal49test.Action `json:"action"`
}

func (r *runner) step(s stepped) (any, error) {
	id := r.containerID(s.Container)
	if !r.server.Step(id, s.Action) {
		return nil, &forms.Error{Member: "container", Problem: fmt.Sprintf("is %q, and must be the id or number of a container that has a shipment", s.Container)}
	}
	return identified{id}, nil
}

// documentScripted is the value of script_document.
type documentScripted struct {
	FileName string                        `json:"file_name"`
	Script   terminal49test.DocumentScript `json:"script"`
}

func (r *runner) scriptDocument(d documentScripted) (any, error) {
	r.server.ScriptDocument(d.FileName, d.Script)
	return nothing{}, nil
}

// received is the value of receive_email.
type received struct {
	Email       terminal49test.EmailSubmission `json:"email"`
	Attachments []terminal49test.Document      `json:"attachments,omitzero"`
}

func (r *runner) receiveEmail(e received) (any, error) {
	id, documents := r.server.ReceiveEmail(e.Email, e.Attachments...)
	return struct {
		ID        string   `json:"id"`
		Documents []string `json:"documents"`
	}{id, documents}, nil
}

func (r *runner) seedDemo(nothing) (any, error) {
	demo := r.server.SeedDemo()
	return struct {
		Untracked string   `json:"untracked"`
		Shipments []string `json:"shipments"`
	}{demo.Untracked, demo.Shipments}, nil
}

// traffic is the value of seed_traffic.
type traffic struct {
	Shipments int `json:"shipments"`
}

func (r *runner) seedTraffic(t traffic) (any, error) {
	if t.Shipments < 1 || t.Shipments > 10_000 {
		return nil, &forms.Error{Member: "shipments", Problem: "must be 1 to 10000"}
	}
	ids := r.server.SeedTraffic(t.Shipments)
	if ids == nil {
		return nil, &forms.Error{Problem: "was called before in this world"}
	}
	return struct {
		Shipments []string `json:"shipments"`
	}{ids}, nil
}

// touch is the value of touch_containers.
type touch struct {
	Count  int           `json:"count"`
	Within time.Duration `json:"within,omitzero"`
}

func (r *runner) touchContainers(t touch) (any, error) {
	if t.Count < 0 || t.Count > 1_000_000 || t.Within < 0 {
		return nil, &forms.Error{Member: "count", Problem: "must be 0 to 1000000, and within must not be negative"}
	}
	return struct {
		Containers []string `json:"containers"`
	}{append([]string{}, r.server.TouchContainers(t.Count, t.Within)...)}, nil
}

func (r *runner) webhookNoise(n terminal49test.WebhookNoise) (any, error) {
	if err := checkNoise("", n); err != nil {
		return nil, err
	}
	r.server.SetWebhookNoise(n)
	return nothing{}, nil
}

// checkNoise returns an error that names the member that cannot be, after a prefix.
func checkNoise(prefix string, n terminal49test.WebhookNoise) error {
	wrong := func(member, problem string) error { return &forms.Error{Member: prefix + member, Problem: problem} }
	switch {
	case n.Lost < 0 || n.Lost > 1:
		return wrong("lost", "must be 0 to 1")
	case n.DuplicateEvery < 0:
		return wrong("duplicate_every", "must not be negative")
	case n.DelayEvery < 0:
		return wrong("delay_every", "must not be negative")
	case n.Delay < 0:
		return wrong("delay", "must not be negative")
	case !slices.Contains([]string{"", "pending", "succeeded", "failed"}, n.LostStatus):
		return wrong("lost_status", "must be pending, succeeded or failed")
	}
	return nil
}

func (r *runner) redeliver(n identified) (any, error) {
	if !r.server.Redeliver(n.ID) {
		return nil, &forms.Error{Member: "id", Problem: "must be that of a notification whose webhook is active, in a world that delivers or records webhooks"}
	}
	return n, nil
}
