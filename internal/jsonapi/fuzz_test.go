package jsonapi

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzDecode compares the engine with encoding/json: they agree on what is JSON (except for nesting
// beyond the engine's limit), they read the same values, and nothing panics.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"id":"1","type":"thing","attributes":{"text":"a\u00fc\ud83d\ude00","words":["a",null],"number":"12","float":1.5e3,"flag":true,"inner":{"name":"n"},"parts":[{"name":"p"}],"blob":{"x":[1]}},"relationships":{"one":{"data":{"type":"other","id":"2"}},"many":{"data":[{"type":"thing","id":"1"}]}},"links":{"self":"/x"}},"included":[{"attributes":{"a":1},"relationships":{},"type":"other","id":"2"}],"links":{"next":"n"},"meta":{"size":1,"total":"2"}}`,
		`{"data":[{"id":"1","type":"thing"},null,7]}`, `{"data":null}`, `{"errors":[{"title":"a","source":{"pointer":"/x"}}]}`,
		`{"error":"x"}`, `[[[[`, `{"data":"\ud800"}`, "{\"data\":\"\xff\"}", `{"data":{"attributes":{"number":1e999999999}}}`, `"`, ` {} x`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	registry := things()
	f.Fuzz(func(t *testing.T, body []byte, keepRaw bool) {
		before := bytes.Clone(body)
		warned := 0
		items, doc, err := Decode[thing](body, Options{Types: registry, KeepRaw: keepRaw, Strict: true, Report: func(Warning) { warned++ }})
		if !bytes.Equal(before, body) {
			t.Fatal("the bytes were changed")
		}
		if warned > len(body) {
			t.Fatalf("%d warnings for %d bytes", warned, len(body))
		}
		valid := json.Valid(body)
		if err == nil && !valid {
			t.Fatalf("read what is not JSON: %q", body)
		}
		if err != nil && valid && err != ErrNotDocument && depth(body) < maxDepth {
			t.Fatalf("%v: %q", err, body)
		}
		for _, object := range Errors(body) {
			if object.Title+object.Detail+object.Code+object.Status == "" {
				t.Fatalf("an empty error object: %q", body)
			}
		}
		if err != nil {
			return
		}
		if doc == nil {
			t.Fatal("neither a document nor an error")
		}
		for _, item := range items {
			if !utf8.ValidString(item.text) || !utf8.ValidString(item.id.ID) {
				t.Fatalf("a string that is not UTF-8: %q", body)
			}
			if keepRaw && !json.Valid(item.id.Raw) || item.blob != "" && !json.Valid([]byte(item.blob)) {
				t.Fatalf("raw bytes that are not JSON: %q", item.id.Raw)
			}
		}
		sameText(t, body, items)
	})
}

// sameText compares a resource's text with that of encoding/json, if there is exactly one.
func sameText(t *testing.T, body []byte, items []*thing) {
	var plain struct {
		Data struct {
			Attributes struct{ Text json.RawMessage }
		}
	}
	if len(items) != 1 || !utf8.Valid(body) || json.Unmarshal(body, &plain) != nil || bytes.Count(body, []byte("ext")) != 1 || bytes.Contains(body, []byte(`\u`)) {
		return
	}
	var want string
	if !bytes.Contains(body, []byte(`"text"`)) || json.Unmarshal(plain.Data.Attributes.Text, &want) != nil {
		return
	}
	if items[0].text != want {
		t.Fatalf("text %q, want %q: %q", items[0].text, want, body)
	}
}

// depth returns an upper limit of the nesting of JSON.
func depth(body []byte) (n int) {
	return bytes.Count(body, []byte("[")) + bytes.Count(body, []byte("{"))
}
