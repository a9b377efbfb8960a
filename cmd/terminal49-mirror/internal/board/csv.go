package board

import (
	"encoding/csv"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49/worklist"
)

// csvColumns are the columns of the table, in order.
var csvColumns = []struct {
	name string
	of   func(*row) string
}{
	{"container", func(r *row) string { return r.Number }},
	{"bill of lading", func(r *row) string { return r.BillOfLading }},
	{"references", func(r *row) string { return r.References }},
	{"customer", func(r *row) string { return r.Customer }},
	{"situation", func(r *row) string { return r.Look().Name }},
	{"what to do", func(r *row) string { return r.Text }},
	{"last free day", func(r *row) string { return r.LFD }},
	{"days left", func(r *row) string { return r.Left }},
	{"holds", func(r *row) string { return r.Holds }},
	{"fees owed", func(r *row) string { return r.Fees }},
	{"amount owed", func(r *row) string { return r.Owed }},
	{"currency", func(r *row) string { return r.Currency }},
	{"remark on fees", func(r *row) string { return r.FeesDoubt }},
	{"fees by kind", func(r *row) string { return r.FeeKinds }},
	{"place", func(r *row) string { return r.Place }},
	{"bound for", func(r *row) string { return r.BoundFor }},
	{"arrival", func(r *row) string { return r.Arrival }},
	{"delay", func(r *row) string { return r.Slip }},
	{"port of discharge", func(r *row) string { return r.Port }},
	{"line", func(r *row) string { return r.Line }},
	{"vessel", func(r *row) string { return r.Vessel }},
	{"voyage", func(r *row) string { return r.Voyage }},
	{"size", func(r *row) string { return r.Size }},
	{"arrival day", (*row).arrivalDay},
	{"seal", func(r *row) string { return r.Seal }},
}

// table writes all rows of the list, in its order, for a spreadsheet.
func (s *site) table(w http.ResponseWriter, r *http.Request) {
	q := parseQuery(r.URL.Query())
	of, err := q.ask(s.model, s.source.now(), q.Filter)
	if err != nil {
		s.fail(w, err)
		return
	}
	list, err := of.List(worklist.ListOptions{Order: q.Sort})
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="containers-`+s.source.now().UTC().Format(time.DateOnly)+`.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	to, end := compressed(w, r)
	defer end()
	_, _ = io.WriteString(to, "\ufeff") // so that spreadsheets read UTF-8
	out := csv.NewWriter(to)
	out.UseCRLF = true      // RFC 4180
	_ = out.Write(titles()) // Flush has the error
	deadline := http.NewResponseController(w)
	for items := range slices.Chunk(list.Items, batch) {
		_ = deadline.SetWriteDeadline(time.Now().Add(time.Minute)) // a recorder has none
		part := *list
		part.Items = items
		some, err := rows(r.Context(), s.source, &part)
		if err != nil {
			s.complain("making a table: " + err.Error())
			panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
		}
		for _, r := range some {
			_ = out.Write(cells(r))
		}
	}
	out.Flush()
}

func titles() (names []string) {
	for _, c := range csvColumns {
		names = append(names, c.name)
	}
	return names
}

func cells(r *row) (texts []string) {
	for _, c := range csvColumns {
		texts = append(texts, cell(c.of(r)))
	}
	return texts
}

// changedNumber matches what a spreadsheet would read as a number with other digits.
var changedNumber = regexp.MustCompile(`^(0\d+|\d{16,}|\d+[eE][+-]?\d+)$`)

// cell returns text as it is written: a spreadsheet must not read it as a formula or as another
// number, and it must stay on one line. The mark "'" is before a text that would be one, and before
// one that begins with it.
func cell(text string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, func(r rune) bool {
		return r == '"' || unicode.IsSpace(r) || !unicode.IsGraphic(r) // programs skip these
	}))
	if lead, _ := utf8.DecodeRuneInString(text); unicode.IsControl(lead) || strings.ContainsRune("=+-@＝＋－＠'", first) || changedNumber.MatchString(text) {
		text = "'" + text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ';': // a separator in some countries
			return ','
		case isObeyed(r):
			return ' '
		}
		return r
	}, text)
}
