package terminal49

import (
	"reflect"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/transport"
)

// These exports are for the external tests of this package.

// Bounds and lists.
const (
	Snippet         = snippet
	MaxPlain        = maxPlain
	MaxBarrenPages  = maxBarrenPages
	MaxPollFailures = maxPollFailures
)

// FailedReasons returns the documented reasons of failed tracking requests.
func FailedReasons() []FailedReason { return failedReasons }

// CustomFieldDataTypes returns the documented data types of custom fields.
func CustomFieldDataTypes() []CustomFieldDataType { return customFieldDataTypes }

// MapFeatureTypes returns the documented types of map features.
func MapFeatureTypes() []MapFeatureType { return mapFeatureTypes }

// ReadMap reads the map of a container.
func ReadMap(body []byte) (*ContainerMap, error) { return readMap(body, jsonapi.Options{}) }

// Forget drops the JSON that a feature keeps.
func (f *sentFeature) Forget() { *f = sentFeature{} }

// Base returns the base URL of the client.
func (c *Client) Base() string { return c.base }

// Check validates the value as a request does.
func (v CustomFieldValue) Check() error { return v.check("Value") }

// Moment returns the instant of t, and whether t is a day without a time.
func (t Time) Moment() (instant time.Time, day bool) { return t.utc(), t.day }

// ResourceOf returns the identity that v, a pointer to any resource, embeds.
func ResourceOf(v any) *Resource { return v.(interface{ resource() *Resource }).resource() }

// OptState returns the state of v, an Opt of any type.
func OptState(v reflect.Value) (missing, null, value bool) {
	state := optState(v.Field(1).Uint())
	return state == optMissing, state == optNull, state == optValue
}

// Printable returns text of the service as errors show it.
func Printable(s string) string { return printable(s) }

// Jitter spreads a wait as the waiters do.
func Jitter(d time.Duration) time.Duration { return jitter(d) }

// Collect returns all items of a sequence, or its error.
func Collect[T any](seq func(func(*T, error) bool)) ([]*T, error) { return collectAll(seq) }

// LostWrite returns the error of a write whose connection ended after three attempts.
func LostWrite(err error) error {
	return transportError(transport.Call{Op: "a.b", Class: transport.Write},
		&transport.Error{Op: "a.b", Method: "POST", Route: "/a", Err: err, Attempts: 3, MayHaveBeenSent: true}, nil)
}

// Attributes and relationships of the fixtures that decode_fixtures_test.go explains.
const (
	ShipmentAttributes     = shipmentAttributes
	ShipmentRelationships  = shipmentRelationships
	ContainerAttributes    = containerAttributes
	ContainerRelationships = containerRelationships
)

// namesOf returns the wire names of the members of v, a pointer to a value object.
func namesOf(v any) []string { return jsonapi.NewTable(model{}, v).Names() }
