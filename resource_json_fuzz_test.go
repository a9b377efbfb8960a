package terminal49_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzStored checks that what a resource accepts as JSON is written and read back as the same, and
// that nothing else than JSON is accepted.
func FuzzStored(f *testing.F) {
	for i, seed := range []string{
		`{"id":"c","type":"container","attributes":{"pickup_lfd":"2026-11-24T16:00:00Z","pod_timezone":"Asia/Shanghai"}}`,
		`{"data":{"id":"s","type":"shipment","relationships":{"containers":{"data":[{"type":"container","id":"c"}]}}}}`,
		`{"id":"c","type":"container","meta":{"as_of":"2026-01-01T00:00:00Z","zones":{"pickup_lfd":"unknown"}},"attributes":{"pickup_lfd":"2026-11-24"}}`,
		`{"id":"e","type":"container_updated_event","attributes":{"changeset":{"pickup_lfd":[null,"x"]}}}`,
		`{"id":"v","type":"vessel","attributes":{"positions":[{"timestamp":"2026-01-01T00:00:00-08:00"}]},"meta":{"zones":{"positions.0.timestamp":"unreported"}}}`,
		`{"id":"x","type":"odd","attributes":[],"meta":7}`, `null`, `{}`,
	} {
		f.Add(i, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		types := stored()
		of := reflect.TypeOf(types[(kind%len(types)+len(types))%len(types)]).Elem()
		first, second := reflect.New(of), reflect.New(of)
		if json.Unmarshal(data, first.Interface()) != nil || string(bytes.TrimSpace(data)) == "null" {
			return
		}
		text, err := json.Marshal(first.Interface())
		if err != nil {
			t.Fatalf("%s was read from %q and cannot be written: %v", of, data, err)
		}
		if err := json.Unmarshal(text, second.Interface()); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := json.Marshal(second.Interface())
		if err != nil || string(again) != string(text) {
			t.Fatalf("read from %q\nwritten as %s\nthen as %s %v", data, text, again, err)
		}
	})
}
