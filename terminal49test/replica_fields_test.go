package terminal49test

import (
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"
)

// sharedFields are the fields that a copy of a world shares with the world.
var sharedFields = map[string]string{
	"lock": "of the server", "clock": "of the server", "renderers": "functions that do not change", "ids": "a copy generates none",
	"journeys": "only tracking reads them", "merged.into": "only journeys read it", "merged.origin": "only journeys read it",
	"pollPlanned": "only tracking reads it", "requestsOf": "only tracking reads it", "shipmentsOf": "only tracking reads it",
	"docs.scripts": "only the processing of documents reads them", "docs.grants": "a presigned URL is valid at once",
	"docs.blobs": "only the creation of documents reads them", "synthetic": "its rows do not change", "traffic": "only tasks read it",
}

// leftOut are the fields that a copy does not have.
var leftOut = map[string]string{
	"Schedule": "a copy runs no tasks", "webhookStore.deliveryQueue": "a copy delivers nothing",
	"history": "methods of the server read it", "replicas": "copies of copies",
}

// Source: the documentation of WithReplicaLag: the whole world as it was at a moment. A new field
// is copied, or is in one of the lists above.
func TestReplica_CopiesEveryFieldOfAWorld(t *testing.T) {
	w := NewServer(WithoutSocket(), WithoutReferenceData(), WithReplicaLag(1, time.Hour)).world
	fillWorld(reflect.ValueOf(w).Elem(), "")
	named := map[string]bool{}
	compareFields(t, "", reflect.ValueOf(w).Elem(), reflect.ValueOf(w.copy()).Elem(), named)
	for _, list := range []map[string]string{sharedFields, leftOut} {
		for name := range list {
			if !named[name] {
				t.Errorf("%s is not a field of a world", name)
			}
		}
	}
}

// fillWorld sets the fields that a copy must have. Each table gets a row.
func fillWorld(v reflect.Value, path string) {
	for i := range v.NumField() {
		f, name := settable(v.Field(i)), under(path, v.Type().Field(i).Name)
		switch rows := f.Kind() == reflect.Struct && f.FieldByName("Rows").IsValid(); {
		case sharedFields[name] != "" || leftOut[name] != "":
		case rows:
			fill(settable(f.FieldByName("Rows")), "1")
		case f.Kind() == reflect.Struct && f.Type() != reflect.TypeFor[time.Time]():
			fillWorld(f, name)
		default:
			fill(f, "1")
		}
	}
}

// compareFields reports the fields that a copy lacks, and those that it shares.
func compareFields(t *testing.T, path string, from, to reflect.Value, named map[string]bool) {
	for i := range from.NumField() {
		a, b, name := settable(from.Field(i)), settable(to.Field(i)), under(path, from.Type().Field(i).Name)
		switch own := a.Kind() == reflect.Struct && a.Type() != reflect.TypeFor[time.Time](); {
		case sharedFields[name] != "" || leftOut[name] != "":
			named[name] = true
		case own && !a.FieldByName("Rows").IsValid():
			compareFields(t, name, a, b, named)
		case !reflect.DeepEqual(a.Interface(), b.Interface()):
			t.Errorf("a copy of a world has %s\n%+v\nwant\n%+v", name, b, a)
		default:
			reportShared(t, name, a, b)
		}
	}
}

// reportShared reports what two equal values both refer to. Fields that are not exported are
// replaced as a whole, and so are bytes; the lists of an index are replaced, or grow.
func reportShared(t *testing.T, path string, a, b reflect.Value) {
	switch a.Kind() {
	case reflect.Map, reflect.Pointer, reflect.Slice:
		if a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.Uint8 || a.IsNil() {
			return
		}
		if a.Pointer() == b.Pointer() {
			t.Errorf("a copy of a world shares %s: copy it, or say in sharedFields why not", path)
			return
		}
	}
	switch a.Kind() {
	case reflect.Map:
		for _, key := range a.MapKeys() {
			if a.Type().Elem().Kind() != reflect.Slice {
				reportShared(t, path+"["+key.String()+"]", a.MapIndex(key), b.MapIndex(key))
			}
		}
	case reflect.Pointer:
		reportShared(t, path, a.Elem(), b.Elem())
	case reflect.Slice:
		reportShared(t, path+"[0]", a.Index(0), b.Index(0))
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() {
				reportShared(t, path+"."+f.Name, a.Field(i), b.Field(i))
			}
		}
	}
}

func under(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// settable returns a field that can be read and set, also if it is not exported.
func settable(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// fill sets all fields of a value, also those that are not exported. A map has the key "1".
func fill(v reflect.Value, text string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(1e21)
	case reflect.Interface:
		v.Set(reflect.ValueOf("<" + text))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Uint8:
		v.SetUint('a')
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text)
		fill(item, text)
		v.SetMapIndex(key, item)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(settable(v.Field(i)), text)
		}
	default:
		panic(fmt.Sprint("fill does not know ", v.Type()))
	}
}
