package worklist

import (
	"cmp"
	"slices"
	"strings"
)

// vocabulary is what containers have for a field of a filter.
type vocabulary struct {
	all    map[thing]*counted
	byText map[string][]*counted // by each code and name, in lower case
}

// counted is a thing with how many containers have it.
type counted struct {
	thing
	containers int
}

func newVocabulary() *vocabulary {
	return &vocabulary{map[thing]*counted{}, map[string][]*counted{}}
}

// count counts that n more containers have a thing.
func (v *vocabulary) count(t thing, n int) {
	c := v.all[t]
	if c == nil {
		c = &counted{thing: t}
		v.all[t] = c
		for _, text := range c.texts() {
			v.byText[text] = append(v.byText[text], c)
		}
	}
	if c.containers += n; c.containers == 0 {
		v.remove(c)
	}
}

func (v *vocabulary) remove(c *counted) {
	delete(v.all, c.thing)
	for _, text := range c.texts() {
		some := slices.DeleteFunc(v.byText[text], func(one *counted) bool { return one == c })
		if v.byText[text] = some; len(some) == 0 {
			delete(v.byText, text)
		}
	}
}

// fold returns a text in the form in which names are compared: in lower case, without the spaces
// around it, and with one between words.
func fold(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// texts returns the codes and names in lower case, each once.
func (c *counted) texts() (all []string) {
	for _, text := range append(c.codes(), c.names()...) {
		if text = fold(text); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// meanings returns what a text means: what has it as a code, or else as a name, or else in a name.
func (v *vocabulary) meanings(text string) (all []*counted) {
	if text = fold(text); text == "" {
		return nil
	}
	for _, c := range v.byText[text] {
		if slices.ContainsFunc(c.codes(), func(code string) bool { return fold(code) == text }) {
			all = append(all, c)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(v.byText[text]) > 0:
		return v.byText[text]
	}
	has := map[*counted]bool{}
	for name, some := range v.byText {
		if !strings.Contains(name, text) {
			continue
		}
		for _, c := range some {
			if !has[c] && !c.whole && slices.ContainsFunc(c.names(), func(name string) bool { return strings.Contains(fold(name), text) }) {
				all, has[c] = append(all, c), true
			}
		}
	}
	return all
}

// accountName returns what the containers have.
func (c *counted) accountName() AccountName {
	if c.isText {
		return AccountName{Name: c.key, Containers: c.containers}
	}
	return AccountName{Code: c.key, Name: c.label(), Containers: c.containers}
}

// accountNames returns the names of things, those with the most containers first.
func accountNames(some []*counted) (all []AccountName) {
	for _, c := range some {
		all = append(all, c.accountName())
	}
	slices.SortFunc(all, func(a, b AccountName) int {
		return cmp.Or(cmp.Compare(b.Containers, a.Containers), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// mostNamed is how many names an UnknownNameError has.
const mostNamed = 5

// nearest returns the names that are most like a text.
func (v *vocabulary) nearest(text string) (names []AccountName) {
	text = fold(text)
	type candidate struct {
		*counted
		unlike int
	}
	compare := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.unlike, b.unlike), cmp.Compare(b.containers, a.containers), cmp.Compare(a.key, b.key))
	}
	var best []candidate
	for _, c := range v.all {
		if c.whole {
			continue
		}
		one := candidate{c, c.distance(text)}
		if at, _ := slices.BinarySearchFunc(best, one, compare); at < mostNamed {
			best = slices.Insert(best, at, one)
			best = best[:min(len(best), mostNamed)]
		}
	}
	for _, one := range best {
		names = append(names, one.accountName())
	}
	return names
}

// distance returns how many letters a text differs by from the most alike of the codes and names.
// Only their beginnings count.
func (t *thing) distance(text string) int {
	best := len(text) + 100
	for _, name := range append(t.codes(), t.names()...) {
		best = min(best, edits(cut(text), cut(fold(name))))
	}
	return best
}

// mostCompared is how many bytes of two texts are compared.
const mostCompared = 40

func cut(text string) string { return text[:min(len(text), mostCompared)] }

// edits returns how many bytes are to be inserted, deleted or replaced to make b of a. Both are
// cut.
func edits(a, b string) int {
	var row [mostCompared + 1]int
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
