package doctor

import (
	"regexp"
	"strings"

	"github.com/go-freight/terminal49"
)

// words are those that a report may show, in lower case.
type words map[string]bool

// trade are words of the trade that the service is likely to use in values to come.
const trade = `agriculture appointment arrived barge blocked bonded booking broker bulk by cancelled canceled cargo carrier cbp
	chassis cleared closed completed confirmed ctf customs damaged delayed delivered departed depot detention discharged document
	documents drayage dropped duty early empty en error estimated exam exception export fda fee feeder final forwarder free freight
	full gate general hazmat held hold import in inactive inbound inland inspection invalid ipi isf late leg line loaded lost manifest
	manual missing moved multi not of off on open order out outbound overdue over paid partial partially pending per pickup pier
	planned port processing queued quarantine radiation rail ramp ready received rejected released removed reopened required
	requested returned rolled route scheduled seal skipped split started stopped storage terminated tmf transit transload
	transshipment truck under unknown unloaded usda user vacis vessel waiting waived withdrawn yard`

// newWords returns those of the names of types and attributes, and of the trade.
func newWords() words {
	w := words{}
	for name := range resourceTypes {
		w.add(name)
	}
	for _, o := range terminal49.Operations() {
		for _, name := range o.Attributes {
			w.add(name)
		}
	}
	w.add(trade)
	return w
}

var oneWord = regexp.MustCompile(`[A-Za-z0-9]+`)

func (w words) add(text string) {
	for _, word := range oneWord.FindAllString(text, -1) {
		w[strings.ToLower(word)] = true
	}
}

var (
	shortNumber = regexp.MustCompile(`^[0-9]{1,2}$`)
	joined      = regexp.MustCompile(`^[._ -]$`)
)

// longestName is the longest text that a report may show anything of.
const longestName = 60

// shown returns the words of a text that a report may show, with "…" for the others.
func (w words) shown(text string) string {
	if len(text) > longestName {
		return "…"
	}
	var shown strings.Builder
	last := 0
	for _, at := range append(oneWord.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if between := text[last:at[0]]; joined.MatchString(between) {
			shown.WriteString(between)
		} else if between != "" {
			shown.WriteString("…")
		}
		word := text[at[0]:at[1]]
		if word != "" && !w[strings.ToLower(word)] && !shortNumber.MatchString(word) {
			word = "…"
		}
		shown.WriteString(word)
		last = at[1]
	}
	return manyDots.ReplaceAllString(shown.String(), "…")
}

var manyDots = regexp.MustCompile(`…(…|[._ -]…)*`)

// attributeName matches the form in which the service names attributes.
var attributeName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// shownName returns the name of an attribute that this version does not know, without what the
// account may have chosen: a name in another form, or one that is also a text of the account.
func (v *inventory) shownName(path string) string {
	resource, name, arrow := strings.Cut(path, " -> ")
	separator := " -> "
	if !arrow {
		resource, name, _ = strings.Cut(path, ".")
		separator = "."
	}
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if !attributeName.MatchString(part) || len(part) > longestName || v.chosen[part] {
			parts[i] = v.words.shown(part)
		}
	}
	return resource + separator + strings.Join(parts, ".")
}
