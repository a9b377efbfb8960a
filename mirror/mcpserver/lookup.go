package mcpserver

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
)

var lookupTool = mcp.Tool{
	Name:        "lookup",
	Description: "Codes and names of shipping lines, parties (customers), ports, inland destinations, terminals and vessels (with positions), by a part of a name or code, also misspelled.",
}

type nameKind string

var nameKinds = enumOf[nameKind]("line", "party", "port", "destination", "terminal", "vessel")

type lookupInput struct {
	Name  string     `json:"name,omitempty" jsonschema:"part of a name or code; without it all are listed"`
	Kinds []nameKind `json:"kinds,omitempty"`
	Limit int        `json:"limit,omitempty" jsonschema:"1 to 200; default 20"`
}

type lookupAnswer struct {
	common
	Limit int       `json:"limit,omitempty"`
	Found []nameRow `json:"found,omitempty"`
}

// nameRow is something with a name.
type nameRow struct {
	Kind   nameKind `json:"kind"`
	Code   string   `json:"code,omitempty" jsonschema:"SCAC, UN/LOCODE, FIRMS code or IMO number"`
	Name   string   `json:"name"`
	Also   []string `json:"also,omitempty"`
	Detail string   `json:"detail,omitempty"`

	distance int
}

func (s *server) lookup(ctx context.Context, in lookupInput) (*lookupAnswer, error) {
	if in.Limit == 0 {
		in.Limit = 20
	}
	if in.Limit < 1 || in.Limit > 200 {
		return nil, mend("limit", "must be from 1 to 200")
	}
	if len(in.Kinds) == 0 {
		in.Kinds = nameKinds
	}
	l := &looker{text: strings.ToLower(clean(in.Name)), a: new(lookupAnswer)}
	for _, kind := range in.Kinds {
		if err := l.read(ctx, s, kind); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(l.a.Found, func(a, b nameRow) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Name, b.Name))
	})
	if len(l.a.Found) > 0 && l.text != "" && l.a.Found[0].distance > contained {
		l.a.note("Nothing has this name; these are the nearest. Ask which is meant.")
	}
	l.a.Total = len(l.a.Found)
	l.a.Limit, l.a.Found = in.Limit, l.a.Found[:min(l.a.Total, in.Limit)]
	if l.a.Shown = len(l.a.Found); l.a.Shown < l.a.Total {
		l.a.note("There are more; ask for a longer text or one kind.")
	}
	return l.a, nil
}

// looker collects what has a name like a text.
type looker struct {
	text string
	a    *lookupAnswer
}

// read adds what a kind has. The tables are small, but for some thousands of vessels.
func (l *looker) read(ctx context.Context, s *server, kind nameKind) error {
	switch kind {
	case "line":
		return each(l, s.Reader.ShippingLines(ctx, ""), lineName)
	case "party":
		return each(l, s.Reader.Parties(ctx, ""), func(p *terminal49.Party) nameRow {
			return nameRow{Kind: kind, Name: p.CompanyName, Also: []string{p.Nickname}}
		})
	case "port":
		return each(l, s.Reader.Ports(ctx, ""), func(p *terminal49.Port) nameRow {
			return nameRow{Kind: kind, Code: p.LOCODE, Name: p.Name, Also: []string{p.City}, Detail: strings.TrimSpace(p.StateAbbr + " " + p.CountryCode)}
		})
	case "destination":
		return each(l, s.Reader.MetroAreas(ctx, ""), func(m *terminal49.MetroArea) nameRow {
			return nameRow{Kind: kind, Code: m.PlaceLOCODE(), Name: m.PlaceName()}
		})
	case "terminal":
		return each(l, s.Reader.Terminals(ctx, ""), terminalName)
	}
	return each(l, s.Reader.Vessels(ctx, ""), vesselName)
}

