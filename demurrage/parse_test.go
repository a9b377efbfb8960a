package demurrage

import (
	"os"
	"path/filepath"
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
