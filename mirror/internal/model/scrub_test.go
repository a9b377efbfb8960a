package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where the service has secrets. The forms are those of Amazon's
// signature version 4, of Rails' signed ids, and of RFC 7519 and 6750.
func TestScrub_TakesSecretsOut(t *testing.T) {
	const hidden = "hunter2hunter2hunter2"
	for name, sent := range map[string]string{
		"webhook's secret":           `{"type":"webhook","attributes":{"url":"https://a.example/x","secret":"` + hidden + `","active":true}}`,
		"webhook's headers":          `{"type":"webhook","attributes":{"headers":[{"name":"X-Key","value":"` + hidden + `"}]}}`,
		"an escaped name":            `{"attributes":{"s\u0065cret":"` + hidden + `"}}`,
		"a name in capitals":         `{"attributes":{"Secret":"` + hidden + `"}}`,
		"a member that occurs twice": `{"attributes":{"secret":"` + hidden + `","secret":null}}`,
		"direct upload":              `{"signed_id":"` + hidden + `","direct_upload":{"url":"https://s.example/","headers":{"x":"` + hidden + `"}}}`,
		"document's file":            `{"attributes":{"file_url":"https://s.example/a?X-Amz-Signature=` + hidden + `"}}`,
		"presigned address":          `{"links":{"download":"https://s.example/a?X-Amz-Expires=300&X-Amz-Signature=` + hidden + `"}}`,
		"ampersands as Rails writes": `{"links":{"download":"https://s.example/a?X-Amz-Expires=300\u0026X-Amz-Signature=` + hidden + `"}}`,
		"in a text":                  `{"a":["see https://s.example/` + hidden + `?sig=abc%2F\u0026x=1 now"]}`,
		"escaped twice":              `{"a":"https://s.example/?u=https%3A%2F%2Fb%3FX-Amz-Signature%3D` + hidden + `"}`,
		"escaped as in HTML":         `{"a":"https://s.example/?X-Amz-Signature&#61;` + hidden + `"}`,
		"signed id of Rails":         `{"a":"/rails/active_storage/blobs/redirect/eyJfcmFpbHMi` + hidden + `--0123456789abcdef0123/f.pdf"}`,
		"JSON web token":             `{"a":"eyJhbGciOiJIUzI1NiJ9.` + hidden + `.c2lnbmF0dXJl"}`,
		"API token":                  `{"a":"Authorization: Token ` + hidden + `"}`,
		"bearer token":               `{"a":"bearer ` + hidden + `"}`,
		"not JSON":                   `<a href="https://s.example/a?X-Amz-Signature=` + hidden + `">`,
	} {
		t.Run(name, func(t *testing.T) {
			assert.NotContains(t, string(Scrub([]byte(sent))), hidden)
			assert.Equal(t, json.Valid([]byte(sent)), json.Valid(Scrub([]byte(sent))))
		})
	}
}

func TestScrub_KeepsTheRest(t *testing.T) {
	for sent, want := range map[string]string{
		`{"attributes":{"secret":"abc","url":"https://a.example/x?y=1"}}`:                                    `{"attributes":{"secret":null,"url":"https://a.example/x?y=1"}}`,
		`{"a":"see https://s.example/?sig=abc today"}`:                                                       `{"a":"see [secret] today"}`,
		`{"tracking_url":"https://line.example/?bl=${BLNUM}","n":1.50,"big":123456789012345678901234567890}`: `{"tracking_url":"https://line.example/?bl=${BLNUM}","n":1.50,"big":123456789012345678901234567890}`,
		`{"description":"bearer documentation required for token payments"}`:                                 `{"description":"bearer documentation required for token payments"}`,
		`{"a":"x\u0000y","b":"\ud800"}`:                                                                      `{"a":"x\ufffdy","b":"\ufffd"}`,
		`{"a":1e99999}`:                                                                                      `{"a":"1e99999"}`,
	} {
		assert.JSONEq(t, want, string(Scrub([]byte(sent))), sent)
	}
	const plain = `{ "number" : "CAIU1234567", "weight":1.0e2 }`
	assert.Equal(t, plain, string(Scrub([]byte(plain))), "as it was sent")
}

// A secret anywhere in a random resource is found, however it is nested and escaped.
func TestScrub_Random(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		hidden := fmt.Sprintf("S%dx%d", r.Uint64(), r.Uint64())
		data := randomJSON(r, randomSecret(r, hidden), 4)
		require.Contains(t, fmt.Sprint(decode(data)), hidden)
		got := Scrub(data)
		require.NotContains(t, fmt.Sprint(decode(got)), hidden, "seed %d: %s", seed, data)
	}
}

// randomSecret returns a member with a secret.
func randomSecret(r *rand.Rand, hidden string) string {
	switch r.IntN(4) {
	case 0:
		return randomText(r, secretMembers[r.IntN(len(secretMembers))]) + ":" + randomText(r, hidden)
	case 1:
		return `"url":` + randomText(r, "https://s.example/a?X-Amz-Date=1&X-Amz-Signature="+hidden)
	case 2:
		return `"headers":[{"name":"x","value":` + randomText(r, hidden) + `}]`
	}
	return `"note":` + randomText(r, "sent with Token "+hidden)
}

// randomText returns a JSON text with some characters escaped.
func randomText(r *rand.Rand, s string) string {
	var b strings.Builder
	for _, c := range s {
		if r.IntN(40) == 0 && c < 128 {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return `"` + b.String() + `"`
}

// randomJSON nests a member in objects and lists.
func randomJSON(r *rand.Rand, member string, depth int) []byte {
	for range r.IntN(depth) + 1 {
		object := "{" + member + `,"id":"7f3a-1e4567","n":12.5}`
		if r.IntN(2) == 0 {
			object = "[null," + object + "]"
		}
		member = `"attributes":` + object
	}
	return []byte("{" + member + "}")
}

func FuzzScrub(f *testing.F) {
	for _, name := range []string{"container", "shipment"} {
		data, err := os.ReadFile("../../../internal/bench/testdata/" + name + ".json")
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte(`{"attributes":{"secret":"x","headers":[{"name":"a","value":"b"}]}}`))
	f.Add([]byte(`"\u0000\ud800"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := Scrub(data)
		if string(Scrub(got)) != string(got) {
			t.Fatalf("a second time it is different: %q, then %q", got, Scrub(got))
		}
		if json.Valid(data) != json.Valid(got) && len(data) > 0 && json.Valid(data) {
			t.Fatalf("not JSON any more: %q", got)
		}
	})
}
