package terminal49test_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// A resource comes back with every field as it was added, and neither the value that was added nor
// the one that was returned is the server's own.
func TestServer_ReturnsEveryFieldOfAResource(t *testing.T) {
	returnsEveryField(t, (*terminal49test.Server).AddContainer, (*terminal49test.Server).Container)
	returnsEveryField(t, (*terminal49test.Server).AddDocument, (*terminal49test.Server).Document)
	returnsEveryField(t, (*terminal49test.Server).AddPartyRole, (*terminal49test.Server).PartyRole)
	returnsEveryField(t, (*terminal49test.Server).AddShipment, (*terminal49test.Server).Shipment)
	returnsEveryField(t, (*terminal49test.Server).AddTrackingRequest, (*terminal49test.Server).TrackingRequest)
	returnsEveryField(t, (*terminal49test.Server).AddWebhook, (*terminal49test.Server).Webhook)
}

func returnsEveryField[T any](t *testing.T, add func(*terminal49test.Server, T) string, get func(*terminal49test.Server, string) (T, bool)) {
	t.Helper()
	srv := newServer(t)
	added, want := example(reflect.TypeFor[T]()), example(reflect.TypeFor[T]())
	id := add(srv, added.Interface().(T))
	overwrite(added)
	got, ok := get(srv, id)
	require.True(t, ok)
	require.Equal(t, exportedFields(want), exportedFields(reflect.ValueOf(got)))
	overwrite(reflect.ValueOf(&got).Elem())
	got, _ = get(srv, id)
	require.Equal(t, exportedFields(want), exportedFields(reflect.ValueOf(got)))
}

func exportedFields(v reflect.Value) map[string]any {
	fields := map[string]any{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			fields[f.Name] = v.Field(i).Interface()
		}
	}
	return fields
}

// overwrite changes everything that a value refers to, except within values of any type.
func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				overwrite(v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Elem().SetZero()
	case reflect.Map:
		v.Clear()
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
			v.Index(i).SetZero()
		}
	}
}
