// Package forms sets structs from JSON that encoding/json parsed, strictly: the members of an
// object are exactly those of the struct's json tags, once each and in the same case, and a member
// that is not known is an error with the nearest name. A member whose tag has no omitzero is
// required. Durations are texts such as "36h" or "2.5d".
//
// Two more tags are form:"text", for bytes that are written as a text, and form:"inverted", for the
// opposite of a bool. A type with them, or with a duration, needs the methods MarshalJSON and
// UnmarshalJSON, which call [Encode] and [Decode].
package forms

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// field is a member of a form.
type field struct {
	name                     string
	index                    []int
	typ                      reflect.Type
	required, text, inverted bool
}

type fields []field

var cache sync.Map // reflect.Type -> fields

func fieldsOf(t reflect.Type) fields {
	if known, ok := cache.Load(t); ok {
		return known.(fields)
	}
	var list fields
	for _, f := range reflect.VisibleFields(t) {
		name, omitted := strings.CutSuffix(f.Tag.Get("json"), ",omitzero")
		if name == "" || name == "-" {
			continue
		}
		form := f.Tag.Get("form")
		list = append(list, field{name, f.Index, f.Type, !omitted, form == "text", form == "inverted"})
	}
	cache.Store(t, list)
	return list
}

// Names returns the names of the members of a struct.
func Names(t reflect.Type) (names []string) {
	for _, f := range fieldsOf(t) {
		names = append(names, f.name)
	}
	return names
}

// instead returns a hint for a name that is not known. A name can be that of a member's member.
func (list fields) instead(name string) string {
	var names []string
	paths := map[string]string{}
	for _, f := range list {
		names, paths[f.name] = append(names, f.name), f.name
		if f.typ.Kind() != reflect.Struct {
			continue
		}
		for _, inner := range Names(f.typ) {
			if paths[inner] == "" {
				names, paths[inner] = append(names, inner), f.name+"."+inner
			}
		}
	}
	return Instead(paths[Nearest(name, names)])
}

// Instead returns a hint for an error; "" for no name.
func Instead(name string) string {
	if name == "" {
		return ""
	}
	return " (did you mean " + name + "?)"
}

// Choose sets into to a text that is "" or one of the choices.
func Choose[T ~string](into *T, text []byte, choices ...T) error {
	if *into = T(text); *into == "" || slices.Contains(choices, *into) {
		return nil
	}
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = string(c)
	}
	if near := Nearest(string(*into), names); near != "" {
		return &Error{"", "is " + strconv.Quote(string(*into)) + ", which is not known" + Instead(near)}
	}
	return &Error{"", "must be one of: " + strings.Join(names, ", ")}
}

// maxName is how many bytes of a name that is not known an error has.
const maxName = 60

// Short returns a text as an error names it: long ones are cut.
func Short(text string) string {
	if len(text) <= maxName {
		return text
	}
	return strings.ToValidUTF8(text[:maxName], "") + "..."
}

// Nearest returns the name that a word is most likely meant for, or "".
func Nearest(word string, names []string) (near string) {
	if len(word) > maxName {
		return ""
	}
	best := min(len(word)/3+1, 4)
	for _, name := range names {
		d := distance(strings.ToLower(word), name)
		if word != "" && (strings.HasPrefix(name, word+"_") || strings.HasSuffix(name, "_"+word)) {
			d = min(d, 1)
		}
		if d < best {
			near, best = name, d
		}
	}
	return near
}

// distance is how many characters must be added, removed or replaced.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
