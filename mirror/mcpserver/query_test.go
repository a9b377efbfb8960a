package mcpserver

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// asking is the world of the demonstration account with the tool query.
func asking(t testing.TB) *world {
	return newWorld(t, Config{SQL: true}, func(srv *terminal49test.Server) { srv.SeedDemo() })
}

func TestQuery_Answers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := asking(t)
		a, text := call[queryAnswer](w, "query", args{"sql": "select number, customs_hold from containers where number like 'M%' order by number"})
		require.Equal(t, []string{"number", "customs_hold"}, a.Columns)
		require.False(t, a.More)
		require.Equal(t, len(a.Rows), a.Total)
		assert.Contains(t, text, "«MEDU3309188» | «Hold»\n")
		assert.Contains(t, text, "«MSKU7182047» | -\n")

		a, _ = call[queryAnswer](w, "query", args{"sql": "select count(*), 1.5, null, pickup_lfd from containers", "seconds": 1})
		require.Equal(t, []any{8.0, 1.5, nil}, []any{a.Rows[0][0].Value, a.Rows[0][1].Value, a.Rows[0][2].Value})

		a, text = call[queryAnswer](w, "query", args{"sql": "select number from containers order by number", "limit": 3})
		require.Len(t, a.Rows, 3)
		require.True(t, a.More)
		assert.Contains(t, text, "Note: There are more rows.")
	})
}

// Columns can be found without the page, which some clients do not show.
func TestQuery_DescribesViews(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := asking(t)
		a, text := call[queryAnswer](w, "query", args{"views": []string{"holds", "situations", "holds"}})
		require.Equal(t, []cell{{"holds"}, {"container_id"}, {"text"}, {"In containers."}}, a.Rows[0])
		require.Equal(t, "situations", a.Rows[len(a.Rows)-1][0].Value)
		require.Len(t, a.Notes, 2)
		assert.Contains(t, text, "Note: holds: Holds of containers as periods.")

		list, err := w.session.ListResources(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, "terminal49://schema", list.Resources[len(list.Resources)-1].URI)
		page, err := w.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "terminal49://schema"})
		require.NoError(t, err)
		assert.Contains(t, page.Contents[0].Text, "## holds\n\nHolds of containers as periods.")
		assert.Contains(t, page.Contents[0].Text, "- pickup_lfd_local (wall clock) ")
		assert.Less(t, len(page.Contents[0].Text), 32<<10)
	})
}

// A refused query says what is allowed, and the tool is offered only if it is asked for.
func TestQuery_Refuses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := asking(t)
		for sql, problem := range map[string]string{
			"delete from containers":           `mend: sql: must begin with "select" or "with"`,
			"select * from inbox":              `mend: sql: reads from "inbox"; the views are containers, shipments`,
			"select load_extension('x')":       "unixepoch, upper",
			"select pickup_ldf from shipments": "did you mean containers.pickup_lfd",
			"":                                 "mend: sql: must be a select",
		} {
			assert.Contains(t, w.refused("query", args{"sql": sql}), problem, sql)
		}
		assert.Contains(t, w.refused("query", args{"sql": "select 1", "limit": 501}), "mend: limit: must be from 1 to 500")
		assert.Contains(t, w.refused("query", args{"views": []string{"inbox"}}), "mend: views: must be one of containers, shipments")
		assert.NotContains(t, toolsOf(t, demo(t).session), "query")
	})
}

// An answer has a bound for both of its forms together.
func TestQuery_IsBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := asking(t)
		a, text := call[queryAnswer](w, "query", args{
			"sql": "with x as (select '" + strings.Repeat("é", 300) + "' as a) select a, a, a, a from x, changes, holds", "limit": 500,
		})
		require.True(t, a.More)
		require.NotEmpty(t, a.Rows)
		assert.Less(t, len(text), 128<<10)
	})
}