// vesselName has the last position that the copy read, and when the vessel was there.
func vesselName(of *terminal49.Vessel) nameRow {
	n := nameRow{Kind: "vessel", Code: of.IMO, Name: of.Name}
	latitude, has := of.Latitude.Get()
	longitude, both := of.Longitude.Get()
	if has && both {
		n.Detail = fmt.Sprintf("at latitude %s, longitude %s, %s", number(latitude), number(longitude), known(local(of.PositionTimestamp)))
	}
	return n
}

func lineName(of *terminal49.ShippingLine) nameRow {
	var tracks []string
	for t, word := range map[terminal49.RequestType]string{
		terminal49.RequestTypeBillOfLading: "bills of lading", terminal49.RequestTypeBookingNumber: "bookings", terminal49.RequestTypeContainer: "containers",
	} {
		if of.Supports(t) {
			tracks = append(tracks, word)
		}
	}
	slices.Sort(tracks)
	return nameRow{Kind: "line", Code: of.SCAC, Name: of.Name, Also: append([]string{of.ShortName}, of.AlternativeSCACs...), Detail: "tracked by " + cmp.Or(strings.Join(tracks, ", "), "nothing")}
}

func terminalName(of *terminal49.Terminal) nameRow {
	n := nameRow{Kind: "terminal", Code: of.FIRMSCode, Name: of.Name, Also: []string{of.Nickname}, Detail: "ocean terminal"}
	if of.IsRail() {
		n.Detail = "rail ramp"
	}
	if port, ok := of.Port.Value(); ok {
		n.Detail += " at " + placeOf(port.Name, port.LOCODE)
	}
	return n
}

// each adds what a list has with a name like the text.
func each[T any](l *looker, all iter.Seq2[*T, error], name func(*T) nameRow) error {
	for v, err := range all {
		if err != nil {
			return err
		}
		n := name(v)
		n.distance = l.distance(&n)
		if n.distance <= misspelled {
			n.Code, n.Name, n.Also, n.Detail = clean(n.Code), known(n.Name), others(n), clean(n.Detail)
			l.a.Found = append(l.a.Found, n)
		}
	}
	return nil
}

// others returns the other names that differ from the name.
func others(n nameRow) []string {
	return slices.DeleteFunc(cleaned(n.Also), func(text string) bool { return text == clean(n.Name) || text == clean(n.Code) })
}

// How near a name is to a text.
const (
	exact = iota
	begins
	contained
	misspelled
	another
)

// distance returns how near the codes and names of a thing are to the text.
func (l *looker) distance(n *nameRow) int {
	best := another
	for _, name := range append([]string{n.Code, n.Name}, n.Also...) {
		name = strings.ToLower(clean(name))
		switch {
		case name == "" && l.text != "":
		case name == l.text:
			return exact
		case strings.HasPrefix(name, l.text):
			best = min(best, begins)
		case strings.Contains(name, l.text):
			best = min(best, contained)
		case isMisspelled(name, l.text):
			best = min(best, misspelled)
		}
	}
	return best
}

// isMisspelled reports whether a text is a name, or its first words, with a few wrong letters: one
// for each five.
func isMisspelled(name, text string) bool {
	a, b := []rune(name), []rune(text)
	if len(b) < 4 || len(b) > 60 {
		return false
	}
	allowed := 1 + len(b)/6
	return edits(a, b) <= allowed || len(a) > len(b) && edits(a[:min(len(a), len(b)+1)], b) <= allowed
}

// edits returns how many letters must be changed, added, left out or swapped with the next one.
func edits(a, b []rune) int {
	if max(len(a)-len(b), len(b)-len(a)) > 12 {
		return 12
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		last, before, row := rows[1], rows[0], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}

func (a *lookupAnswer) write(p *page) {
	for _, n := range a.Found {
		p.line("%s %s%s%s%s", n.Kind, quoted(n.Name), before(" ", quotedOrNone(n.Code)), before(", also ", quotedAll(n.Also, " ")), before(", ", quotedOrNone(n.Detail)))
	}
	if len(a.Found) == 0 {
		p.line("Nothing in the copy has such a name.")
	}
}
