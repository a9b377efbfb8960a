package mcpserver

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror"
)

// byID reads the resources that changes of some kinds are about, by id.
func byID[T any](ctx context.Context, changes []mirror.Change, read func(context.Context, string, ...any) iter.Seq2[*T, error], id func(*T) string, kinds ...string) (map[string]*T, error) {
	var ids []any
	for i := range changes {
		if c := &changes[i]; slices.Contains(kinds, c.Kind) && !slices.Contains(ids, any(c.ID)) {
			ids = append(ids, c.ID)
		}
	}
	all := map[string]*T{}
	for some := range slices.Chunk(ids, 200) {
		for v, err := range read(ctx, "where id in ("+parameters(len(some))+")", some...) {
			if err != nil {
				return nil, err
			}
			all[id(v)] = v
		}
	}
	return all, nil
}

// parameters returns $1, $2 and so on.
func parameters(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(all, ", ")
}
