package terminal49

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecret_Printable(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Bill of lading 'é' \"x\" 🚢 \\": "Bill of lading 'é' \"x\" 🚢 \\", "a\r\nb": `a\r\nb`, "\x1b[2J": `\x1b[2J`,
		"\u202eabc": `\u202eabc`, "a\u00a0b": `a\u00a0b`, "\x00": `\x00`, "\xff": "\xff",
	} {
		require.Equal(t, want, printable(text))
	}
}
