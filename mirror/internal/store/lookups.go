package store

import "context"

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

// Lookups of many numbers and references at once. The argument is a JSON array with capital letters
// in numbers, which have nothing that is ignored, and small ones in references.
const (
	FindContainers Lookup = "where number in " + anyWanted + " or " + hasAnyReference + "containers" + anyReference + " order by created_at desc, id"
	FindRequests   Lookup = "where " + inCapitals + "request_number" + hasAnyWanted + " or " + hasAnyReference + "tracking_requests" + anyReference + " order by created_at desc, id"

	FindShipments Lookup = "where " + inCapitals + "bill_of_lading_number" + hasAnyWanted + " or " + inCapitals + "normalized_number" + hasAnyWanted +
		" or " + inCapitals + "substr(bill_of_lading_number, 5)" + hasAnyWanted + // after the SCAC
		" or id in (select shipment_id from t49.tracking_requests where " + inCapitals + "request_number" + hasAnyWanted + ")" +
		" or " + hasAnyReference + "shipments" + anyReference + " order by created_at desc, id"
)

// The list of what is wanted is in no subquery that depends on a row: it would be read for each.
const (
	anyWanted       = "(select value from jsonb_array_elements_text($1::jsonb))"
	hasAnyReference = "id in (select o.id from t49."
	anyReference    = " o cross join jsonb_array_elements_text(o.ref_numbers) r where lower(trim(r.value)) in " + anyWanted + ")"
	inCapitals      = "upper(replace(replace(replace(replace("
	hasAnyWanted    = ", '-', ''), ' ', ''), '.', ''), '/', '')) in " + anyWanted
)

const hasReference = "exists (select 1 from jsonb_array_elements_text(ref_numbers) r where r.value = $1)"

// Numbers returns the numbers of containers, shipments and tracking requests, sorted.
func (d *Store) Numbers(ctx context.Context) (list []string, err error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select number from t49.live_containers where number is not null
union select bill_of_lading_number from t49.live_shipments where bill_of_lading_number is not null
union select request_number from t49.live_tracking_requests where request_number is not null order by 1`))
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var number string
		if err := rows.Scan(&number); err != nil {
			return nil, err
		}
		list = append(list, number)
	}
	return list, rows.Err()
}
