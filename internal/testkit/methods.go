package testkit

import (
	"context"
	"io"
	"iter"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
)

// Usable returns a value of an argument type that the client accepts.
func Usable(t *testing.T, typ reflect.Type) reflect.Value {
	t.Helper()
	leg := terminal49.VesselLeg{NextPortID: PortID, PreviousPortID: OtherPortID}
	for _, v := range []any{
		ShipmentID, 90, terminal49.EventContainerUpdated, []terminal49.EventName{terminal49.EventContainerUpdated},
		terminal49.CustomText("a"), terminal49.GroupByStatus, terminal49.ContainerFilter{}, monday,
		terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"a"})},
		terminal49.ContainerUpdate{ReferenceNumbers: terminal49.Some([]string{"a"})},
		terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("a")}, FullCreate(),
		terminal49.DocumentCreate{Name: "a", AttachedDocument: terminal49.NewSecret("b")},
		terminal49.DocumentUpdate{DocumentTypeManual: terminal49.Some("a")},
		terminal49.WebhookTrigger{URL: EndpointURL, Event: terminal49.EventContainerUpdated},
		terminal49.WebhookCreate{URL: EndpointURL, Events: []terminal49.EventName{terminal49.EventContainerUpdated}},
		terminal49.PartyRoleConsignee,
		terminal49.WebhookUpdate{Active: terminal49.Some(true)},
		terminal49.PartyFields{CompanyName: "a"}, leg,
		terminal49.Coordinates{},
		terminal49.CustomFieldCreate{APISlug: "a", ShipmentID: ShipmentID, Value: terminal49.CustomText("a")},
		terminal49.CustomFieldDefinitionCreate{EntityType: terminal49.CustomFieldEntityShipment, APISlug: "a",
			DisplayName: "a", DataType: terminal49.CustomFieldShortText},
		terminal49.CustomFieldDefinitionUpdate{DisplayName: terminal49.Some("a")},
		terminal49.CustomFieldOptionCreate{Label: "a", Value: "b"},
		terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("a")}, time.Time{}, []terminal49.CallOption{},
		&terminal49.TrackParams{SCAC: "MAEU", RequestType: terminal49.RequestTypeBillOfLading},
		&terminal49.TrackAllParams{TrackParams: terminal49.TrackParams{SCAC: "MAEU",
			RequestType: terminal49.RequestTypeBillOfLading}},
		&terminal49.Document{DocumentType: "commercial_invoice"},
		slices.Values([]terminal49.TrackingRequestCreate{FullCreate()}), []string{RequestID},
	} {
		if reflect.TypeOf(v).AssignableTo(typ) {
			return reflect.ValueOf(v)
		}
	}
	switch {
	case typ == reflect.TypeFor[io.Writer]():
		return reflect.ValueOf(io.Discard)
	case typ.Kind() == reflect.Pointer: // of params; a value of its own, for texts to be put in
		return reflect.New(typ.Elem())
	}
	t.Fatalf("no usable %v: add one", typ)
	return reflect.Value{}
}

// Method is a method of a service.
type Method struct {
	Name string
	Args []reflect.Type // without the context and the options

	Results func(*terminal49.Client, context.Context, []reflect.Value, []terminal49.CallOption) []reflect.Value
}

// Methods returns the methods of all services whose first argument is a context, except Upload.
func Methods() (list []Method) {
	services := reflect.TypeFor[terminal49.Client]()
	for field := range services.NumField() {
		service := services.Field(field)
		if !service.IsExported() {
			continue
		}
		for i := range service.Type.NumMethod() {
			m := service.Type.Method(i)
			if m.Type.NumIn() < 2 || m.Type.In(1) != reflect.TypeFor[context.Context]() || m.Name == "Upload" {
				continue // Upload has tests of its own
			}
			var args []reflect.Type
			for in := 2; in < m.Type.NumIn()-1; in++ {
				args = append(args, m.Type.In(in))
			}
			list = append(list, Method{service.Name + "." + m.Name, args,
				func(c *terminal49.Client, ctx context.Context, args []reflect.Value, opts []terminal49.CallOption) []reflect.Value {
					in := append([]reflect.Value{reflect.ValueOf(c).Elem().Field(field), reflect.ValueOf(&ctx).Elem()}, args...)
					return m.Func.CallSlice(append(in, reflect.ValueOf(opts)))
				}})
		}
	}
	return list
}

// OutcomeOf returns the error of a method. An iterator is walked to its end.
func OutcomeOf(results []reflect.Value) (err error) {
	last := results[len(results)-1]
	switch v := last.Interface().(type) {
	case nil:
		return nil
	case error:
		return v
	case iter.Seq[terminal49.TrackOutcome]:
		for outcome := range v {
			err = outcome.Err
		}
		return err
	case iter.Seq[terminal49.FindOutcome]:
		for outcome := range v {
			err = outcome.Err
		}
		return err
	case iter.Seq[terminal49.WaitOutcome]:
		for outcome := range v {
			err = outcome.Err
		}
		return err
	}
	for _, e := range last.Seq2() {
		if !e.IsNil() {
			return e.Interface().(error)
		}
	}
	return nil
}
