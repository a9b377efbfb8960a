package worklist

import (
	"github.com/go-freight/terminal49"
)

// Key is what [Question.Count] groups containers by. It is also the name of the filter for it,
// where there is one.
type Key string

// The values of Key. Days are on the calendar of their place, such as "2026-03-08".
const (
	KeySituation   Key = "situation"
	KeyTerminal    Key = "terminal"    // where the container is; key: id of the terminal
	KeyBoundFor    Key = "bound_for"   // where it goes next; likewise
	KeyLine        Key = "line"        // of the shipment; key: SCAC
	KeyPort        Key = "port"        // of the shipment; key: UN/LOCODE
	KeyDestination Key = "destination" // inland; key: UN/LOCODE
	KeyVessel      Key = "vessel"      // that calls at the port of discharge; key: IMO number
	KeyCustomer    Key = "customer"    // of the shipment; key: name
	KeyHold        Key = "holds"       // in one group for each; key: as in Filter.Holds
	KeyStage       Key = "stage"
	KeyEquipment   Key = "equipment"     // key: length in feet and type, such as "40 reefer"
	KeyLastFreeDay Key = "last_free_day" // that binds; key: day
	KeyFee         Key = "fees"          // in one group for each type that is owed; key: type, such as "demurrage"
	KeyETA         Key = "eta"           // day of the arrival that is expected next
	KeyETAWeek     Key = "eta_week"      // of the arrival that is expected next; key: the Monday
	KeySinceWeek   Key = "since_week"    // of Standing.Since, which is the pickup for SituationOut; key: the Monday
)

// AnyFee selects, in Filter.Fees, the containers for which something is owed.
const AnyFee = "any"

// NoHold is the key of the containers for which the terminal reports that there are no holds.
// The key of those whose holds are not reported is "".
const NoHold = "none"

// Counts is how many containers there are.
type Counts struct {
	Groups []Count
	Total  int  // containers
	Owed   Owed // for all of them
	Aside
}

// Count is how many containers a group has. The key is "" for those without one, such as containers
// that are at no terminal, and for those whose key is not known.
type Count struct {
	Key         string
	Label       string // human-readable; "" if unknown
	SecondKey   string // if containers are grouped by two
	SecondLabel string

	Containers int
	Situations map[terminal49.Situation]int
	Urgencies  map[terminal49.Urgency]int
	DaysPast   int // sum of the days since the last free days that have passed
	Owed       Owed
}

// Owed is what is owed for several containers, those included that have left.
type Owed struct {
	Fees       terminal49.FeeSummary
	Containers int // for which something is owed
	Unknown    int // whose fees, or the amounts of some, are not reported
}
