package terminal49_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

func TestOpt_States(t *testing.T) {
	for name, test := range map[string]struct {
		opt          terminal49.Opt[int]
		value        int
		ok           bool
		null, zero   bool
		text, inJSON string
	}{
		"missing": {terminal49.Opt[int]{}, 0, false, false, true, "", "null"},
		"null":    {terminal49.Null[int](), 0, false, true, false, "null", "null"},
		"zero":    {terminal49.Some(0), 0, true, false, false, "0", "0"},
		"value":   {terminal49.Some(7), 7, true, false, false, "7", "7"},
	} {
		t.Run(name, func(t *testing.T) {
			value, ok := test.opt.Get()
			require.Equal(t, test.value, value)
			require.Equal(t, test.ok, ok)
			require.Equal(t, test.null, test.opt.IsNull())
			require.Equal(t, test.zero, test.opt.IsZero())
			require.Equal(t, test.text, test.opt.String())
			wire, err := json.Marshal(test.opt)
			require.NoError(t, err)
			require.Equal(t, test.inJSON, string(wire))
			if test.ok {
				require.Equal(t, test.value, test.opt.Or(-1))
			} else {
				require.Equal(t, -1, test.opt.Or(-1))
			}
		})
	}
}

func TestOpt_JSON(t *testing.T) {
	type body struct {
		A terminal49.Opt[string]   `json:"a,omitzero"`
		B terminal49.Opt[[]string] `json:"b,omitzero"`
	}
	for want, v := range map[string]body{
		`{}`: {}, `{"a":"x"}`: {A: terminal49.Some("x")},
		`{"a":"","b":[]}`:     {A: terminal49.Some(""), B: terminal49.Some([]string{})},
		`{"a":null,"b":null}`: {A: terminal49.Null[string](), B: terminal49.Null[[]string]()},
	} {
		wire, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, string(wire))
		var back body
		require.NoError(t, json.Unmarshal(wire, &back))
		require.Equal(t, v, back)
	}
	full := body{A: terminal49.Some("old")}
	require.NoError(t, json.Unmarshal([]byte(`{"a": null }`), &full))
	require.True(t, full.A.IsNull())
	_, ok := full.A.Get()
	require.False(t, ok)
	require.Error(t, json.Unmarshal([]byte(`{"a":7}`), &full))
}

func TestSecret_Printable(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Bill of lading 'é' \"x\" 🚢 \\": "Bill of lading 'é' \"x\" 🚢 \\", "a\r\nb": `a\r\nb`, "\x1b[2J": `\x1b[2J`,
		"\u202eabc": `\u202eabc`, "a\u00a0b": `a\u00a0b`, "\x00": `\x00`, "\xff": "\xff",
	} {
		require.Equal(t, want, terminal49.Printable(text))
	}
}

func TestSecret_Printing(t *testing.T) {
	require.True(t, terminal49.NewSecret("").IsZero())
	require.Empty(t, terminal49.Secret{}.Reveal())
	s := terminal49.NewSecret("s3cr3t")
	require.False(t, s.IsZero())
	require.Equal(t, "s3cr3t", s.Reveal())
	text, err := json.Marshal(map[string]any{"s": s})
	require.NoError(t, err)
	require.JSONEq(t, `{"s":"[secret]"}`, string(text))
	require.Equal(t, "[secret] [secret] [secret]", fmt.Sprintf("%v %+v %#v", s, s, s))
}
