package terminal49

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/go-freight/terminal49/internal/operation"
)

// ShippingLine is an ocean carrier that the account can track.
//
//t49:resource shipping_line
type ShippingLine struct {
	Resource

	SCAC                           string       `t49:"scac"` // the code for tracking requests
	Name                           string       `t49:"name"`
	ShortName                      string       `t49:"short_name"`
	AlternativeSCACs               []string     `t49:"alternative_scacs"` // further codes for tracking requests
	BillOfLadingTrackingSupport    bool         `t49:"bill_of_lading_tracking_support"`
	BookingNumberTrackingSupport   bool         `t49:"booking_number_tracking_support"`
	ContainerNumberTrackingSupport bool         `t49:"container_number_tracking_support"`
	ProvidedData                   ProvidedData `t49:"provided_data"` // what this line reports; nil if unknown
	TrackingURL                    string       `t49:"tracking_url"`  // a template that may contain "${BLNUM}"; "" if unknown
	ContactURL                     string       `t49:"contact_url"`   // "" if unknown
}

// Supports reports whether the line can be tracked by a number of type t.
func (l *ShippingLine) Supports(t RequestType) bool {
	switch t {
	case RequestTypeBillOfLading:
		return l.BillOfLadingTrackingSupport
	case RequestTypeBookingNumber:
		return l.BookingNumberTrackingSupport
	case RequestTypeContainer:
		return l.ContainerNumberTrackingSupport
	default:
		return false
	}
}

// ShippingLinesService reads shipping lines.
type ShippingLinesService service

// List returns every shipping line that is enabled for the account, including TEST, which is for
// experiments. The service sends all of them at once and has no filter.
//
// API: GET /shipping_lines
func (s *ShippingLinesService) List(ctx context.Context, opts ...CallOption) ([]*ShippingLine, error) {
	return Collect(s.All(ctx, opts...))
}

// All iterates over the shipping lines that List returns.
//
// API: GET /shipping_lines
func (s *ShippingLinesService) All(ctx context.Context, opts ...CallOption) iter.Seq2[*ShippingLine, error] {
	return allOf[ShippingLine](ctx, s.client, newEndpoint(operation.ShippingLinesList).unpaged(), opts)
}

// Get returns one shipping line by its id, which is not its SCAC.
//
// API: GET /shipping_lines/{id}. Errors: ErrNotFound.
func (s *ShippingLinesService) Get(ctx context.Context, id string, opts ...CallOption) (*ShippingLine, error) {
	arg := uuidArg(id).hint("a SCAC is not an id; find the id with ShippingLines.List")
	return fetchOne[ShippingLine](ctx, s.client, newEndpoint(operation.ShippingLinesGet, arg), opts)
}

// lineMatch is how well a shipping line matches a text; a lower one is better.
type lineMatch int

const (
	matchSCAC            lineMatch = iota + 1 // the text is the SCAC
	matchAlternativeSCAC                      // the text is an alternative SCAC
	matchName                                 // the text is the name or the short name
	matchNameStart                            // the name or the short name starts with the text
	matchWords                                // each word of the text starts a word of the names
	matchNamePart                             // the name or the short name contains the text
)

// SearchShippingLines returns the lines that match a text, the best first and equal ones by SCAC.
// It compares SCACs, alternative SCACs, names and short names, and ignores case, punctuation and
// spaces. An empty text matches nothing. The service cannot search, so fetch
// [ShippingLinesService.List] once and keep it. Use [BestShippingLine] for a single line.
func SearchShippingLines(lines []*ShippingLine, text string) []*ShippingLine {
	by := map[*ShippingLine]lineMatch{}
	var found []*ShippingLine
	for _, line := range lines {
		if by[line] = line.matchedBy(text); by[line] != 0 {
			found = append(found, line)
		}
	}
	slices.SortStableFunc(found, func(a, b *ShippingLine) int {
		return cmp.Or(cmp.Compare(by[a], by[b]), cmp.Compare(a.SCAC, b.SCAC), cmp.Compare(a.ID, b.ID))
	})
	return found
}

// BestShippingLine returns the line that matches a text best; see [SearchShippingLines]. It returns
// false if none matches, or if several different lines match equally well; ask the user in that
// case.
func BestShippingLine(lines []*ShippingLine, text string) (*ShippingLine, bool) {
	found := SearchShippingLines(lines, text)
	if len(found) == 0 {
		return nil, false
	}
	best := found[0]
	for _, other := range found {
		if other.matchedBy(text) == best.matchedBy(text) && (other.SCAC != best.SCAC || other.ID != best.ID) {
			return nil, false
		}
	}
	return best, true
}

// matchedBy returns how well the line matches a text, or 0 if it does not.
func (l *ShippingLine) matchedBy(text string) lineMatch {
	words := searchWords(text)
	wanted := strings.Join(words, "")
	if l == nil || wanted == "" {
		return 0
	}
	best := lineMatch(0)
	consider := func(kind lineMatch, matches bool) {
		if matches && (best == 0 || kind < best) {
			best = kind
		}
	}
	consider(matchSCAC, strings.EqualFold(l.SCAC, wanted))
	for _, scac := range l.AlternativeSCACs {
		consider(matchAlternativeSCAC, strings.EqualFold(scac, wanted))
	}
	for _, name := range []string{l.Name, l.ShortName} {
		name = strings.Join(searchWords(name), "")
		consider(matchName, name == wanted)
		consider(matchNameStart, strings.HasPrefix(name, wanted))
		consider(matchNamePart, strings.Contains(name, wanted))
	}
	consider(matchWords, startWords(words, searchWords(l.Name+" "+l.ShortName)))
	return best
}

// startWords reports whether each wanted word starts one of the words.
func startWords(wanted, words []string) bool {
	return !slices.ContainsFunc(wanted, func(start string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, start) })
	})
}

// searchWords returns the letters and digits of a text as lower-case words.
func searchWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
