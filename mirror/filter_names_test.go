package mirror

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/facts"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// namedContainers returns containers with a shipping line and a customer each.
func namedContainers() *inventory {
	all := newInventory(0)
	for _, of := range []struct {
		scac, line, customer string
	}{
		{"MAEU", "Maersk", "Acme Imports"}, {"MAEU", "Maersk", "Acme Foods"}, {"HLCU", "Hapag-Lloyd", "Acme"}, {"ONEY", "Ocean Network Express MAEU", "Blue Harbor"},
	} {
		all.put(&store.Stored{ID: of.customer, Facts: facts.Facts{Line: facts.Name{Code: of.scac, Name: of.line}, Customer: of.customer}})
	}
	all.put(&store.Stored{})
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
		q := newQuestion("", time.Now(), c.filter, WorklistOptions{}.Verdict)
		require.NoError(t, q.resolve(namedContainers()))
		require.Equal(t, c.want, q.meanings[0].Names)
		shown := 0
		for _, e := range namedContainers().use() {
			if q.selects(e) {
				shown++
			}
		}
		require.Equal(t, c.shown, shown, "%+v", c.filter)
	}
}

func TestFilter_UnknownTextsHaveTheNearestNames(t *testing.T) {
	t.Parallel()
	q := newQuestion("", time.Now(), Filter{ShippingLines: []string{"maersk", "Hapag Loyd"}}, WorklistOptions{}.Verdict)
	var unknown *UnknownNameError
	require.ErrorAs(t, q.resolve(namedContainers()), &unknown)
	require.Equal(t, "ShippingLines", unknown.Field)
	require.Equal(t, "Hapag-Lloyd", unknown.Nearest[0].Name)
	require.Equal(t, `mirror: ShippingLines: no container of the account has "Hapag Loyd"; the nearest are "Hapag-Lloyd", "Maersk", "Ocean Network Express MAEU"`, unknown.Error())
	q = newQuestion("", time.Now(), Filter{Tags: []string{"urgent"}}, WorklistOptions{}.Verdict)
	require.EqualError(t, q.resolve(namedContainers()), `mirror: Tags: no container of the account has "urgent"`)
	q = newQuestion("", time.Now(), Filter{Tags: []string{" "}}, WorklistOptions{}.Verdict)
	require.Error(t, q.resolve(namedContainers()))
}
