package worklist

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// named returns containers with a shipping line and a customer each.
func namedContainers() *Set {
	all := &Set{}
	for _, of := range []struct {
		scac, line, customer string
	}{
		{"MAEU", "Maersk", "Acme Imports"}, {"MAEU", "Maersk", "Acme Foods"}, {"HLCU", "Hapag-Lloyd", "Acme"}, {"ONEY", "Ocean Network Express MAEU", "Blue Harbor"},
	} {
		all.Put(&Record{ID: of.customer, Facts: Facts{Line: Name{Code: of.scac, Name: of.line}, Customer: of.customer}})
	}
	all.Put(&Record{})
	return all
}

func TestFilter_TextsMeanCodesThenNamesThenParts(t *testing.T) {
	t.Parallel()
	maersk, hapag := AccountName{Code: "MAEU", Name: "Maersk", Containers: 2}, AccountName{Code: "HLCU", Name: "Hapag-Lloyd", Containers: 1}
	for _, c := range []struct {
		filter Filter
		want   []AccountName
		shown  int
	}{
		{Filter{ShippingLines: []string{"maeu"}}, []AccountName{maersk}, 2}, // not the line with this in its name
		{Filter{ShippingLines: []string{" lloyd "}}, []AccountName{hapag}, 1},
		{Filter{Customers: []string{"ACME"}}, []AccountName{{Name: "Acme", Containers: 1}}, 1},
		{Filter{Customers: []string{"acm"}}, []AccountName{{Name: "Acme", Containers: 1}, {Name: "Acme Foods", Containers: 1}, {Name: "Acme Imports", Containers: 1}}, 3},
		{Filter{Customers: []string{"acm"}, ShippingLines: []string{"Maersk"}}, []AccountName{maersk}, 2},
		{Filter{Holds: []string{"customs"}}, nil, 0}, // a hold that the service has, and no container
	} {
		q, err := namedContainers().Ask(time.Now(), c.filter, terminal49.VerdictOptions{})
		require.NoError(t, err)
		require.Equal(t, c.want, q.Meanings()[0].Names)
		list, err := q.List(ListOptions{})
		require.NoError(t, err)
		require.Equal(t, c.shown, list.Total, "%+v", c.filter)
		require.Len(t, list.Items, list.Total)
	}
}

func TestFilter_UnknownTextsHaveTheNearestNames(t *testing.T) {
	t.Parallel()
	ask := func(f Filter) error {
		_, err := namedContainers().Ask(time.Now(), f, terminal49.VerdictOptions{})
		return err
	}
	err := ask(Filter{ShippingLines: []string{"maersk", "Hapag Loyd"}})
	var unknown *UnknownNameError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "ShippingLines", unknown.Field)
	require.Equal(t, "Hapag-Lloyd", unknown.Nearest[0].Name)
	require.Equal(t, `worklist: ShippingLines: no container has "Hapag Loyd"; the nearest are "Hapag-Lloyd", "Maersk", "Ocean Network Express MAEU"`, err.Error())
	require.EqualError(t, ask(Filter{Tags: []string{"urgent"}}), `worklist: Tags: no container has "urgent"`)
	require.Error(t, ask(Filter{Tags: []string{" "}}))
}

// A vessel is found with its voyage, as people write it.
func TestFilter_VesselAndVoyage(t *testing.T) {
	t.Parallel()
	all := &Set{}
	all.Put(&Record{ID: "1", Facts: Facts{Vessel: Name{Name: "NORTHERN JUBILEE"}, Voyage: "042E"}})
	all.Put(&Record{ID: "2", Facts: Facts{Vessel: Name{Name: "MV STAR"}, Voyage: "1E"}})
	all.Put(&Record{ID: "3"})
	for text, want := range map[string]int{
		"northern jubilee 042e": 1, "NORTHERN JUBILEE, 042E": 1, "M/V Northern Jubilee V.042E": 1, "mv northern jubilee voyage 042E": 1, "jubilee": 1,
		"northern jubilee 043E": 0, "star": 1, "voyage": 0, ",": 0, "mv": 1, "042E": 0,
	} {
		q, err := all.Ask(time.Now(), Filter{Vessels: []string{text}}, terminal49.VerdictOptions{})
		var unknown *UnknownNameError
		if want == 0 {
			require.ErrorAs(t, err, &unknown, text)
			continue
		}
		require.NoError(t, err, text)
		require.Len(t, q.Meanings()[0].Names, 1, text)
		list, err := q.List(ListOptions{})
		require.NoError(t, err)
		require.Equal(t, want, list.Total, text)
	}
	require.Equal(t, []AccountName{{Name: "MV STAR", Containers: 1}, {Name: "NORTHERN JUBILEE", Containers: 1}}, all.Names("vessel"))
}

// Texts are parts of numbers, references and vessels, whatever is between letters and digits.
func TestFilter_Texts(t *testing.T) {
	t.Parallel()
	all := &Set{}
	for id, number := range map[string]string{"1": "MSKU7182047", "2": "TCLU1234568"} {
		bound := map[string]string{"1": "USLGB", "2": "USOAK"}[id]
		all.Put(&Record{ID: id, Standing: terminal49.Standing{Number: number, BoundFor: terminal49.VerdictPlace{LOCODE: bound}}, Facts: Facts{
			PortOfDischarge: Name{"USLGB", "Long Beach"}, BillOfLading: "MAEU24" + id, References: []string{"PO 7-" + id}, Vessel: Name{Name: "Coral Heron"}, Voyage: "965E", Stopped: id == "2",
		}})
	}
	for _, c := range []struct {
		texts, ids, without []string
		hidden              int
	}{
		{[]string{"msku 718204-7"}, []string{"1"}, nil, 0},
		{[]string{"maeu24"}, []string{"1"}, nil, 1},
		{[]string{"po 71", "nothing"}, []string{"1"}, []string{"nothing"}, 0},
		{[]string{"long beach"}, []string{"1"}, nil, 0}, // the other one goes elsewhere
		{[]string{"coral heron 965e"}, []string{"1"}, nil, 1},
		{[]string{"2047MAEU"}, nil, []string{"2047MAEU"}, 0}, // two texts, not one
	} {
		q, err := all.Ask(time.Now(), Filter{Texts: c.texts, Tracking: TrackingActive}, terminal49.VerdictOptions{})
		require.NoError(t, err)
		list, err := q.List(ListOptions{})
		require.NoError(t, err)
		require.Equal(t, c.ids, list.IDs(), c.texts)
		require.Equal(t, c.without, list.Without)
		require.Equal(t, c.hidden, list.Hidden, c.texts)
	}
}
