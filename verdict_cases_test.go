package terminal49_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// verdictCases are the wanted verdicts of testdata/verdicts.json. They were written down from the
// service's samples before the rule: the four rail events of its webhook guide (S1 to S4), a
// captured response (L1), and the containers of the examples in its OpenAPI document. The cases on
// the base P are invented, and follow from the readiness rule of the service.
type verdictCases struct {
	Ports     map[string][2]string // name and zone, by UN/LOCODE
	Terminals map[string]map[string]any
	Bases     map[string]verdictCase
	Cases     []verdictCase
}

// verdictCase is what the service sends about a container, as changes to a base, and the verdict.
type verdictCase struct {
	Name, Base          string
	Now                 time.Time
	Container, Shipment map[string]any
	Events              []map[string]any
	Drop                []string
	NoShipment          bool    `json:"no_shipment"`
	PODTerminal         *string `json:"pod_terminal"`
	PickupFacility      *string `json:"pickup_facility"`
	Want                wantedVerdict
}

type wantedVerdict struct {
	Situation   terminal49.Situation
	Action      string // what one should do now: send, pay, clear, check, wait or none
	Place       string
	BoundFor    string `json:"bound_for"`
	CanPickUp   bool   `json:"can_pick_up"`
	Urgency     terminal49.UrgencyLevel
	DaysLeft    *int `json:"days_left"`
	Contradicts []string
	Sentence    string
}

func readVerdictCases(t testing.TB) verdictCases {
	t.Helper()
	data, err := os.ReadFile("testdata/verdicts.json")
	require.NoError(t, err)
	var all verdictCases
	require.NoError(t, json.Unmarshal(data, &all))
	for i := range all.Cases {
		all.Cases[i] = all.Cases[i].on(all.Bases[all.Cases[i].Base])
	}
	return all
}

// on returns the case with what its base has and the case does not change. An empty shipment is
// none.
func (c verdictCase) on(base verdictCase) verdictCase {
	kept := maps.Clone(base.Container)
	for _, name := range c.Drop {
		delete(kept, name)
	}
	maps.Copy(kept, c.Container)
	c.Container = kept
	if c.NoShipment = c.NoShipment || c.Shipment != nil && len(c.Shipment) == 0; !c.NoShipment {
		shipment := maps.Clone(base.Shipment)
		maps.Copy(shipment, c.Shipment)
		c.Shipment = shipment
	}
	if c.Now.IsZero() {
		c.Now = base.Now
	}
	if c.Events == nil {
		c.Events = base.Events
	}
	if c.PODTerminal == nil {
		c.PODTerminal = base.PODTerminal
	}
	if c.PickupFacility == nil {
		c.PickupFacility = base.PickupFacility
	}
	return c
}

type object = map[string]any

// read returns the container as the client decodes it, with the events also to be given apart.
func (all verdictCases) read(t testing.TB, c verdictCase) *terminal49.Container {
	t.Helper()
	doc := &document{all: all}
	relationships := object{"transport_events": doc.toMany(c.Events)}
	for name, id := range map[string]*string{"pod_terminal": c.PODTerminal, "pickup_facility": c.PickupFacility} {
		if id != nil && *id != "" {
			relationships[name] = doc.terminal(*id)
		}
	}
	if len(c.Shipment) > 0 && !c.NoShipment {
		doc.include("shipment", "s", c.Shipment, nil)
		relationships["shipment"] = linkage("shipment", "s")
	}
	container := object{"id": "c", "type": "container", "attributes": c.Container, "relationships": relationships}
	body, err := json.Marshal(object{"data": []any{container}, "included": doc.included})
	require.NoError(t, err)
	page, err := testkit.NewClient(t, testkit.Answer(http.StatusOK, string(body))).Containers.List(t.Context(), nil)
	require.NoError(t, err, c.Name)
	require.Len(t, page.Items, 1)
	return page.Items[0]
}

// document collects the included resources of a response.
type document struct {
	all      verdictCases
	included []object
}

func linkage(typ, id string) object { return object{"data": object{"type": typ, "id": id}} }

