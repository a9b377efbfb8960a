// Package numbering numbers the different keys of a list.
package numbering

// Of assigns numbers to keys in order of first use. It searches the first few keys one by
// one, so that usual lists need no allocation, and keeps the others in a map.
type Of[K comparable] struct {
	few  [8]K
	more map[K]int
	n    int
}

// Number returns the number of a key and whether the key already had one.
func (p *Of[K]) Number(key K) (i int, found bool) {
	for i := range min(p.n, len(p.few)) {
		if p.few[i] == key {
			return i, true
		}
	}
	if i, found = p.more[key]; found {
		return i, true
	}
	i = p.n
	p.n++
	if i < len(p.few) {
		p.few[i] = key
		return i, false
	}
	if p.more == nil {
		p.more = map[K]int{}
	}
	p.more[key] = i
	return i, false
}
