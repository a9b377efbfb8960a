package control

import (
	"cmp"
	"fmt"
	"reflect"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// command is what a command does with its parsed value.
type command struct {
	form reflect.Type // of the value
	run  func(r *runner, value any) (result any, err error)
}

// commands are the commands by name.
var commands = map[string]command{
	"comment": taking(func(*runner, string) (any, error) { return nothing{}, nil }),

	"advance":   taking((*runner).advance),
	"set_clock": taking((*runner).setClock),
	"speed":     taking((*runner).setSpeed),
	"pause":     taking(func(r *runner, _ nothing) (any, error) { return r.setSpeed(0) }),
	"resume":    taking((*runner).resume),

	"add_shipment":                adding((*terminal49test.Server).AddShipment),
	"add_container":               addingTo((*terminal49test.Server).AddContainer, (*runner).findContainer),
	"add_tracking_request":        adding((*terminal49test.Server).AddTrackingRequest),
	"add_transport_event":         addingTo((*terminal49test.Server).AddTransportEvent, (*runner).findTransportEvent),
	"add_raw_event":               addingTo((*terminal49test.Server).AddRawEvent, (*runner).findRawEvent),
	"add_shipping_line":           adding((*terminal49test.Server).AddShippingLine),
	"add_port":                    adding((*terminal49test.Server).AddPort),
	"add_metro_area":              adding((*terminal49test.Server).AddMetroArea),
	"add_terminal":                adding((*terminal49test.Server).AddTerminal),
	"add_vessel":                  adding((*terminal49test.Server).AddVessel),
	"add_party":                   adding((*terminal49test.Server).AddParty),
	"add_party_role":              addingTo((*terminal49test.Server).AddPartyRole, (*runner).findPartyRole),
	"add_custom_field_definition": adding((*terminal49test.Server).AddCustomFieldDefinition),
	"add_custom_field":            taking((*runner).addCustomField),
	"add_document":                adding((*terminal49test.Server).AddDocument),
	"add_document_schema":         adding((*terminal49test.Server).AddDocumentSchema),
	"add_document_type":           taking((*runner).addDocumentType),
	"add_email_submission":        adding((*terminal49test.Server).AddEmailSubmission),
	"add_webhook":                 adding((*terminal49test.Server).AddWebhook),
	"add_webhook_notification":    adding((*terminal49test.Server).AddWebhookNotification),

	"update_shipment":             updating((*terminal49test.Server).UpdateShipment, (*runner).shipmentID),
	"update_container":            updating((*terminal49test.Server).UpdateContainer, (*runner).containerID),
	"update_tracking_request":     updating((*terminal49test.Server).UpdateTrackingRequest, sameID),
	"update_port":                 updating((*terminal49test.Server).UpdatePort, sameID),
	"update_vessel":               updating((*terminal49test.Server).UpdateVessel, sameID),
	"update_document":             updating((*terminal49test.Server).UpdateDocument, sameID),
	"update_webhook":              updating((*terminal49test.Server).UpdateWebhook, sameID),
	"update_webhook_notification": updating((*terminal49test.Server).UpdateWebhookNotification, sameID),

	"remove_container": taking((*runner).removeContainer),
	"merge_shipments":  taking((*runner).mergeShipments),

	"script":          taking((*runner).script),
	"track":           taking((*runner).track),
	"begin":           taking((*runner).begin),
	"step":            taking((*runner).step),
	"script_document": taking((*runner).scriptDocument),
	"receive_email":   taking((*runner).receiveEmail),

	"seed_demo":        taking((*runner).seedDemo),
	"seed_traffic":     taking((*runner).seedTraffic),
	"touch_containers": taking((*runner).touchContainers),

	"fault":        taking(func(r *runner, f terminal49test.Fault) (any, error) { r.server.AddFault(f); return nothing{}, nil }),
	"clear_faults": taking(func(r *runner, _ nothing) (any, error) { r.server.ClearFaults(); return nothing{}, nil }),

	"redeliver":        taking((*runner).redeliver),
	"hold_webhooks":    taking(func(r *runner, _ nothing) (any, error) { r.server.HoldWebhooks(true); return nothing{}, nil }),
	"release_webhooks": taking(func(r *runner, _ nothing) (any, error) { r.server.HoldWebhooks(false); return nothing{}, nil }),
	"webhook_noise":    taking((*runner).webhookNoise),
}

// nothing is the value of a command without parameters: {} or true.
type nothing struct{}

// readNothing refuses what the command would ignore.
func readNothing(value any, n *nothing) error {
	if value == true {
		return nil
	}
	return forms.Fields(value, n)
}

// identified is a result, or the value of a command, with an id only.
type identified struct {
	ID string `json:"id"`
}

func taking[T any](do func(*runner, T) (any, error)) command {
	return command{reflect.TypeFor[T](), func(r *runner, value any) (any, error) {
		var form T
		if err := forms.Set(value, &form); err != nil {
			return nil, err
		}
		return do(r, form)
	}}
}

// adding is a command that adds a resource and returns its id.
func adding[T any](add func(*terminal49test.Server, T) string) command {
	return taking(func(r *runner, value T) (any, error) { return identified{add(r.server, value)}, nil })
}

// addingTo is adding for a resource of others, which find looks up: by id, or by number.
func addingTo[T any](add func(*terminal49test.Server, T) string, find func(*runner, *T) error) command {
	return taking(func(r *runner, value T) (any, error) {
		if err := find(r, &value); err != nil {
			return nil, err
		}
		return identified{add(r.server, value)}, nil
	})
}

// changes is the value of a command that changes members of a resource.
type changes[T any] struct {
	ID  string     `json:"id"`
	Set members[T] `json:"set"`
}

// members are some members of a T.
type members[T any] map[string]any

func updating[T any](update func(s *terminal49test.Server, id string, change func(*T)) bool, idOf func(*runner, string) string) command {
	// What a T cannot have is refused, so that no resource is changed in part.
	forms.ReadWith(func(value any, m *members[T]) error {
		*m, _ = value.(map[string]any)
		return forms.Fields(value, new(T))
	})
	forms.Describe[members[T]](func(s *forms.Schemas) forms.Object {
		return forms.WithoutRequired(s.Struct(reflect.TypeFor[T]()))
	})
	return taking(func(r *runner, c changes[T]) (any, error) {
		id := idOf(r, c.ID)
		var err error
		if !update(r.server, id, func(row *T) { err = forms.Fields(map[string]any(c.Set), row) }) {
			return nil, unknownID("id", c.ID)
		}
		return identified{id}, err
	})
}

// containerID returns the id of a container that is named by its number, and any other text.
func (r *runner) containerID(idOrNumber string) string {
	if _, ok := r.server.Container(idOrNumber); !ok {
		if id, ok := r.server.ContainerID(idOrNumber); ok {
			return id
		}
	}
	return idOrNumber
}

// shipmentID is containerID for shipments.
func (r *runner) shipmentID(idOrNumber string) string {
	if id, ok := r.server.ShipmentID(idOrNumber); ok {
		return id
	}
	return idOrNumber
}

// findShipment replaces the number of a shipment by its id. A resource may have none.
func (r *runner) findShipment(member string, key *string) error {
	*key = r.shipmentID(*key)
	if _, ok := r.server.Shipment(*key); !ok && *key != "" {
		return unknownID(member, *key)
	}
	return nil
}

// findContainerOf is findShipment for containers.
func (r *runner) findContainerOf(key *string) error {
	*key = r.containerID(*key)
	if _, ok := r.server.Container(*key); !ok && *key != "" {
		return unknownID("container", *key)
	}
	return nil
}

func (r *runner) findContainer(c *terminal49test.Container) error {
	return r.findShipment("shipment", &c.Shipment)
}

func (r *runner) findTransportEvent(e *terminal49test.TransportEvent) error {
	return cmp.Or(r.findContainerOf(&e.Container), r.findShipment("shipment", &e.Shipment))
}

func (r *runner) findRawEvent(e *terminal49test.RawEvent) error {
	return r.findContainerOf(&e.Container)
}

func (r *runner) findPartyRole(p *terminal49test.PartyRole) error {
	return cmp.Or(r.findContainerOf(&p.Container), r.findShipment("shipment", &p.Shipment))
}

func sameID(_ *runner, id string) string { return id }

func unknownID(member, id string) error {
	return &forms.Error{Member: member, Problem: fmt.Sprintf("is %q, which does not exist in this world", id)}
}

// clock is the result of a command that moves the clock.
type clock struct {
	Now   time.Time `json:"now"` // in whole seconds, as the service sends times
	Speed float64   `json:"speed"`
}

func (r *runner) clock() clock {
	return clock{r.server.Now().Truncate(time.Second), r.server.Speed()}
}

func (r *runner) advance(d time.Duration) (any, error) {
	if d < 0 {
		return nil, &forms.Error{Problem: "must not be negative: the clock cannot go back; reset the world instead"}
	}
	r.server.Advance(d)
	return r.clock(), nil
}

func (r *runner) setClock(to time.Time) (any, error) {
	now := r.server.Now()
	if !r.server.AdvanceTo(to) {
		return nil, &forms.Error{Problem: fmt.Sprintf("must be within a century after %s, the world's time: the clock cannot go back; "+
			"reset the world instead", now.Format(time.RFC3339))}
	}
	return r.clock(), nil
}

func (r *runner) setSpeed(n float64) (any, error) {
	if n < 0 || n > 1_000_000 {
		return nil, &forms.Error{Problem: "must be 0 to 1000000"}
	}
	if now := r.server.Speed(); n == 0 && now > 0 {
		r.before = now
	}
	r.server.SetSpeed(n)
	return r.clock(), nil
}

// resume sets the speed before the clock was stopped, or else 1.
func (r *runner) resume(nothing) (any, error) {
	if r.server.Speed() > 0 {
		return r.clock(), nil
	}
	return r.setSpeed(max(r.before, 1))
}
