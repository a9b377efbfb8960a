package terminal49

import "github.com/go-freight/terminal49/internal/jsonapi"

// SizeTypeGroup returns the ISO 6346 code of size and type group: "45GP" is a dry container of 40
// feet and high cube, "22RT" a standard reefer of 20 feet. It never returns a detailed code such as
// "45G1", which needs what the service does not report. It returns "" if the length, height or type
// is unknown or has no code. That includes flat racks, tanks and hard tops, because their group
// depends on details that are not reported, such as fixed or folding ends (PF, PC).
func (c *Container) SizeTypeGroup() string {
	length, _ := c.EquipmentLength.Get()
	size, group := sizeCode(length, c.EquipmentHeight), typeGroup(c.EquipmentType)
	if size == "" || group == "" {
		return ""
	}
	return size + group
}

// sizeCode returns the code of ISO 6346, Annex D, for a width of 8 feet, or "". It has none for 50
// feet. A standard height is 8 feet 6 inches, and unclear for 10 feet: 8 feet in ISO 668, more in
// the trade.
func sizeCode(feet int, height EquipmentHeight) string {
	var length string
	switch feet {
	case 10:
		length = "1"
	case 20:
		length = "2"
	case 40:
		length = "4"
	case 45:
		length = "L"
	}
	switch {
	case length != "" && height == HeightHighCube: // 9 feet 6 inches
		return length + "5"
	case length != "" && height == HeightStandard && feet != 10:
		return length + "2"
	}
	return ""
}

// typeGroup returns the group of ISO 6346, Annex E, or "" if it depends on what the service does not
// report: the ends of a flat rack (PF, PC), the content of a tank (TN, TD, TG) and the roof, for
// which lines use UT and UP.
func typeGroup(t EquipmentType) string {
	switch t {
	case EquipmentDry:
		return "GP"
	case EquipmentReefer:
		return "RT" // those that can only cool (RE) or have a generator (RS) are in RT in the trade's lists
	case EquipmentOpenTop:
		return "UT"
	case EquipmentBulk:
		return "BU" // Amendment 3 of 2012 moved the pressurised ones (BK) to the tanks
	default:
		return ""
	}
}

// TEU returns the size in twenty-foot equivalent units: the length divided by 20 feet, whatever the
// height. That is 0.5 for 10 feet, 1 for 20, 2 for 40 and 2.25 for 45, as in the Glossary for
// Transport Statistics of Eurostat, ITF and UNECE; many lines and terminals count 45 feet as 2. It
// returns false if the length is unknown.
func (c *Container) TEU() (teu float64, ok bool) {
	length, _ := c.EquipmentLength.Get()
	if length <= 0 {
		return 0, false
	}
	return float64(length) / 20, true
}

// kilogramsPerPound is exact: the international pound of 1959, in NIST Special Publication 811.
const kilogramsPerPound = 0.45359237

// WeightKilograms returns WeightPounds in kilograms, with the exact factor 0.45359237 and without
// rounding. It returns false if the weight is unknown.
func (c *Container) WeightKilograms() (kilograms float64, ok bool) {
	pounds, _ := c.WeightPounds.Get()
	if pounds <= 0 {
		return 0, false
	}
	return pounds * kilogramsPerPound, true
}

// readMeasure reads a number of the equipment. 0 is not a measure: the service sends it for a weight
// that it does not know, and some shipping lines for a length. It becomes missing rather than null,
// which was not sent. JSON leaves it out, and reading that returns the same container.
func readMeasure[V int | float64](d *jsonapi.Decoder, at any) {
	readOther(d, at)
	if measure := at.(*Opt[V]); *measure == Some[V](0) {
		*measure = Opt[V]{}
	}
}
