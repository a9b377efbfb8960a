package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/catalogue"
)

// An enumeration belongs to an attribute that the catalogue lists, and neither attributes nor
// values repeat.
func TestEnums_BelongToAttributes(t *testing.T) {
	attributes := map[string]bool{}
	for _, typ := range catalogue.Types() {
		for _, name := range typ.Attributes {
			key := typ.Name + "." + name
			if attributes[key] {
				t.Errorf("%s is listed twice", key)
			}
			attributes[key] = true
			outer, _, nested := cutLast(name)
			if nested && !attributes[typ.Name+"."+outer] {
				t.Errorf("%s is listed before the object it belongs to", key)
			}
		}
	}
	for _, enum := range catalogue.Enums() {
		if !attributes[enum.Name] {
			t.Errorf("%s is not an attribute", enum.Name)
		}
		if n := len(slices.Compact(slices.Sorted(slices.Values(enum.Values)))); n != len(enum.Values) || n == 0 {
			t.Errorf("%s: %d different values of %d", enum.Name, n, len(enum.Values))
		}
	}
}

func cutLast(name string) (before, after string, found bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

func TestCatalogue_ReturnsCopies(t *testing.T) {
	catalogue.Types()[0].Attributes[0] = "changed"
	catalogue.Enums()[0].Values[0] = "changed"
	if catalogue.Types()[0].Attributes[0] == "changed" ||
		catalogue.Enums()[0].Values[0] == "changed" {
		t.Error("a caller's change reached the next caller")
	}
}
