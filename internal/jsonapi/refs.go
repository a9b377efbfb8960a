package jsonapi

// Refs is a list of refs in one string, which takes half the memory of a slice of Ref: a page of
// containers links thousands of events. It consists of runs of refs of one type whose ids have one
// length: the length of the type, the type, the length of an id, the number of ids in one byte, and
// the ids.
type Refs string

// RefsOf returns a list of refs.
func RefsOf(list ...Ref) Refs {
	var packed refWriter
	for _, r := range list {
		packed.add(r.Type, []byte(r.ID))
	}
	return Refs(packed.text)
}

// refWriter writes a list of refs.
type refWriter struct {
	text   []byte
	typ    string // of the last run
	size   int    // of an id of the last run
	number int    // the index of the byte that counts its ids; 0 without any run
}

// longestRun is the largest number of ids of a run.
const longestRun = 255

func (w *refWriter) add(typ string, id []byte) {
	if w.number == 0 || w.typ != typ || w.size != len(id) || w.text[w.number] == longestRun {
		w.typ, w.size = typ, len(id)
		w.text = append(appendLength(w.text, len(typ)), typ...)
		w.text = appendLength(w.text, len(id))
		w.number = len(w.text)
		w.text = append(w.text, 0)
	}
	w.text[w.number]++
	w.text = append(w.text, id...)
}

func (w *refWriter) reset() { *w = refWriter{text: w.text[:0]} }

// appendLength appends n in groups of seven bits, the lowest first.
//
//go:noinline
func appendLength(to []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		to = append(to, byte(n)|0x80)
	}
	return append(to, byte(n))
}

// List returns the refs. Their ids are part of r.
func (r Refs) List() []Ref {
	list := make([]Ref, 0, r.Len())
	for r != "" {
		var run refRun
		for run, r = r.next(); run.number > 0; {
			list = append(list, run.next())
		}
	}
	return list
}

// Len returns the number of refs. If it were inlined, it would be compiled for each type of
// resource.
//
//go:noinline
func (r Refs) Len() (n int) {
	for r != "" {
		var run refRun
		run, r = r.next()
		n += run.number
	}
	return n
}

// refRun is a number of refs of one type whose ids have one length.
type refRun struct {
	typ          string
	ids          Refs
	size, number int
}

// next removes the first ref of a run that is not empty.
func (r *refRun) next() Ref {
	ref := Ref{r.typ, string(r.ids[:r.size])}
	r.ids, r.number = r.ids[r.size:], r.number-1
	return ref
}

// next returns the first run and the list after it. It does not panic on invalid bytes.
func (r Refs) next() (run refRun, rest Refs) {
	n, rest := r.length()
	run.typ, rest = string(rest[:n]), rest[n:]
	if run.size, rest = rest.length(); rest != "" {
		run.number, rest = int(rest[0]), rest[1:]
	}
	if run.size > 0 {
		run.number = min(run.number, len(rest)/run.size)
	}
	n = run.number * run.size
	run.ids = rest[:n]
	return run, rest[n:]
}

// length returns a length, at most that of the rest.
//
//go:noinline
func (r Refs) length() (n int, rest Refs) {
	for shift := 0; r != "" && shift < 63; shift += 7 {
		c := r[0]
		n, r = n|int(c&0x7f)<<shift, r[1:]
		if c < 0x80 {
			break
		}
	}
	return max(0, min(n, len(r))), r
}
