package mirror

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// namesOf returns what a text names, in a form for comparisons.
func namesOf(f Found) (list []string) {
	for _, m := range f.Items {
		switch {
		case m.Container != nil:
			list = append(list, string(m.By)+" "+m.Container.Number)
		case m.Shipment != nil:
			list = append(list, string(m.By)+" "+m.Shipment.BillOfLadingNumber)
		default:
			list = append(list, string(m.By)+" request "+m.Request.RequestNumber)
		}
	}
	return list
}

// One call looks up whatever people write for a container or a shipment.
func TestFind_InEverySpelling(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		first := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", BillOfLadingNumber: "MAEU241234567", ReferenceNumbers: []string{"PO 1", "Shared"}})
		second := srv.AddShipment(terminal49test.Shipment{ShippingLine: "MSCU", BillOfLadingNumber: "MEDUFR123456", ReferenceNumbers: []string{"shared"}})
		srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: first, ReferenceNumbers: []string{"BOX-9", "PO 1"}})
		srv.AddContainer(terminal49test.Container{Number: "TGHU6578122", Shipment: second})
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MEDU-77", SCAC: "MSCU", RequestType: "booking_number", Status: "failed"})
		reconciled(t, db, srv)
		of := store.New(db, nil)
		require.NoError(t, of.Ready(t.Context()))
		_, err := db.Exec(of.SQL("update t49.containers set missing_since = seen_at, deleted_at = seen_at where number = 'TGHU6578122'"))
		require.NoError(t, err)
		found, err := NewReader(db).Find(t.Context(), "msku 718-2047", "241234567", "MAEU241234567", "maeu 24.123/4567", "MSCU241234567", "po 1", "SHARED", "box-9",
			"MSKU7182074", "MSKU7182046", "", "nothing", "MEDUFR12345", "medu77", "TGHU6578122", "mskU7182047, ", ";PO 1")
		require.NoError(t, err)
		var got [][]string
		for _, f := range found {
			got = append(got, append(namesOf(f), f.Nearest...))
			assert.Equal(t, f.Text == "TGHU6578122", f.Deleted, f.Text)
		}
		assert.Equal(t, [][]string{
			{"container_number MSKU7182047"},
			{"shipment_number MAEU241234567"}, {"shipment_number MAEU241234567"}, {"shipment_number MAEU241234567"}, nil,
			{"reference MAEU241234567"}, {"reference MEDUFR123456", "reference MAEU241234567"}, {"reference MSKU7182047"},
			{"MSKU7182047"}, {"MSKU7182047"}, nil, nil, {"MEDUFR123456"},
			{"shipment_number request MEDU-77"}, {"container_number TGHU6578122"},
			{"container_number MSKU7182047"}, {"reference MAEU241234567"},
		}, got)
	})
}
