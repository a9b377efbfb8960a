package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// One row for each category of characters that are not shown (Unicode, chapter 4.5), and for bytes
// that are not UTF-8: terminals with 8-bit controls read 0x9b as the start of an escape sequence.
func TestPrintable(t *testing.T) {
	for given, want := range map[string]string{
		"": "", "Los Angeles": "Los Angeles", "Łódź 釜山 🚢": "Łódź 釜山 🚢", "a\u009bb": `a\u009bb`, "a\x1b[2J": `a\x1b[2J`, "a\r\nb\tc": `a\r\nb\tc`,
		"a\x7f": `a\x7f`, "a\u00adb": `a\u00adb`, "a\u202eb": `a\u202eb`, "a\u2028b\u2029": `a\u2028b\u2029`, "a\ufeff": `a\ufeff`,
		"a\U000e0041": `a\U000e0041`, "a\ue000": `a\ue000`, "a\x9b2J": "a\ufffd2J", "\xff": "\ufffd", "a\xf0\x9f": "a\ufffd\ufffd",
	} {
		require.Equal(t, want, Printable(given), "%+q", given)
	}
}
