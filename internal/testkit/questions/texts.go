package questions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// textField is a field of the filter whose texts mean a code or an id, or else a whole name, or
// else a part of names.
type textField struct {
	name  string
	texts func(Filter) []string
	// of returns what a container has: its codes, which a text may equal, and its names.
	of func(*one) (codes, names []string)
}

var textFields = []textField{
	{"Terminals", func(f Filter) []string { return f.Terminals }, ofTerminals},
	{"PortsOfDischarge", func(f Filter) []string { return f.PortsOfDischarge }, func(c *one) (codes, names []string) {
		return []string{c.shipment.PortOfDischargeLOCODE}, []string{c.shipment.PortOfDischargeName}
	}},
	{"Destinations", func(f Filter) []string { return f.Destinations }, func(c *one) (codes, names []string) {
		return []string{c.shipment.DestinationLOCODE}, []string{c.shipment.DestinationName}
	}},
	{"ShippingLines", func(f Filter) []string { return f.ShippingLines }, func(c *one) (codes, names []string) {
		return []string{c.shipment.ShippingLineSCAC}, []string{c.shipment.ShippingLineName}
	}},
	{"Vessels", func(f Filter) []string { return f.Vessels }, func(c *one) (codes, names []string) {
		return []string{c.shipment.PODVesselIMO}, []string{c.shipment.PODVesselName}
	}},
	{"Customers", func(f Filter) []string { return f.Customers }, func(c *one) (codes, names []string) { return nil, []string{c.shipment.CustomerName} }},
	{"References", func(f Filter) []string { return f.References }, func(c *one) (codes, names []string) {
		return nil, slices.Concat(c.ReferenceNumbers, c.shipment.ReferenceNumbers)
	}},
	{"Tags", func(f Filter) []string { return f.Tags }, func(c *one) (codes, names []string) { return nil, c.shipment.Tags }},
	{"Holds", func(f Filter) []string { return f.Holds }, func(c *one) (codes, names []string) { return nil, holdsOf(c) }},
	{"Equipment", func(f Filter) []string { return f.Equipment }, func(c *one) (codes, names []string) { return nil, []string{equipmentOf(c)} }},
}

// ofTerminals returns the terminals where a container is or is bound for. Their label, such as
// "WBCT (USLAX)", is a name too: counts and meanings have it.
func ofTerminals(c *one) (codes, names []string) {
	for _, p := range []terminal49.VerdictPlace{c.v.Place, c.v.BoundFor} {
		codes, names = append(codes, p.TerminalID, p.FIRMSCode, p.LOCODE), append(names, p.Nickname, p.Name, p.String())
	}
	return codes, names
}

// holdsOf returns the holds in force and the others with their status; "none" if the terminal
// reports that there are no holds. A list that a terminal does not provide means nothing if it is
// empty.
func holdsOf(c *one) (all []string) {
	for _, h := range c.Holds {
		if h.Name != "" || h.Status != terminal49.HoldStatusActive {
			all = append(all, holdKey(h))
		}
	}
	unreported := slices.ContainsFunc(c.v.Readiness.Warnings, func(w terminal49.ReadinessWarning) bool {
		return w == terminal49.WarnHoldsNotReported || w == terminal49.WarnHoldsNotProvided
	})
	if len(c.Holds) == 0 && !unreported {
		return []string{"none"}
	}
	return all
}

func holdKey(h terminal49.Hold) string {
	if h.Status == terminal49.HoldStatusActive {
		return string(h.Name)
	}
	return strings.TrimSpace(fmt.Sprintf("%s (%s)", h.Name, h.Status))
}

// equipmentOf returns the length in feet and the type, such as "40 reefer".
func equipmentOf(c *one) string {
	text := strings.ReplaceAll(string(c.EquipmentType), "_", " ")
	if feet, known := c.EquipmentLength.Get(); known {
		text = strings.TrimSpace(fmt.Sprint(feet) + " " + text)
	}
	return text
}

// textsOf returns whether a container has one text of each field, and a text that none has.
func textsOf(f Filter, all []*one) (selects func(*one) bool, unknown string) {
	var fields []func(*one) bool
	for _, field := range textFields {
		var meant []func(*one) bool
		for _, text := range field.texts(f) {
			has := field.meaning(text, all)
			if has == nil {
				return nil, UnknownText(field.name, text)
			}
			meant = append(meant, has)
		}
		if len(meant) > 0 {
			fields = append(fields, func(c *one) bool { return slices.ContainsFunc(meant, func(has func(*one) bool) bool { return has(c) }) })
		}
	}
	return func(c *one) bool {
		return !slices.ContainsFunc(fields, func(has func(*one) bool) bool { return !has(c) })
	}, ""
}

// meaning returns which containers a text means; nil if it means none. A hold that the service has
// is known, even if no container has it.
func (f textField) meaning(text string, all []*one) func(*one) bool {
	text = strings.TrimSpace(strings.ToLower(text))
	for _, level := range []func(c *one) bool{
		func(c *one) bool {
			codes, _ := f.of(c)
			return has(codes, func(code string) bool { return strings.TrimSpace(code) == text })
		},
		func(c *one) bool {
			_, names := f.of(c)
			return has(names, func(name string) bool { return strings.TrimSpace(name) == text })
		},
		func(c *one) bool {
			_, names := f.of(c)
			return has(names, func(name string) bool { return strings.Contains(name, text) })
		},
	} {
		if text != "" && slices.ContainsFunc(all, level) {
			return level
		}
	}
	if f.name == "Holds" && isServiceHold(text) {
		return func(*one) bool { return false }
	}
	return nil
}

func isServiceHold(text string) bool {
	return slices.Contains([]string{"freight", "customs", "usda", "vacis", "tmf", "line", "other"}, text)
}

// has reports whether one of some texts is known and right, in lower case.
func has(texts []string, is func(string) bool) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return text != "" && is(strings.ToLower(text)) })
}
