//go:build unix

package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// hookURL is where the service believes the receivers to be.
const hookURL = "https://mirror.example.com/webhook"

// hookSecret signs deliveries.
const hookSecret = "0123456789abcdef0123456789abcdef"

// service is a simulated service whose world changes at random.
type service struct {
	*terminal49test.Server
	receivers
	mu      sync.Mutex
	random  *rand.Rand
	serial  int
	removed int // containers and shipments
}

// newService starts a service with some shipments, which delivers to the receivers. Its clock runs
// a minute in a second, so that it soon delivers again what failed.
func newService(t testing.TB, seed uint64, shipments int, opts ...terminal49test.Option) *service {
	t.Helper()
	s := &service{random: rand.New(rand.NewPCG(seed, 1))}
	opts = append([]terminal49test.Option{
		terminal49test.WithoutRateLimits(), terminal49test.WithSpeed(60), terminal49test.WithTrackingDelay(30 * time.Second),
		terminal49test.WithWebhookTransport(&s.receivers),
	}, opts...)
	s.Server = terminal49test.NewServer(opts...)
	t.Cleanup(s.Close)
	s.AddWebhook(terminal49test.Webhook{URL: hookURL, Secret: hookSecret, Events: allEvents})
	s.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "priority"})
	s.AddParty(terminal49test.Party{CompanyName: "Harbor Street Imports"})
	for range shipments {
		s.addShipment()
	}
	return s
}

// allEvents are the events that the changes below cause.
var allEvents = []string{
	"container.updated", "container.created", "container.pod_terminal_changed", "shipment.estimated.arrival",
	"tracking_request.succeeded", "tracking_request.failed", "tracking_request.awaiting_manifest", "tracking_request.tracking_stopped",
	"container.transport.vessel_loaded", "container.transport.vessel_arrived", "container.transport.vessel_discharged",
	"container.transport.full_out", "document.extracted", "link.created",
}

// number returns a number that was not used before.
func (s *service) number() int {
	s.serial++
	return s.serial
}

// The world stays small, and less is removed than a mirror finds suspicious.
const (
	mostShipments = 40
	mostRemoved   = 12
)

// isFull reports whether no more shipments are added.
func (s *service) isFull() bool { return len(s.ids("shipment")) >= mostShipments }

// addShipment adds a shipment with one to three containers, without any notification.
func (s *service) addShipment() {
	if s.isFull() {
		return
	}
	at := s.Now().Add(-240 * time.Hour)
	id := s.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: fmt.Sprintf("MAEU%09d", s.number()), ShippingLine: "MAEU", PortOfLading: "CNSHA",
		PortOfDischarge: "USLAX", Destination: "USLAX", PODTerminal: "APMT LA", POLATD: at, PODETA: at.Add(300 * time.Hour),
	})
	for range 1 + s.random.IntN(3) {
		s.AddContainer(terminal49test.Container{
			Shipment: id, Number: terminal49test.ContainerNumber("MSKU", s.number()), EquipmentType: "dry", EquipmentLength: 40,
			EquipmentHeight: "high_cube", WeightPounds: float64(20_000 + s.random.IntN(20_000)), CurrentStatus: "on_ship",
		})
	}
}

// changes are what can happen, those that happen often more than once.
var changes = []func(*service){
	(*service).changeContainer, (*service).changeContainer, (*service).changeContainer, (*service).changeContainer,
	(*service).changeETA, (*service).addEvent, (*service).addEvent, (*service).addShipment, (*service).track,
	(*service).setField, (*service).addDocument, (*service).stopTracking, (*service).removeContainer, (*service).merge,
}

// change changes something at random.
func (s *service) change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	pick(s.random, changes)(s)
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// ids returns what exists of a type.
func (s *service) ids(kind string) (list []string) {
	for r := range s.Snapshot(kind) {
		list = append(list, r.ID)
	}
	return list
}

func (s *service) changeContainer() {
	n, what := s.number(), s.random.IntN(5)
	s.UpdateContainer(pick(s.random, s.ids("container")), func(c *terminal49test.Container) {
		switch what {
		case 0:
			c.Holds = append(c.Holds, terminal49test.Hold{Name: "customs", Description: fmt.Sprint("exam ", n)})
		case 1:
			c.Holds = nil
			c.LocationAtPODTerminal = fmt.Sprint("Y-", n)
		case 2:
			c.Fees = []terminal49test.Fee{{Type: "demurrage", Amount: float64(n)}}
		case 3:
			c.ImportDeadlines.Terminal = time.Date(2027, 1, 1, 8, n, 0, 0, time.UTC)
		case 4:
			c.AvailableForPickup = terminal49test.Bool(n%2 == 0)
			c.LocationAtPODTerminal = fmt.Sprint("Y-", n)
		}
	})
}

func (s *service) changeETA() {
	by := time.Duration(s.number()) * time.Minute
	s.UpdateShipment(pick(s.random, s.ids("shipment")), func(sh *terminal49test.Shipment) { sh.PODETA = sh.PODETA.Add(by) })
}