func (d *document) include(typ, id string, attributes, relationships object) {
	d.included = append(d.included, object{"id": id, "type": typ, "attributes": attributes, "relationships": relationships})
}

func (d *document) port(typ, locode string) object {
	place := d.all.Ports[locode]
	d.include(typ, locode, object{"name": place[0], "code": locode, "time_zone": place[1]}, nil)
	return linkage(typ, locode)
}

// terminal returns the linkage to a terminal, and includes it if its attributes are known.
func (d *document) terminal(id string) object {
	if attributes, known := d.all.Terminals[id]; known {
		attributes, relationships := maps.Clone(attributes), object{}
		if locode, ok := attributes["port"].(string); ok {
			relationships["port"] = d.port("port", locode)
		}
		if locode, ok := attributes["metro"].(string); ok {
			relationships["metro_area"] = d.port("metro_area", locode)
		}
		delete(attributes, "port")
		delete(attributes, "metro")
		d.include("terminal", id, attributes, relationships)
	}
	return linkage("terminal", id)
}

func (d *document) toMany(events []map[string]any) object {
	linked := []object{}
	for i, e := range events {
		id, relationships := fmt.Sprintf("e%d", i), object{"container": linkage("container", "c")}
		locode, _ := e["location"].(string)
		if locode != "" {
			relationships["location"] = d.port("port", locode)
		}
		if terminal, ok := e["terminal"].(string); ok {
			relationships["terminal"] = d.terminal(terminal)
		}
		d.include("transport_event", id, object{
			"event": "container.transport." + e["event"].(string), "timestamp": e["timestamp"], "timezone": e["timezone"], "location_locode": e["location"],
		}, relationships)
		linked = append(linked, object{"type": "transport_event", "id": id})
	}
	return object{"data": linked}
}

func TestAssess_WantedVerdicts(t *testing.T) {
	all := readVerdictCases(t)
	require.Greater(t, len(all.Cases), 60)
	for _, c := range all.Cases {
		t.Run(c.Name, func(t *testing.T) {
			container := all.read(t, c)
			v := terminal49.Assess(container, c.Now, terminal49.VerdictOptions{})
			want := c.Want
			assert.Equal(t, want.Situation, v.Situation)
			assert.Equal(t, want.Place, v.Place.String(), "place")
			assert.Equal(t, want.BoundFor, v.BoundFor.String(), "bound for")
			assert.Equal(t, want.CanPickUp, v.Readiness.CanPickUp(c.Now, 24*time.Hour), "can pick up")
			assert.Equal(t, v.Readiness, terminal49.PickupReadiness(container), "the readiness is that of PickupReadiness")
			if want.Urgency != "" {
				assert.Equal(t, want.Urgency, v.Urgency, "urgency: %s", v.UrgencyReason)
			}
			if want.DaysLeft != nil {
				assert.Equal(t, terminal49.Some(*want.DaysLeft), v.DaysLeft)
			}
			if want.Contradicts != nil {
				var names []string
				for _, f := range v.Against {
					names = append(names, f.Name)
				}
				assert.Equal(t, want.Contradicts, names)
			}
			if want.Sentence != "" {
				assert.Equal(t, want.Sentence, v.String())
			}
			requireConsistent(t, v, c.Now)
		})
	}
}

// requireConsistent requires what holds for every verdict.
func requireConsistent(t testing.TB, v terminal49.Verdict, now time.Time) {
	t.Helper()
	ready := v.Situation == terminal49.SituationReady || v.Situation == terminal49.SituationPayFirst
	require.Equal(t, ready, v.Readiness.CanPickUp(now, 24*time.Hour), "a truck is sent only to what can be picked up: %s", v)
	require.NotContains(t, v.String(), "  ")
	require.False(t, strings.Contains(v.String(), "%!"), v.String())
	data, err := json.Marshal(v)
	require.NoError(t, err)
	var shown struct{ Situation, Sentence string }
	require.NoError(t, json.Unmarshal(data, &shown))
	require.Equal(t, []string{string(v.Situation), v.String()}, []string{shown.Situation, shown.Sentence})
}
