package terminal49

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOpt_States(t *testing.T) {
	for name, test := range map[string]struct {
		opt          Opt[int]
		value        int
		ok           bool
		null, zero   bool
		text, inJSON string
	}{
		"missing": {Opt[int]{}, 0, false, false, true, "", "null"},
		"null":    {Null[int](), 0, false, true, false, "null", "null"},
		"zero":    {Some(0), 0, true, false, false, "0", "0"},
		"value":   {Some(7), 7, true, false, false, "7", "7"},
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
		A Opt[string]   `json:"a,omitzero"`
		B Opt[[]string] `json:"b,omitzero"`
	}
	for want, v := range map[string]body{
		`{}`: {}, `{"a":"x"}`: {A: Some("x")},
		`{"a":"","b":[]}`:     {A: Some(""), B: Some([]string{})},
		`{"a":null,"b":null}`: {A: Null[string](), B: Null[[]string]()},
	} {
		wire, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, string(wire))
		var back body
		require.NoError(t, json.Unmarshal(wire, &back))
		require.Equal(t, v, back)
	}
	full := body{A: Some("old")}
	require.NoError(t, json.Unmarshal([]byte(`{"a": null }`), &full))
	require.True(t, full.A.IsNull())
	_, ok := full.A.Get()
	require.False(t, ok)
	require.Error(t, json.Unmarshal([]byte(`{"a":7}`), &full))
}
