package demurrage

import (
	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// Tariff is what a shipping line, terminal or port charges. Read one with [ParseTariff], or check
// one that your program made with [Tariff.Validate]. [Schema] describes its JSON.
type Tariff struct {
	Name     string `json:"name,omitempty"`
	Source   string `json:"source,omitempty"` // where it is from: an address and a date, or a contract
	Currency string `json:"currency"`         // ISO 4217, of all amounts

	// Weekend are the days of the week that are not worked, such as "saturday", and Holidays the other
	// days. They matter to charges that skip them.
	Weekend  []string          `json:"weekend,omitempty"`
	Holidays []terminal49.Date `json:"holidays,omitempty"`

	// Charges are tried in their order: of each kind, the first that applies to a stay is used.
	Charges []Charge `json:"charges"`
}

// Kind is what a charge is for.
type Kind string

// The values of Kind.
const (
	Demurrage Kind = "demurrage" // laden, in the terminal, after its free days
	Detention Kind = "detention" // outside of the terminal, until the empty container is back; also per diem
	Storage   Kind = "storage"   // owed to the terminal or port for the space
	Combined  Kind = "combined"  // demurrage and detention with one free time
)

var kinds = []Kind{Demurrage, Detention, Storage, Combined}

// Charge is one charge of a tariff: when its clock starts and stops, which days are free, and what
// the others cost.
type Charge struct {
	Kind    Kind       `json:"kind"`
	Name    string     `json:"name,omitempty"`
	Applies Conditions `json:"applies,omitzero"`

	// Starts are events. The clock starts on the day of the latest of them or, with
	// StartsNextDay, on the day after.
	Starts        []Event `json:"starts"`
	StartsNextDay bool    `json:"starts_next_day,omitempty"`
	// Stops is the event that stops the clock. Its day still counts, unless StopDayFree is set.
	Stops       Event `json:"stops"`
	StopDayFree bool  `json:"stop_day_free,omitempty"`

	FreeDays  int    `json:"free_days"`            // how many days are free, from the first day on
	FreeSkips []Skip `json:"free_skips,omitempty"` // days that do not use up free days
	// LastFreeDay, if set, is a reported last free day that changes where free time ends.
	LastFreeDay LastFreeDay `json:"last_free_day,omitzero"`

	ChargedSkips []Skip `json:"charged_skips,omitempty"` // days after free time that cost nothing
	// StoppedBy are the kinds of interruptions that stop the clock; see [Interruption].
	StoppedBy []string `json:"stopped_by,omitempty"`

	Tiers []Tier `json:"tiers"`
	// TiersFrom is the day that Tier.From counts from. Days that are not counted have no number,
	// unless NumberSkipped is set: then the skipped days after free time have one.
	TiersFrom     TiersFrom `json:"tiers_from"`
	NumberSkipped bool      `json:"number_skipped,omitempty"`
	// Cap is the maximum of the charge; nil for none.
	Cap *decimal.Decimal `json:"cap,omitempty"`
}

// Conditions say which stays a charge applies to. An empty list sets no condition. Texts are
// compared without regard to case.
type Conditions struct {
	ShippingLines []string `json:"shipping_lines,omitempty"` // SCACs
	Ports         []string `json:"ports,omitempty"`          // UN/LOCODEs
	Terminals     []string `json:"terminals,omitempty"`      // names, as in Stay.Terminal
	Customers     []string `json:"customers,omitempty"`      // of a contract, as in Stay.Customer
	Equipment     []string `json:"equipment,omitempty"`      // types, such as dry or reefer
	Lengths       []int    `json:"lengths,omitempty"`        // feet
}

// Skip is a kind of day that is not counted.
type Skip string

// The values of Skip.
const (
	SkipWeekends Skip = "weekends" // the days of Tariff.Weekend
	SkipHolidays Skip = "holidays" // the days of Tariff.Holidays
)

// LastFreeDay says how a last free day that was reported changes the one that follows from the free
// days. While it is not reported, the free days alone count.
type LastFreeDay struct {
	Event Event           `json:"event"`
	Rule  LastFreeDayRule `json:"rule"`
}

// LastFreeDayRule is which of two last free days counts.
type LastFreeDayRule string

// The values of LastFreeDayRule.
const (
	Replaces LastFreeDayRule = "replaces" // the reported one
	Later    LastFreeDayRule = "later"    // the later of the two
	Earlier  LastFreeDayRule = "earlier"  // the earlier of the two
)

// Tier is the price of a day for a range of days. Tiers follow each other without a gap. After the
// end of the last one, if it has an end, the price is unknown.
type Tier struct {
	From   int             `json:"from"`         // the first day, from 1
	To     int             `json:"to,omitempty"` // the last day; 0 for no end
	PerDay decimal.Decimal `json:"per_day"`      // in Tariff.Currency
}

// TiersFrom is the day that tiers count from.
type TiersFrom string

// The values of TiersFrom.
const (
	FromFirstChargedDay TiersFrom = "first_charged_day" // the first day after free time is 1
	FromFirstDay        TiersFrom = "first_day"         // the first day of free time is 1
)
