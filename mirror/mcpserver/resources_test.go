package mcpserver

import (
	"os"
	"regexp"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// The glossary is that of the repository: cp docs/glossary.md mirror/mcpserver/glossary.txt
func TestResources_GlossaryIsCurrent(t *testing.T) {
	page, err := os.ReadFile("../../docs/glossary.md")
	if os.IsNotExist(err) {
		t.Skip("outside of the repository")
	}
	require.NoError(t, err)
	assert.Equal(t, string(page), glossary)
}

// Every resource can be read, and the guide names tools and situations that exist.
func TestResources_CanBeRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, err := New(everything(demo(t)))
		require.NoError(t, err)
		session := connect(t, s)
		list, err := session.ListResources(t.Context(), nil)
		require.NoError(t, err)
		assert.Len(t, list.Resources, 2)
		for _, r := range list.Resources {
			page, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
			require.NoError(t, err, r.URI)
			assert.Len(t, page.Contents[0].Text, int(r.Size), r.URI)
		}
		for _, found := range regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`).FindAllString(guide, -1) {
			_, isField := indexOf(field(found))
			assert.True(t, terminal49.Situation(found).Known() || terminal49.Stage(found).Known() || isField, found)
		}
	})
}

func indexOf(name field) (i int, ok bool) {
	for i, f := range fields {
		if f == name {
			return i, true
		}
	}
	return 0, false
}
