package terminal49test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// otherFields are the fields of a world that no line of a saved world consists of.
var otherFields = map[string]string{
	"lock": "of the server", "clock": "of the server; its time is in the first line", "instant": "Save writes the bodies of the instant",
	"ids": "in the first line: counts; the space follows from the seed", "account": "in the first line", "user": "in the first line",
	"credential": "in the first line", "trackingDelay": "an option", "renderers": "functions",
	"requestsOf": "follows from the rows, and lines of order", "shipmentsOf": "follows from the rows, and lines of order",
	"containerOf": "follows from the rows, and lines of order", "eventsOf": "follows from the rows, and lines of order",
	"rawEventsOf": "follows from the rows, and lines of order", "history": "not saved", "replicas": "not saved",
	"synthetic": "in the first line", "traffic": "in the first line",
	"webhookStore.deliveryQueue.enabled": "whether the server has a transport", "webhookStore.deliveryQueue.lateBodies": "an option",
	"webhookStore.deliveryQueue.noise": "an option", "webhookStore.deliveryQueue.lose": "a function of the server",
	"webhookStore.deliveryQueue.planned": "in the first line", "webhookStore.deliveryQueue.held": "in the first line",
	"webhookStore.deliveryQueue.due":        "lines of deliveries",
	"webhookStore.deliveryQueue.delivering": "a line of a delivery", "webhookStore.deliveryQueue.deliveries": "a log, not saved",
	"webhookStore.deliveryQueue.delivered": "the number of the log", "webhookStore.deliveryQueue.unwritten": "Save writes them",
	"webhookStore.deliveryQueue.bodyOrder": "the order of the lines of bodies", "docs.grants": "presigned URLs, not saved",
}

func TestSave_EveryFieldOfAWorldIsSavedOrNamed(t *testing.T) {
	s := NewServer(WithoutSocket(), WithSyntheticContainers(1))
	saved := map[string]bool{}
	at := func(address uintptr, of reflect.Type) string { return fmt.Sprint(address, of) }
	for _, part := range savedParts {
		if part.of == nil {
			continue
		}
		if v := reflect.ValueOf(part.of(s.world)); v.Kind() == reflect.Map {
			saved[at(v.Pointer(), v.Type())] = true
		} else {
			saved[at(v.Pointer(), v.Type().Elem())] = true
		}
	}
	named := map[string]bool{}
	var check func(v reflect.Value, path string)
	check = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			f, name := v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, ".")
			address := f.Addr().Pointer()
			if f.Kind() == reflect.Map {
				address = f.Pointer()
			}
			switch {
			case otherFields[name] != "":
				named[name] = true
			case saved[at(address, f.Type())]:
			case f.Kind() == reflect.Struct && f.Type().PkgPath() == v.Type().PkgPath():
				check(f, name)
			default:
				t.Errorf("no part of a saved world has %s: add one to savedParts, or say in otherFields why not", name)
			}
		}
	}
	check(reflect.ValueOf(s.world).Elem(), "")
	for name := range otherFields {
		if !named[name] {
			t.Errorf("%s is not a field of a world", name)
		}
	}
}

func TestSave_EveryFieldOfARowIsSaved(t *testing.T) {
	s := NewServer(WithoutSocket(), WithSpeed(0), WithoutReferenceData())
	tables := map[string]reflect.Value{}
	for _, part := range savedParts {
		if part.of == nil {
			continue
		}
		table := reflect.ValueOf(part.of(s.world))
		put := table.MethodByName("Put")
		if !put.IsValid() {
			continue
		}
		row := reflect.New(put.Type().In(1).Elem())
		fill(row.Elem(), "1")
		id := "1"
		switch row := row.Interface().(type) {
		case *customField:
			row.definition, row.value = "1", wire.Object{{Name: "type", Value: "party"}, {Name: "id", Value: "1"}}
		case *DocumentSchema:
			id = row.id()
		case *changeEvent:
			row.changeset = wire.Raw(`{"b":1,"a":"<"}`)
		}
		put.Call([]reflect.Value{reflect.ValueOf(id), row})
		tables[part.name] = table.Elem()
	}
	if len(tables) < 20 {
		t.Fatalf("%d tables", len(tables))
	}
	var file bytes.Buffer
	if err := s.Save(&file); err != nil {
		t.Fatal(err)
	}
	other := NewServer(WithoutSocket())
	if err := other.Load(&file); err != nil {
		t.Fatal(err)
	}
	for _, part := range savedParts {
		want, isTable := tables[part.name]
		if !isTable {
			continue
		}
		got := reflect.ValueOf(part.of(other.world)).Elem().FieldByName("Rows")
		if want := want.FieldByName("Rows"); !reflect.DeepEqual(got.Interface(), want.Interface()) {
			for _, key := range want.MapKeys() {
				t.Errorf("%s:\n%+v\nwant\n%+v", part.name, got.MapIndex(key).Elem(), want.MapIndex(key).Elem())
			}
		}
	}
}

func TestSave_EveryOptionIsSavedOrTheServers(t *testing.T) {
	var c config
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(); f.Kind() == reflect.Interface || f.Kind() == reflect.Func {
			continue // functions of the server
		}
		fill(f, "replace")
	}
	c.replicaShare, c.speed = 0.5, 2
	saved := c.saved().config()
	saved.keepOwn(c)
	if !reflect.DeepEqual(saved, c) {
		t.Errorf("%+v\nwant\n%+v", saved, c)
	}
}

func TestSchedule_DropKeepsTheOrder(t *testing.T) {
	var s state.Schedule[int]
	begin := time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)
	for i := range 100 {
		n := i * 37 % 100
		s.Plan(begin.Add(time.Duration(n)*time.Hour), n)
	}
	s.Drop(func(n int) bool { return n%3 == 0 })
	for want := range 100 {
		if want%3 == 0 {
			continue
		}
		if got, _ := s.Take(begin.Add(1000 * time.Hour)); got.Task != want {
			t.Fatalf("%d, want %d", got.Task, want)
		}
	}
}
