package worklist

import (
	"cmp"
	"slices"
	"unique"

	"github.com/go-freight/terminal49"
)

// thing is what a text of a filter may mean, and what containers are counted by.
type thing struct {
	key    string      // a code or an id; for customers and the like, the text itself
	name   string      // of a code, human-readable; "" if unknown
	place  placeHandle // of a terminal, or zero
	isText bool        // the key is not a code
	whole  bool        // no part of the name means it
}

func coded(n Name) thing { return thing{key: n.Code, name: n.Name} }

func plain(text string) thing { return thing{key: text, isText: text != ""} }

func placed(p placeHandle) thing {
	if place := valueOf(p); place != (terminal49.VerdictPlace{}) {
		return thing{key: place.TerminalID, place: p}
	}
	return thing{}
}

type placeHandle = unique.Handle[terminal49.VerdictPlace]

func valueOf(p placeHandle) (place terminal49.VerdictPlace) {
	if p != (placeHandle{}) {
		place = p.Value()
	}
	return place
}

// label returns the human-readable name of a code; "" if it is unknown.
func (t *thing) label() string { return cmp.Or(t.name, valueOf(t.place).String()) }

// codes returns what a text may equal.
func (t *thing) codes() []string {
	if t.isText {
		return nil
	}
	p := valueOf(t.place)
	return known(t.key, p.FIRMSCode, p.LOCODE)
}

// names returns what a text may equal or be a part of.
func (t *thing) names() []string {
	if t.isText {
		return []string{t.key}
	}
	p := valueOf(t.place)
	return known(t.label(), p.Name, p.Nickname)
}

func known(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
