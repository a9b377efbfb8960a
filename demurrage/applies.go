package demurrage

import (
	"fmt"
	"slices"
	"strings"
)

// applying returns the charges of a kind that apply to a stay: the first that surely does, and
// those before it that apply if something that is unknown is as they require, with what that is. It
// reports whether one of them surely applies.
func (t *Tariff) applying(kind Kind, s *Stay) (all []*Charge, doubts []string, sure bool) {
	for i := range t.Charges {
		c := &t.Charges[i]
		if c.Kind != kind {
			continue
		}
		applies, unknown := c.Applies.to(s)
		if !applies {
			continue
		}
		all = append(all, c)
		if len(unknown) == 0 {
			return all, doubts, true
		}
		for _, name := range unknown {
			if doubt := "the " + name + " is unknown, and charges depend on it"; !slices.Contains(doubts, doubt) {
				doubts = append(doubts, doubt)
			}
		}
	}
	return all, doubts, false
}

// to reports whether the conditions may be met, and which of them cannot be decided.
func (c *Conditions) to(s *Stay) (applies bool, unknown []string) {
	length := ""
	if s.EquipmentLength != 0 {
		length = fmt.Sprint(s.EquipmentLength)
	}
	for _, condition := range []struct {
		name string
		any  []string
		is   string
	}{
		{"shipping line", c.ShippingLines, s.ShippingLine},
		{"port", c.Ports, s.Port},
		{"terminal", c.Terminals, s.Terminal},
		{"customer", c.Customers, s.Customer},
		{"equipment type", c.Equipment, s.Equipment},
		{"equipment length", texts(c.Lengths), length},
	} {
		switch {
		case len(condition.any) == 0:
		case condition.is == "":
			unknown = append(unknown, condition.name)
		case !slices.ContainsFunc(condition.any, func(one string) bool { return strings.EqualFold(one, condition.is) }):
			return false, nil
		}
	}
	return true, unknown
}

func texts(numbers []int) (all []string) {
	for _, n := range numbers {
		all = append(all, fmt.Sprint(n))
	}
	return all
}
