package push

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/notice"
)

// Filter selects changes by kind, or by kind and attribute. The zero Filter selects all.
type Filter struct {
	kinds map[string]bool    // all attributes of these
	pairs map[[2]string]bool // of kind and attribute
}

var isAttribute = regexp.MustCompile(`^[a-z][a-z0-9_]*$`).MatchString

// ParseFilter returns the filter of its parts, such as "container" or "situation.ready". The
// problem is "" if it can be read.
func ParseFilter(parts []string) (f Filter, problem string) {
	for _, part := range parts {
		kind, attribute, narrow := strings.Cut(part, ".")
		switch {
		case !model.IsKept(kind) && kind != model.KindNotice:
			return f, fmt.Sprintf("has the unknown kind %q; the kinds are %s", kind, strings.Join(kinds(), ", "))
		case narrow && !isAttribute(attribute):
			return f, fmt.Sprintf("has the attribute %q; it must be as in the feed, such as container.pickup_lfd or situation.ready", attribute)
		case narrow && kind == model.KindNotice && !notice.IsName(attribute):
			return f, fmt.Sprintf("has the unknown notice %q; it must be a situation, such as ready, or another name, such as last_free_day", part)
		case narrow:
			f.pairs = with(f.pairs, [2]string{kind, attribute})
		default:
			f.kinds = with(f.kinds, kind)
		}
	}
	return f, ""
}

func with[K comparable](set map[K]bool, key K) map[K]bool {
	if set == nil {
		set = map[K]bool{}
	}
	set[key] = true
	return set
}

func kinds() []string {
	return append(slices.Sorted(maps.Keys(model.Kinds)), model.KindNotice)
}

// selects reports whether a change passes. What was forgotten has no kind, and never passes.
func (f Filter) selects(kind, attribute string) bool {
	all := f.kinds == nil && f.pairs == nil
	return kind != "" && (all || f.kinds[kind] || f.pairs[[2]string{kind, attribute}])
}
