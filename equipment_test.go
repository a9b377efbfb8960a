package terminal49_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The codes are those of ISO 6346: lengths and heights of its Annex D, groups of its Annex E. Each
// expected code, but the one of 10 feet, is also in the public list
// github.com/datasets/ISO-Container-Codes. Types, lengths and heights are in the service's words.
func TestContainer_SizeTypeGroup(t *testing.T) {
	for _, row := range []struct {
		length       int
		height, kind string
		want         string
	}{
		{20, "standard", "dry", "22GP"},
		{40, "standard", "dry", "42GP"},
		{40, "high_cube", "dry", "45GP"},
		{45, "high_cube", "dry", "L5GP"},
		{45, "standard", "dry", "L2GP"},
		{20, "high_cube", "dry", "25GP"},
		{10, "high_cube", "dry", "15GP"},
		{20, "standard", "reefer", "22RT"},
		{40, "high_cube", "reefer", "45RT"},
		{45, "high_cube", "reefer", "L5RT"},
		{40, "standard", "open top", "42UT"},
		{20, "standard", "bulk", "22BU"},

		{10, "standard", "dry", ""},       // 8 feet (1D) in ISO 668, and 8 feet 6 inches in the trade
		{50, "high_cube", "dry", ""},      // no code in Annex D
		{40, "standard", "flat rack", ""}, // PF if the ends are fixed, PC if they fold
		{20, "standard", "tank", ""},      // TN, TD or TG
		{40, "standard", "hard top", ""},  // not in Annex E of 1995; UT or UP in the trade
		{0, "standard", "dry", ""},
		{40, "", "dry", ""},
		{40, "standard", "", ""},
		{40, "double", "dry", ""},
		{40, "standard", "DRY", ""},
		{40, "standard", "folding", ""},
	} {
		c := &terminal49.Container{EquipmentType: terminal49.EquipmentType(row.kind), EquipmentLength: terminal49.Some(row.length), EquipmentHeight: terminal49.EquipmentHeight(row.height)}
		assert.Equal(t, row.want, c.SizeTypeGroup(), "%v", row)
	}
	unknown := &terminal49.Container{EquipmentType: terminal49.EquipmentDry, EquipmentHeight: terminal49.HeightStandard}
	assert.Empty(t, unknown.SizeTypeGroup())
}

// The values for 20, 40 and 45 feet are in the Glossary for Transport Statistics (Eurostat, ITF,
// UNECE). 10 feet are half of 20.
func TestContainer_TEU(t *testing.T) {
	for length, want := range map[int]float64{10: 0.5, 20: 1, 40: 2, 45: 2.25} {
		got, ok := (&terminal49.Container{EquipmentLength: terminal49.Some(length)}).TEU()
		assert.True(t, ok)
		assert.Equal(t, want, got)
	}
	for _, unknown := range []terminal49.Opt[int]{{}, terminal49.Null[int](), terminal49.Some(0), terminal49.Some(-20)} {
		_, ok := (&terminal49.Container{EquipmentLength: unknown}).TEU()
		assert.False(t, ok, "%#v", unknown)
	}
}

// A pound is exactly 0.45359237 kg (NIST Special Publication 811, Appendix B.8). The sum is made
// with exact rationals.
func TestContainer_WeightKilograms(t *testing.T) {
	for _, pounds := range []float64{1, 44_090.5, 67_200, 0.1} {
		got, ok := (&terminal49.Container{WeightPounds: terminal49.Some(pounds)}).WeightKilograms()
		exact := new(big.Rat).Mul(new(big.Rat).SetFloat64(pounds), big.NewRat(45_359_237, 100_000_000))
		want, _ := exact.Float64()
		assert.True(t, ok)
		assert.InEpsilon(t, want, got, 1e-15)
	}
	for _, unknown := range []terminal49.Opt[float64]{{}, terminal49.Null[float64](), terminal49.Some(0.0), terminal49.Some(-1.0)} {
		_, ok := (&terminal49.Container{WeightPounds: unknown}).WeightKilograms()
		assert.False(t, ok, "%#v", unknown)
	}
}

// The service sends a weight of 0, and some shipping lines a length of 0, for unknown.
func TestContainer_ZeroMeasuresAreMissing(t *testing.T) {
	for sent, want := range map[string]struct {
		length terminal49.Opt[int]
		weight terminal49.Opt[float64]
		stored string
	}{
		`{"equipment_length":0,"weight_in_lbs":0}`:        {terminal49.Opt[int]{}, terminal49.Opt[float64]{}, `{}`},
		`{"equipment_length":"0","weight_in_lbs":0.00}`:   {terminal49.Opt[int]{}, terminal49.Opt[float64]{}, `{}`},
		`{"equipment_length":null,"weight_in_lbs":null}`:  {terminal49.Null[int](), terminal49.Null[float64](), `{"equipment_length":null,"weight_in_lbs":null}`},
		`{"equipment_length":40,"weight_in_lbs":44090.5}`: {terminal49.Some(40), terminal49.Some(44_090.5), `{"equipment_length":40,"weight_in_lbs":44090.5}`},
		`{"equipment_length":"x","weight_in_lbs":[]}`:     {terminal49.Opt[int]{}, terminal49.Opt[float64]{}, `{}`},
	} {
		document, err := json.Marshal(map[string]any{"data": map[string]any{"id": "c", "type": "container", "attributes": json.RawMessage(sent)}})
		require.NoError(t, err)
		client := testkit.NewClient(t, testkit.Answer(200, string(document)))
		c, err := client.Containers.Get(t.Context(), testkit.ContainerID, nil)
		require.NoError(t, err)
		assert.Equal(t, want.length, c.EquipmentLength, sent)
		assert.Equal(t, want.weight, c.WeightPounds, sent)
		text, err := json.Marshal(c)
		require.NoError(t, err)
		var form struct{ Attributes json.RawMessage }
		require.NoError(t, json.Unmarshal(text, &form))
		assert.JSONEq(t, want.stored, string(form.Attributes), sent)
		var read terminal49.Container
		require.NoError(t, json.Unmarshal(text, &read))
		assert.Equal(t, *c, read, sent)
	}
}
