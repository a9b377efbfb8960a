package terminal49

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecret_Printable(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Bill of lading 'é' \"x\" 🚢 \\": "Bill of lading 'é' \"x\" 🚢 \\", "a\r\nb": `a\r\nb`, "\x1b[2J": `\x1b[2J`,
		"\u202eabc": `\u202eabc`, "a\u00a0b": `a\u00a0b`, "\x00": `\x00`, "\xff": "\ufffd",
	} {
		require.Equal(t, want, printable(text))
	}
}

func TestSecret_Printing(t *testing.T) {
	require.True(t, NewSecret("").IsZero())
	require.Empty(t, Secret{}.Reveal())
	s := NewSecret("s3cr3t")
	require.False(t, s.IsZero())
	require.Equal(t, "s3cr3t", s.Reveal())
	text, err := json.Marshal(map[string]any{"s": s})
	require.NoError(t, err)
	require.JSONEq(t, `{"s":"[secret]"}`, string(text))
	require.Equal(t, "[secret] [secret] [secret]", fmt.Sprintf("%v %+v %#v", s, s, s))
}

// A program that keeps what the service sent keeps nothing of the token, and all of the rest.
func TestSecret_HideToken(t *testing.T) {
	c, err := New("Bearer 0123456789abcdef+x", WithAccountID("account-1"))
	require.NoError(t, err)
	for text, want := range map[string]string{
		"a 0123456789abcdef+x b": "a [secret] b", `"0123456789ABCDEF\u002bx"`: `"[secret]"`, "0123456789abcdef%2Bx": "[secret]",
		"account-1 has 0123456789abcdef": "account-1 has 0123456789abcdef", "": "",
	} {
		require.Equal(t, want, c.RedactToken(text))
	}
}
