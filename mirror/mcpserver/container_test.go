package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestContainer_SaysWhyItIsHeld(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, text := call[containerAnswer](w, "container", args{"number": "medu 330918-8"})
		assert.Equal(t, "held", a.Container.Situation)
		assert.Equal(t, "2024-06-30T06:01:05-07:00", a.Container.Discharged, "at the port")
		assert.Equal(t, []lastFreeDay{
			{Source: "terminal", Day: "2024-07-05", Binds: true}, {Source: "line", Day: "unknown"}, {Source: "service", Day: "2024-07-05"},
		}, a.LastFreeDays)
		assert.Equal(t, []fee{{"exam", "unknown"}}, a.Fees)
		require.Len(t, a.Holds, 1)
		assert.Equal(t, hold{Name: "customs", Status: "hold", Since: "2000-01-01T00:00:00Z", Earlier: true, ClearedBy: "broker", Description: "CBP INTENSIVE EXAM"}, a.Holds[0])
		assert.Equal(t, "vessel_discharged", a.Journey[len(a.Journey)-2].Event)
		assert.Contains(t, text, "MEDU3309188: «At LBCT (USLGB), held by a customs hold")
		assert.Contains(t, text, "Hold «customs» («hold») seen since 2000-01-01T00:00:00Z or earlier, cleared by broker: «CBP INTENSIVE EXAM».\n")
	})
}

func TestContainer_OfSeveralJourneysAndOfNone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, Config{}, func(srv *terminal49test.Server) {
			for _, at := range []int{-9, -1} {
				srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", CreatedAt: start.AddDate(0, at, 0)})
			}
			srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU", BillOfLadingNumber: "MAEU240000001"})
		})
		a, _ := call[containerAnswer](w, "container", args{"number": "MSKU7182047"})
		require.Len(t, a.Journeys, 2)
		assert.Equal(t, a.Container.ID, a.Journeys[0].ID)
		other, _ := call[containerAnswer](w, "container", args{"id": a.Journeys[1].ID})
		assert.Equal(t, a.Journeys[1].ID, other.Container.ID)
		for number, want := range map[string]string{
			"MSKU7182046":   "^mend: number: «MSKU7182046»: .*check digit is wrong.*it is MSKU7182047; nearest tracked numbers: MSKU7182047$",
			"MAEU240000001": "^mend: number: «MAEU240000001» is not a container number but of a shipment",
			"":              "^mend: number: set number or id, one of them$",
		} {
			assert.Regexp(t, want, w.refused("container", args{"number": number}))
		}
		assert.Equal(t, "mend: id: the copy has nothing with this id; use the tool find", w.refused("container", args{"id": "x"}))
	})
}
