package jsonapi

// Refs is a list of refs in one string, which takes half the memory of a slice of Ref: a page of
// containers links thousands of events. For each ref it holds the length of the type plus one and
// the type, or 0 for the type of the ref before, and then the length of the id and the id.
type Refs string

// RefsOf returns a list of refs.
func RefsOf(list ...Ref) Refs {
	var packed []byte
	var last string
	for _, r := range list {
		packed = appendRef(packed, last, r.Type, r.ID)
		last = r.Type
	}
	return Refs(packed)
}

func appendRef[ID string | []byte](to []byte, last, typ string, id ID) []byte {
	if typ == last {
		to = append(to, 0)
	} else {
		to = append(appendLength(to, len(typ)+1), typ...)
	}
	return append(appendLength(to, len(id)), id...)
}

// appendLength appends n in groups of seven bits, the lowest first.
func appendLength(to []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		to = append(to, byte(n)|0x80)
	}
	return append(to, byte(n))
}

// List returns the refs. Their ids are part of r.
func (r Refs) List() []Ref {
	list := make([]Ref, 0, r.Len())
	for ref := (Ref{}); r != ""; list = append(list, ref) {
		ref, r = r.Next(ref)
	}
	return list
}

// Len returns the number of refs.
func (r Refs) Len() (n int) {
	for ref := (Ref{}); r != ""; n++ {
		ref, r = r.Next(ref)
	}
	return n
}

// Next returns the first ref and the list after it. before is the ref before it, or empty. The list
// must not be empty.
func (r Refs) Next(before Ref) (first Ref, rest Refs) {
	n, rest := r.length()
	if first.Type = before.Type; n > 0 {
		first.Type, rest = string(rest[:n-1]), rest[n-1:]
	}
	n, rest = rest.length()
	first.ID = string(rest[:n])
	return first, rest[n:]
}

// length returns a length, at most that of the rest, so that no bytes can cause a panic.
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
