package schema

import (
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// What readers of whole tables would otherwise compute from JSON in every row.

// namedHolds are the holds that have columns of their own, in lower case.
var namedHolds = []string{"freight", "customs", "usda", "tmf"}

// holdText returns a function that returns Hold or Pending if a container has a hold of a name; ""
// stands for all names without a column.
func holdText(name string) func(*container) string {
	return func(c *container) (text string) {
		for _, h := range c.Holds {
			if lower := strings.ToLower(string(h.Name)); lower != name && (name != "" || slices.Contains(namedHolds, lower)) {
				continue
			}
			switch h.Status {
			case terminal49.HoldStatusActive:
				return "Hold"
			case terminal49.HoldStatusPending:
				text = "Pending"
			}
		}
		return text
	}
}

// demurrage returns the sum of the demurrage of a container; "" if it has none.
func demurrage(c *container) string {
	var sum terminal49.Fee
	for _, f := range c.Fees {
		if f.Type == terminal49.FeeDemurrage {
			sum.Type, sum.Amount = f.Type, sum.Amount.Add(f.Amount)
		}
	}
	if sum.Type == "" {
		return ""
	}
	return sum.Amount.String()
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// shipmentTags returns the tags of the shipment of a tracking request.
func shipmentTags(r *trackingRequest) []string {
	if r.ShipmentTags == nil {
		return r.Tags
	}
	return r.ShipmentTags
}
