package state

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"

	"github.com/google/uuid"
)

// IDs generates ids from a seed. The n-th id of a kind does not depend on ids of other kinds.
type IDs struct {
	Space  uuid.UUID
	Counts map[string]int // by kind
}

func NewIDs(seed int64) *IDs {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], uint64(seed))
	return &IDs{Space: uuid.NewSHA1(uuid.NameSpaceOID, raw[:]), Counts: map[string]int{}}
}

func (g *IDs) Next(kind string) string {
	g.Counts[kind]++
	return uuid.NewSHA1(g.Space, []byte(kind+"/"+strconv.Itoa(g.Counts[kind]))).String()
}

// Draw returns a number from 0 to below 1 that depends on the seed and the name.
func (g *IDs) Draw(name string) float64 {
	sum := uuid.NewSHA1(g.Space, []byte(name))
	return float64(binary.BigEndian.Uint32(sum[:4])) / (1 << 32)
}

func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
