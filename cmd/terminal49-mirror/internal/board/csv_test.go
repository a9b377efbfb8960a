package board

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// The table has all rows of the list, in its order, and no header of another page.
func TestTable_HasTheList(t *testing.T) {
	p := newPage(t)
	w := p.do(http.MethodGet, "/containers.csv?q=msku+718&sort=-number", nil)
	require.Equal(t, `attachment; filename="containers-2024-07-01.csv"`, w.Header().Get("Content-Disposition"))
	text, found := strings.CutPrefix(w.Body.String(), "\ufeff")
	require.True(t, found, "spreadsheets read it as UTF-8")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 3)
	require.Equal(t, "container", lines[0][0])
	require.Greater(t, lines[1][0], lines[2][0])
	require.Contains(t, p.get("/containers.csv?urgency=overdue"), ",USD 555.00,555,USD,")
	require.Contains(t, p.get("/containers.csv?urgency=overdue"), ",45GP,2024-06-22,\r\n")
}

// SECURITY: a spreadsheet interprets no cell as a formula, whatever the service sends. The list of
// beginnings is OWASP's.
func TestTable_HasNoFormulas(t *testing.T) {
	p := newPage(t)
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "\u200b=1", "＝1", "＋1", "－1", "＠x", `"=1`, "'=1", ";=1", "a;=1"} {
		p.server.UpdateShipment(p.demo.Shipments[1], func(s *terminal49test.Shipment) {
			s.Attributes = map[string]any{"customer_name": text, "bill_of_lading_number": text}
		})
		p.read()
		lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(p.get("/containers.csv"), "\ufeff"))).ReadAll()
		require.NoError(t, err)
		require.Len(t, lines, 9)
		for _, line := range lines {
			for _, c := range line {
				require.NotRegexp(t, `^[\s"\x{200b}]*[=+@＝＋－＠-]`, c)
				require.NotContains(t, c, ";")
			}
		}
	}
}

// A spreadsheet reads digits as a number, and drops zeros before it and digits of a long one.
func TestTable_KeepsDigits(t *testing.T) {
	for text, want := range map[string]string{
		"0012345": "'0012345", "1234567890123456": "'1234567890123456", "12E5": "'12E5", "12e+5": "'12e+5",
		"0": "0", "12345": "12345", "0.50": "0.50", "962E": "962E", "MAEU240711002": "MAEU240711002",
	} {
		require.Equal(t, want, cell(text))
	}
}
