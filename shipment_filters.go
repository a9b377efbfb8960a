package terminal49

// ShipmentFilter selects shipments. A shipment must match every field that is set; a field with
// several values matches any of them. The service has no filter by status, carrier or time of
// update. These filters are in documents of September and October 2026, later than the published
// OpenAPI file. Several copies agree on them all, so they are most likely released; a service
// without one ignores it. Those marked "checked" are compared with each shipment; see
// [WithoutFilterCheck].
type ShipmentFilter struct {
	Search string // q: the beginning of a number or reference of the shipment or a container

	CreatedAt TimeRange // created_at: checked; can be Reported or NotReported
	// PODETAChangedAt is pod_eta_changed_at. From is required. It also selects only shipments that are
	// tracked and have not arrived; only these two conditions are checked.
	PODETAChangedAt TimeRange
	PODATA          DateRange // pod_ata_at: checked; can be Reported or NotReported
	PODArrival      DateRange // pod_arrival: actual or else estimated; checked; can be Reported or NotReported
	ArrivingToday   bool      // arriving_today: at the port of discharge or the destination, on the service's day

	ActivelyTracked Opt[bool]    // actively_tracked: the reverse of TrackingStopped; true is checked
	VoyageStatus    VoyageStatus // voyage_status: VoyageOnShip is checked

	POLCode       []string // pol_code: UN/LOCODE; checked
	PODCode       []string // pod_code: UN/LOCODE; checked
	PODTerminalID []string // pod_terminal_id: checked; can be Reported or NotReported
	OwnerID       []string // owner_id: ids of users
	CreatorID     []string // creator_id: ids of the accounts that created them; can be Reported or NotReported
	// CustomerID is customer_id: ids of parties or accounts. A shipment without a customer belongs to
	// its creator, except for Reported and NotReported.
	CustomerID []string
	Product    string   // product: the beginning of the name or SKU of a product
	PartyID    []string // party_id: parties with any role
	AllParties bool     // a shipment must have all PartyID, not one of them

	Tags    []string // tags: checked
	AllTags bool     // tags_and: a shipment must have all Tags, not one of them
}

// VoyageStatus is the part of its voyage that a shipment has reached.
type VoyageStatus string

// The values of VoyageStatus.
const (
	VoyageArrived VoyageStatus = "arrived" // has an actual arrival at the port of discharge
	VoyageOnShip  VoyageStatus = "on_ship" // has a voyage but no such arrival
)

var voyageStatuses = []VoyageStatus{VoyageArrived, VoyageOnShip}

// visit is the table of the filters: the key, the field and its form, and what s shows.
func (f *ShipmentFilter) visit(v *filtering, s *Shipment) {
	arrived, stopped := !s.PODATA.IsZero(), !s.LineTrackingStoppedAt.IsZero()
	v.search("q", f.Search)
	v.time("created_at", f.CreatedAt, s.CreatedAt)
	v.time("pod_eta_changed_at", f.PODETAChangedAt, Time{})
	v.contradict("pod_eta_changed_at", !f.PODETAChangedAt.From.IsZero() && (arrived || stopped))
	v.date("pod_ata_at", &f.PODATA, &s.PODATA)
	if arrived {
		v.date("pod_arrival", &f.PODArrival, &s.PODATA)
	} else {
		v.date("pod_arrival", &f.PODArrival, &s.PODETA)
	}
	v.flag("arriving_today", only(f.ArrivingToday), Opt[bool]{})
	v.flag("actively_tracked", f.ActivelyTracked, falseIf(stopped))
	if f.VoyageStatus != "" {
		v.text("voyage_status", []string{string(f.VoyageStatus)}, formExact, "")
		v.contradict("voyage_status", f.VoyageStatus == VoyageOnShip && arrived)
	}
	v.text("pol_code", f.POLCode, formLOCODE|formExact, s.PortOfLadingLOCODE)
	v.text("pod_code", f.PODCode, formLOCODE|formExact, s.PortOfDischargeLOCODE)
	v.text("pod_terminal_id", f.PODTerminalID, formID, s.PODTerminal.ID())
	v.text("owner_id", f.OwnerID, formID|formExact, "")
	v.text("creator_id", f.CreatorID, formID, "")
	v.text("customer_id", f.CustomerID, formID, "")
	v.search("product", f.Product)
	party := "party_id"
	if f.AllParties && len(f.PartyID) > 0 {
		v.text("party_id][operator", []string{"all"}, formExact, "")
		party = "party_id][value"
	}
	v.text(party, f.PartyID, formID|formExact, "")
	v.tags(f.Tags, f.AllTags, s.Tags)
}

func (q *query) setShipmentFilter(f ShipmentFilter) {
	if f.VoyageStatus != "" && !isKnown(f.VoyageStatus, voyageStatuses) {
		q.reject(filterName("voyage_status"), "must be VoyageArrived or VoyageOnShip")
	}
	if r := f.PODETAChangedAt; r.Presence != "" || r.From.IsZero() && !r.To.IsZero() || !r.To.IsZero() && !r.To.After(r.From) {
		q.reject(filterName("pod_eta_changed_at"), "must have a From, no Presence, and a To only after it")
	}
	addFilters(q, f.visit)
}

// ShipmentSort is an order of shipments.
type ShipmentSort string

// The values of ShipmentSort. The service cannot put the oldest shipments first: it reads
// "created_at" as its reverse.
const (
	ShipmentSortNewest          ShipmentSort = "-created_at" // the newest first, the service's default
	ShipmentSortPODArrival      ShipmentSort = "pod_arrival" // actual or else estimated
	ShipmentSortTrackingStopped ShipmentSort = "tracking_stopped_at"
)

var shipmentSorts = []ShipmentSort{
	ShipmentSortNewest, ShipmentSortPODArrival, ShipmentSortTrackingStopped,
	ShipmentSortPODArrival.Descending(), ShipmentSortTrackingStopped.Descending(),
}

// Descending returns the reverse order. An order that is empty or already descending is returned
// unchanged.
func (s ShipmentSort) Descending() ShipmentSort { return descending(s) }

// known reports whether s is one of the constants, or the Descending of one.
func (s ShipmentSort) known() bool { return isKnown(s, shipmentSorts) }

// setShipmentSort refuses what the service would replace by its default without an error.
func (q *query) setShipmentSort(sort ShipmentSort) {
	if sort != "" && !sort.known() {
		q.reject("Sort", "must be a constant of ShipmentSort, or the Descending of one")
	}
	q.setText("sort", string(sort))
}
