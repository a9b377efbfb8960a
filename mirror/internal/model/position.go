package model

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
)

// Position is a place in the feed of changes: right after one of them. The zero Position is the
// beginning.
type Position struct {
	Seq int64
	Tag string // a restored database that gives Seq again gives it another tag
}

// NewTag returns a tag for the changes of a transaction: 64 random bits.
func NewTag() string {
	var bits [8]byte
	_, _ = rand.Read(bits[:]) // it never fails
	return hex.EncodeToString(bits[:])
}

var positionForm = regexp.MustCompile(`^([1-9][0-9]{0,18})-([0-9a-f]{16})$`)

// ParsePosition returns the position of its text, which is empty for the beginning.
func ParsePosition(text string) (p Position, ok bool) {
	if text == "" {
		return p, true
	}
	parts := positionForm.FindStringSubmatch(text)
	if parts == nil {
		return p, false
	}
	seq, err := strconv.ParseInt(parts[1], 10, 64)
	return Position{seq, parts[2]}, err == nil
}

// String returns the text of the position, as it is stored.
func (p Position) String() string {
	if p == (Position{}) {
		return ""
	}
	return fmt.Sprintf("%d-%s", p.Seq, p.Tag)
}
