package terminal49test

import (
	"errors"
	"reflect"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// effects has the type of each action by the name of its function in snake case.
var effects = map[string]effect{
	"milestone": milestone{}, "set_attribute": setAttribute{}, "status": setStatus{}, "tracking_stopped": trackingStopped{},
	"empty_out": emptyOut{}, "full_in": fullIn{}, "vessel_loaded": vesselLoaded{}, "vessel_departed": vesselDeparted{},
	"pod_eta": podETA{}, "pod_vessel": podVessel{}, "vessel_arrived": vesselArrived{}, "vessel_discharged": vesselDischarged{},
	"rail_loaded": railLoaded{}, "pod_full_out": podFullOut{}, "rail_departed": railDeparted{}, "rail_arrived": railArrived{}, "rail_unloaded": railUnloaded{},
	"available": available{}, "hold_placed": holdPlaced{}, "hold_cleared": holdCleared{},
	"fee_posted": feePosted{}, "fee_cleared": feeCleared{}, "fee_accrues": feeAccrues{},
	"pickup_lfd": pickupLFD{}, "pickup_appointment": pickupAppointment{}, "full_out": fullOut{}, "empty_in": emptyIn{},
	"document_received": documentReceived{}, "party_assigned": partyAssigned{},
}

// MarshalJSON returns the action's form, such as {"do":"pickup_lfd","source":"terminal","days":5}.
// It fails for [Custom].
func (a Action) MarshalJSON() ([]byte, error) {
	for name, e := range effects {
		if reflect.TypeOf(e) != reflect.TypeOf(a.effect) {
			continue
		}
		parameters, err := forms.Encode(a.effect)
		if err != nil {
			return nil, err
		}
		return joinObjects(wire.Object{{"do", name}}.AppendTo(nil), parameters), nil
	}
	return nil, errors.New("a Custom action has no form in JSON; use the other functions that return an Action")
}

// UnmarshalJSON reads an action's form.
func (a *Action) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, a) }

// read reads an action from an object that also has the members of other structs.
func (a *Action) read(value any, others ...any) error {
	object, _ := value.(map[string]any)
	name, named := object["do"].(string)
	e := effects[name]
	if e == nil && named {
		return &forms.Error{Member: "do", Problem: "is not an action" + forms.Instead(forms.Nearest(name, state.SortedKeys(effects)))}
	}
	into := append(others, &struct {
		Do string `json:"do"`
	}{})
	if e == nil {
		return forms.Fields(value, into...)
	}
	parameters := reflect.New(reflect.TypeOf(e))
	err := forms.Fields(value, append(into, parameters.Interface())...)
	a.effect = parameters.Elem().Interface().(effect)
	return err
}

// MarshalJSON returns the step's form: that of its action, with "after" and "container".
func (s Step) MarshalJSON() ([]byte, error) {
	when, err := forms.Encode(s)
	if err != nil {
		return nil, err
	}
	do, err := s.Do.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return joinObjects(when, do), nil
}

// UnmarshalJSON reads a step's form.
func (s *Step) UnmarshalJSON(raw []byte) error { return forms.Decode(raw, s) }

// joinObjects returns a JSON object with the members of two.
func joinObjects(a, b []byte) []byte {
	if len(a) > 2 && len(b) > 2 {
		b[0] = ','
		return append(a[:len(a)-1], b...)
	}
	if len(a) > 2 {
		return a
	}
	return b
}
