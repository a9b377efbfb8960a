package worklist

import (
	"github.com/go-freight/terminal49"
)

// Filter selects containers. The zero value selects all that are not deleted. A container must meet
// every field that is set; of a list, it must meet one item.
//
// A text of the fields from Terminals to Fees means a code or an id, or else a whole name, or else
// a part of names; case and spaces around it are ignored. If a part is in several names, all are
// meant, which [Question.Meanings] reports. If nothing has the text, the error names the nearest.
type Filter struct {
	// Texts are parts of a container number, a bill of lading, a reference, a vessel with its
	// voyage, or the port of discharge that the container is at or bound for. Only letters and
	// digits are compared.
	Texts []string

	Work       []Work
	Days       int // for kinds of work that have days, up to 36,500; default 5, and 1 for WorkETASlipped
	Situations []terminal49.Situation
	Urgencies  []terminal49.Urgency
	Stages     []terminal49.Stage

	Terminals        []string // where the container is or is bound for: id, FIRMS code, UN/LOCODE, nickname or name
	PortsOfDischarge []string // UN/LOCODE or name
	Destinations     []string // inland: UN/LOCODE or name
	ShippingLines    []string // SCAC or name
	Vessels          []string // that calls at the port of discharge: IMO number or name
	Customers        []string
	References       []string // of the container or its shipment
	Tags             []string // of the shipment
	Holds            []string // in force, such as "customs"; others with their status, such as "customs (pending)"; NoHold
	Fees             []string // types with an amount to pay, such as "demurrage"; AnyFee
	Equipment        []string // length in feet and type, such as "40 reefer"

	LastFreeDayFrom, LastFreeDayTo terminal49.Date     // of the day that binds, on the calendar of its place; both included
	DaysLeftFrom, DaysLeftTo       terminal49.Opt[int] // to that day, as Verdict.DaysLeft counts them; both included
	LastFreeDayUnknown             bool                // only containers that have not left and have no known day
	ETAFrom, ETATo                 terminal49.Date     // likewise, of the arrival that is expected next
	LastFreeDaysDiffer             bool                // only containers for which two sources report different days
	Appointment                    Appointment
	Tracking                       Tracking

	// UncheckedHours selects containers whose terminal was last checked more than so many hours ago,
	// or never; up to 876,000. 0 is all. Ask with WorkWaiting for those that wait for pickup.
	UncheckedHours int
}

// Appointment is whether a pickup is arranged.
type Appointment string

// The values of Appointment.
const (
	AppointmentNone Appointment = "none" // none is reported
	AppointmentMade Appointment = "made"
	AppointmentLate Appointment = "late" // after the last free day that binds
)

// Tracking is whether a shipment is still tracked at its shipping line.
type Tracking string

// The values of Tracking.
const (
	TrackingActive  Tracking = "active"
	TrackingStopped Tracking = "stopped"
)
