package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLookup_ByNameCodeAndMisspelled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		for text, want := range map[string]string{
			"los angeles": "port Los Angeles USLAX", "uslgb": "port Long Beach USLGB", "Long Baech": "port Long Beach USLGB", "Savanah": "port Savannah USSAV",
			"maeu": "line Maersk MAEU", "harbor st": "party Harbor Street Imports ",
		} {
			a, _ := call[lookupAnswer](w, "lookup", args{"name": text})
			require.NotEmpty(t, a.Found, text)
			assert.Equal(t, want, string(a.Found[0].Kind)+" "+a.Found[0].Name+" "+a.Found[0].Code, text)
		}
		a, text := call[lookupAnswer](w, "lookup", args{"name": "Long Baech", "kinds": []string{"port"}})
		assert.Equal(t, []string{"Nothing has this name; these are the nearest. Ask which is meant."}, a.Notes)
		assert.Contains(t, text, "port «Long Beach» «USLGB»")
		a, text = call[lookupAnswer](w, "lookup", args{"name": "Atlantis"})
		assert.Zero(t, a.Total)
		assert.Contains(t, text, "Nothing in the copy has such a name.")
		all, _ := call[lookupAnswer](w, "lookup", args{"kinds": []string{"line"}, "limit": 2})
		assert.Equal(t, 2, all.Shown)
		assert.Greater(t, all.Total, 2)
	})
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"savannah", "savanah", 1}, {"beach", "baech", 1}, {"oakland", "okalnd", 2}, {"kitten", "sitting", 3}} {
		assert.Equal(t, c.want, edits([]rune(c.a), []rune(c.b)), c)
		assert.Equal(t, c.want, edits([]rune(c.b), []rune(c.a)), c)
	}
}
