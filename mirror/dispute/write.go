package dispute

import (
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/go-freight/terminal49"
)

// instant returns a time in UTC for people.
func instant(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

// when says when a fact happened, or between which reads it was so.
func (f Fact) when() string {
	switch {
	case f.At != "" && f.Read.IsZero():
		return f.At
	case f.At != "" && f.Ended.IsZero():
		return f.At + ", " + f.since()
	case f.At != "":
		return f.At + ", " + f.since() + ", withdrawn or corrected " + instant(f.Ended)
	case f.Read.IsZero() && f.Ended.IsZero():
		return "not known since when"
	case f.Read.IsZero():
		return "until " + instant(f.Ended)
	}
	if !f.Ended.IsZero() {
		return f.since() + ", no longer " + instant(f.Ended)
	}
	return f.since()
}

// since says when a fact was read first.
func (f Fact) since() string {
	if f.Earlier {
		return "at the latest " + instant(f.Read)
	}
	return "read " + instant(f.Read)
}

// cell returns a text of the service for a cell of a Markdown table: it cannot end the cell, begin
// a link or an element, or be invisible.
func cell(s string) string {
	return markdown.Replace(printable(s))
}

// printable replaces characters that a terminal or a browser would not show.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

var markdown = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", `\[`, "]", `\]`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "!", `\!`, "#", `\#`,
	"://", `:\//`, "www.", `www\.`, "@", `\@`) // addresses become links by themselves

// Markdown writes the page as Markdown, with a table for each section.
func (p *Page) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# The stay of %s\n\n%s\n", cell(p.Number), cell(p.about()))
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		if len(s.Facts) == 0 {
			b.WriteString("Nothing was reported.\n")
			continue
		}
		b.WriteString("| what | when | source |\n|---|---|---|\n")
		for _, f := range s.Facts {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(f.What), cell(f.when()), cell(f.Source))
		}
	}
	p.markdownEstimate(&b)
	b.WriteString("\n## What 46 CFR 541.6 asks an invoice to state\n\n| | paragraph | the invoice must state | known here |\n|---|---|---|---|\n")
	for _, i := range p.Checklist {
		fmt.Fprintf(&b, "| ☐ | %s | %s | %s |\n", i.Paragraph, i.What, cell(i.known()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Page) markdownEstimate(b *strings.Builder) {
	if p.Estimate == nil {
		return
	}
	fmt.Fprintf(b, "\n## Estimate by a tariff\n\nBy %s, until %s.\n", cell(p.Tariff), p.Estimate.Until)
	for _, line := range p.lines() {
		fmt.Fprintf(b, "\n- %s", cell(line))
	}
	b.WriteString("\n\n| charge | day | amount | why |\n|---|---|---|---|\n")
	for _, c := range p.Estimate.Charges {
		for _, d := range c.Days {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", c.Kind, d.Date, d.Amount.Format(p.Estimate.Currency), cell(d.Why))
		}
	}
}

// lines are the sums of an estimate, and what was posted.
func (p *Page) lines() []string {
	all := strings.Split(p.Estimate.String(), "\n")
	for _, c := range p.Comparisons {
		all = append(all, fmt.Sprintf("the terminal has posted %s of %s: %s", terminal49.FormatMoney(c.Posted, c.Currency), c.Kind, strings.ReplaceAll(string(c.Result), "_", " ")))
	}
	return all
}

// about says from when the page is.
func (p *Page) about() string {
	first := "It is not known when it was read first."
	if !p.FirstRead.IsZero() {
		first = "It was read first " + instant(p.FirstRead) + "; nothing is known of the time before."
	}
	return "From a copy of Terminal49's data, last read " + instant(p.ReadAt) + ". " + first +
		" Times of reading are in UTC, days and other times those of the place. A value that is read later may have changed earlier."
}

func (i Item) known() string {
	if i.Known == "" {
		return "only on the invoice"
	}
	return i.Known
}

// HTML writes the page as one HTML document without scripts and without links to other hosts.
func (p *Page) HTML(w io.Writer) error {
	var b strings.Builder
	if err := page.Execute(&b, p); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, printable(strings.TrimSuffix(line, "\n"))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"when": Fact.when, "known": Item.known, "about": (*Page).about, "lines": (*Page).lines,
	"amount": func(p *Page, c, d int) string {
		return p.Estimate.Charges[c].Days[d].Amount.Format(p.Estimate.Currency)
	},
}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The stay of {{.Number}}</title>
<style>body{font:15px/1.4 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.3em .5em;text-align:left;vertical-align:top}</style>
<h1>The stay of {{.Number}}</h1>
<p>{{about .}}</p>
{{range .Sections}}<h2>{{.Title}}</h2>
{{if .Facts}}<table><tr><th>what<th>when<th>source</tr>
{{range .Facts}}<tr><td>{{.What}}<td>{{when .}}<td>{{.Source}}</tr>
{{end}}</table>{{else}}<p>Nothing was reported.</p>{{end}}
{{end}}{{if .Estimate}}<h2>Estimate by a tariff</h2>
<p>By {{.Tariff}}, until {{.Estimate.Until}}.</p>
<ul>{{range lines .}}<li>{{.}}{{end}}</ul>
<table><tr><th>charge<th>day<th>amount<th>why</tr>
{{range $c, $charge := .Estimate.Charges}}{{range $d, $day := $charge.Days}}<tr><td>{{$charge.Kind}}<td>{{$day.Date}}<td>{{amount $ $c $d}}<td>{{$day.Why}}</tr>
{{end}}{{end}}</table>
{{end}}<h2>What 46 CFR 541.6 asks an invoice to state</h2>
<table><tr><th><th>paragraph<th>the invoice must state<th>known here</tr>
{{range .Checklist}}<tr><td>☐<td>{{.Paragraph}}<td>{{.What}}<td>{{known .}}</tr>
{{end}}</table>
</html>
`))
