package compatibility_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// difference is what changed between a baseline and today.
type difference struct{ gone, added []string }

func compare(baseline, today []string) (d difference) {
	for _, line := range baseline {
		if !slices.Contains(today, line) {
			d.gone = append(d.gone, line)
		}
	}
	for _, line := range today {
		if !slices.Contains(baseline, line) {
			d.added = append(d.added, line)
		}
	}
	return d
}

// lines returns each difference as a kind, the surface and the line, with tabs between.
func (d difference) lines(surface string) (lines []string) {
	for _, line := range d.gone {
		lines = append(lines, "break\t"+surface+"\t"+line)
	}
	for _, line := range d.added {
		lines = append(lines, "addition\t"+surface+"\t"+line)
	}
	return lines
}

// nameOf returns what a line is about, by which CHANGELOG.md names it.
func nameOf(line string) string {
	name, _, _ := strings.Cut(line, ": ")
	return name
}

// failure says which promises are broken, and what to do. It is empty if the changelog names every
// break.
func (d difference) failure(surface string, log changelog) string {
	var text strings.Builder
	for i, line := range d.gone {
		name := nameOf(line)
		if log.names(name) && log.released != "" {
			continue
		}
		fmt.Fprintf(&text, "\n  - %s", line)
		if i+1 < len(d.gone) && nameOf(d.gone[i+1]) == name { // what is there instead follows the last one
			continue
		}
		for _, added := range d.added {
			if nameOf(added) == name {
				fmt.Fprintf(&text, "\n  + %s", added)
			}
		}
	}
	if text.Len() == 0 {
		return ""
	}
	advice := fmt.Sprintf("These break programs that were written for %s. Keep what they rely on, or name each (the text before the \": \") in "+
		"backticks under \"### Incompatible changes\" of the newest section of CHANGELOG.md, and say what to write instead.", log.released)
	if log.released == "" {
		advice = "Nothing is released yet. If this is meant, run: go test -C internal/proof/compatibility -update"
	}
	return fmt.Sprintf("surface %s: promises gone (-), and what is there instead (+):%s\n%s", surface, text.String(), advice)
}

func TestCompare_LinesThatAreGoneOrChangedAreBreaks(t *testing.T) {
	log := changelog{released: "v0.1.0", newest: "v0.2.0", code: "Client.Dropped and webhook.Handler"}
	baseline := []string{"Client.Dropped: method", "Client.Get: func(string)", "Client.Getter: func()", "alone"}
	for _, test := range []struct {
		name            string
		today           []string
		gone, unnamed   int
		added           int
		wanted, without string
	}{
		{name: "nothing", today: baseline},
		{name: "added", today: append(slices.Clone(baseline), "Client.New: func()"), added: 1},
		{name: "removed", today: baseline[:3], gone: 1, wanted: "\n  - alone\n"},
		{name: "changed", today: []string{baseline[0], "Client.Get: func(int)", baseline[2], baseline[3]}, gone: 1, added: 1,
			wanted: "\n  - Client.Get: func(string)\n  + Client.Get: func(int)\n"},
		{name: "named", today: baseline[1:], gone: 1},
		{name: "only another is named", today: baseline[2:], gone: 2, wanted: "Client.Get:", without: "Dropped"},
	} {
		d := compare(baseline, test.today)
		text := d.failure("api", log)
		if len(d.gone) != test.gone || len(d.added) != test.added || !strings.Contains(text, test.wanted) || (test.wanted == "") != (text == "") ||
			test.without != "" && strings.Contains(text, test.without) {
			t.Errorf("%s: %+v, %q", test.name, d, text)
		}
		if text != "" && !strings.HasPrefix(text, "surface api: ") {
			t.Errorf("%s: %q does not name the surface", test.name, text)
		}
	}
}

// Before the first release the changelog cannot excuse a change, because the baseline shows it.
func TestCompare_BeforeTheFirstRelease(t *testing.T) {
	text := compare([]string{"Client.Dropped: method"}, nil).failure("api", changelog{newest: "v0.1.0", code: "Client.Dropped"})
	if !strings.Contains(text, "-update") {
		t.Errorf("%q", text)
	}
}
