package store

// Lookup is a clause of the store, instead of one of the user. It has one argument.
type Lookup string

// The lookups.
const (
	ByID                 Lookup = "where id = $1"
	ByContainerNumber    Lookup = "where number = $1 order by created_at desc, id"
	ByContainerReference Lookup = "where " + hasReference + " or shipment_id in (select id from t49.shipments where " + hasReference +
		") order by created_at desc, id"

	ByShipmentNumber Lookup = `where bill_of_lading_number = $1 or normalized_number = $1
  or id in (select shipment_id from t49.tracking_requests where request_number = $1) order by created_at desc, id`
	ByShipmentReference Lookup = "where " + hasReference + " order by created_at desc, id"
)

const hasReference = "exists (select 1 from jsonb_array_elements_text(ref_numbers) r where r.value = $1)"
