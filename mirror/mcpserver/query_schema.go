package mcpserver

import (
	"fmt"
	"strings"

	"github.com/go-freight/terminal49/mirror"
)

// addSchema adds the page about the views of the tool query.
func (s *server) addSchema() {
	addPage(s.mcp, "schema", "Every view and column that the tool query may read.", schemaPage())
}

// schemaPage returns the views with their columns.
func schemaPage() string {
	var b strings.Builder
	b.WriteString(`# Views of the tool query

Null means that the service reported nothing. An instant is in UTC; x_local is the wall clock of the same moment at the place,
YYYY-MM-DD HH:MM:SS, or only the day. In SQLite an instant is text such as 2026-03-02T08:00:00.000000Z, and a boolean is 0 or 1.
Nothing that is deleted is in a view. What a column refers to may be missing: use left joins.
`)
	for _, v := range mirror.QueryViews() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", v.Name, v.Doc)
		for _, c := range v.Columns {
			fmt.Fprintf(&b, "- %s (%s) %s\n", c.Name, c.Type, c.Doc)
		}
	}
	return b.String()
}
