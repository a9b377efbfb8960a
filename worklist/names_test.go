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
