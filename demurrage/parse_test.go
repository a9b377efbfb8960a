package demurrage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A tariff is a value and has no path. [ParseTariff] panicked in these folders, and read the file
// where there is one.
func TestParseTariff_HasNoPath(t *testing.T) {
	for _, name := range []string{"plain", "a b", "ä", "日本", "a%b", "100%", "%zz", "a#b", "a?b", "[a]", "deleted"} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.Mkdir(folder, 0o700))
			for _, file := range []string{"tariff.schema.json", "schema", "schema:tariff"} {
				require.NoError(t, os.WriteFile(filepath.Join(folder, file), []byte(`{"not": {}}`), 0o600))
			}
			t.Chdir(folder)
			if name == "deleted" {
				require.NoError(t, os.RemoveAll(folder))
			}
			tariff := map[string]any{"currency": "USD", "charges": []any{map[string]any{
				"kind": "demurrage", "starts": []any{"discharge"}, "stops": "full_out", "free_days": 4,
				"tiers_from": "first_charged_day", "tiers": []any{map[string]any{"from": 1, "per_day": 75}},
			}}}
			require.NoError(t, compile().Validate(tariff))
			delete(tariff, "currency")
			require.ErrorContains(t, compile().Validate(tariff), "currency")
		})
	}
}

// RFC 8259, section 4: what a reader does with a repeated name is unpredictable.
func TestParseTariff_RefusesRepeatedMembers(t *testing.T) {
	const tariff = `{"currency":"USD","charges":[{"kind":"demurrage","starts":["discharge"],"stops":"full_out","free_days":4,` +
		`"tiers_from":"first_charged_day","tiers":[{"from":1,"per_day":75}]}]}`
	_, err := ParseTariff([]byte(tariff))
	require.NoError(t, err)
	for field, once := range map[string]string{
		"currency": `"currency":"USD"`, "charges[0].free_days": `"free_days":4`, "charges[0].tiers[0].per_day": `"per_day":75`,
		"charges[0].kind": `"kind":"demurrage"`, "charges[0].stops": `"stops":"full_out"`,
	} {
		escaped := fmt.Sprintf(`"\u%04x`, once[1]) + once[2:]
		for _, twice := range []string{once + "," + once, once + "," + escaped} {
			_, err := ParseTariff([]byte(strings.Replace(tariff, once, twice, 1)))
			require.EqualError(t, err, "terminal49: demurrage: "+field+" must not be repeated")
		}
	}
}