func (s *service) addEvent() {
	event := pick(s.random, []string{"vessel_loaded", "vessel_arrived", "vessel_discharged", "full_out"})
	s.AddTransportEvent(terminal49test.TransportEvent{
		Event: "container.transport." + event, Container: pick(s.random, s.ids("container")), Timestamp: s.Now(),
		Location: "USLAX", Terminal: "APMT LA", Vessel: "9708851", VoyageNumber: fmt.Sprint(s.number(), "E"),
	})
}

// track tracks a number, which is found half a minute later.
func (s *service) track() {
	if s.isFull() {
		return
	}
	number := fmt.Sprintf("MSCU%09d", s.number())
	s.Script(number, terminal49test.Journey{})
	s.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MSCU"})
}

// pending returns the tracking requests whose number is still to be found: the world changes then.
func (s *service) pending() (list []string) {
	for r := range s.Snapshot("tracking_request") {
		if parsed := (resource{}); json.Unmarshal(r.JSON, &parsed) != nil || parsed.Attributes["status"] == "pending" {
			list = append(list, "the tracking request "+r.ID+" is pending")
		}
	}
	return list
}

func (s *service) setField() {
	_, err := s.AddCustomField(terminal49test.CustomField{Entity: pick(s.random, s.ids("shipment")), APISlug: "priority", Value: fmt.Sprint(s.number())})
	if err != nil {
		panic(err)
	}
}

func (s *service) addDocument() {
	s.AddDocument(terminal49test.Document{
		FileName: fmt.Sprintf("arrival_notice_%d.pdf", s.number()), DocumentType: "arrival_notice", Shipments: []string{pick(s.random, s.ids("shipment"))},
	})
}

func (s *service) stopTracking() {
	now := s.Now()
	s.UpdateShipment(pick(s.random, s.ids("shipment")), func(sh *terminal49test.Shipment) {
		if !sh.LineTrackingStoppedAt.IsZero() { // it is resumed
			sh.LineTrackingStoppedAt, sh.LineTrackingStoppedReason = time.Time{}, ""
			return
		}
		sh.LineTrackingStoppedAt, sh.LineTrackingStoppedReason = now, "all_containers_terminated"
	})
}

func (s *service) removeContainer() {
	if s.mayRemove() {
		s.RemoveContainer(pick(s.random, s.ids("container")))
	}
}

func (s *service) merge() {
	if ids := s.ids("shipment"); s.mayRemove() {
		s.MergeShipments(pick(s.random, ids), pick(s.random, ids))
	}
}

// mayRemove counts what is removed.
func (s *service) mayRemove() bool {
	if s.removed == mostRemoved || s.random.IntN(4) > 0 {
		return false
	}
	s.removed++
	return true
}

// changeUntil changes something every so often, until stop is called.
func (s *service) changeUntil(every time.Duration) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				s.change()
			}
		}
	}()
	return sync.OnceFunc(func() { close(quit); <-done })
}

// receivers is the transport of deliveries: to the receivers that run.
type receivers struct {
	addresses atomic.Pointer[[]string]
	handler   atomic.Pointer[http.Handler] // in this process, instead of addresses
	attempts  atomic.Int64
	acknowledged
}

var errNoReceiver = errors.New("connection refused: no receiver is running")

func (r *receivers) set(addresses ...string) { r.addresses.Store(&addresses) }

// RoundTrip delivers to one of the receivers. One delivery in ten is minimal, as those of several
// events are.
func (r *receivers) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if r.attempts.Add(1)%10 == 0 {
		body = minimal(body)
	}
	out := req.Clone(req.Context())
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	out.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(hookSecret, body))
	if h := r.handler.Load(); h != nil {
		w := httptest.NewRecorder()
		(*h).ServeHTTP(w, out)
		return w.Result(), nil
	}
	list := r.addresses.Load()
	if list == nil || len(*list) == 0 {
		return nil, errNoReceiver
	}
	out.URL, err = url.Parse((*list)[rand.IntN(len(*list))])
	if err != nil {
		return nil, err
	}
	res, err := loopback.RoundTrip(out)
	if err == nil && res.StatusCode == http.StatusOK {
		r.acknowledged.add(notificationID(body))
	}
	return res, err
}

// notificationID returns the id of a delivery.
func notificationID(body []byte) string {
	var doc struct{ Data key }
	if err := json.Unmarshal(body, &doc); err != nil {
		panic(err)
	}
	return doc.Data.ID
}

// minimal returns a delivery without what it includes.
func minimal(body []byte) []byte {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(body, &doc); err != nil {
		panic(err)
	}
	delete(doc, "included")
	return encoded(doc)
}

// loopback has no connections that outlive a request, so that none leads to a process that ended.
var loopback = &http.Transport{DisableKeepAlives: true}

func TestService_ChangesTellApartEachOther(t *testing.T) {
	s := newService(t, 1, 6)
	before := worldOf(t, s.Server)
	for range 200 {
		s.change()
	}
	require.Greater(t, len(worldOf(t, s.Server)), len(before))
	require.NotEmpty(t, s.WebhookNotifications())
	requireKinds(t, s, "shipment", "container", "tracking_request", "transport_event", "document", "custom_field", "party")
}

func requireKinds(t *testing.T, s *service, names ...string) {
	have := slices.Collect(func(yield func(string) bool) {
		for k := range worldOf(t, s.Server) {
			if !yield(k.Type) {
				return
			}
		}
	})
	for _, name := range names {
		require.Contains(t, have, name)
	}
}
