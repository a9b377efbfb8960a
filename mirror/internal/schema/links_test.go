package schema

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every column whose documentation says that it has ids of a table is a link to that table, except
// one to its own table.
func TestLinks_AreThoseOfTheDocumentation(t *testing.T) {
	in := regexp.MustCompile(`^In (\w+)[.,:;]`)
	for _, table := range Tables {
		for _, c := range table.Columns {
			found := in.FindStringSubmatch(c.Doc)
			if found == nil || found[1] == table.Name {
				continue
			}
			require.True(t, slices.ContainsFunc(table.Links(), func(l Link) bool {
				return l.Column == c.Name && l.To.Name == found[1]
			}), "%s.%s: %s", table.Name, c.Name, c.Doc)
		}
	}
}

// A link is a column of ids, and leads forward in the order in which related rows are read.
func TestLinks_LeadForward(t *testing.T) {
	for _, from := range Tables {
		for _, link := range from.Links() {
			require.Contains(t, from.ColumnNames(), link.Column)
			require.True(t, strings.HasSuffix(link.Column, "_id") || strings.HasSuffix(link.Column, "_ids"))
			require.Contains(t, Linked, link.To)
			if at := slices.Index(Linked, from); at >= 0 {
				require.Greater(t, slices.Index(Linked, link.To), at, "%s.%s", from.Name, link.Column)
			}
		}
		if many, ok := from.Many(); ok {
			require.Contains(t, many.From.ColumnNames(), many.Column)
		}
	}
}
