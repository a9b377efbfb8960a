package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLicensed_Texts(t *testing.T) {
	mit, err := os.ReadFile("../../../LICENSE")
	require.NoError(t, err)
	folder := t.TempDir()
	none := licensed{name: "example.com/m", folder: folder}
	_, err = none.texts()
	require.ErrorContains(t, err, "has no licence text")
	for _, name := range []string{"LICENSE-MIT", "NOTICE.txt", "license.go", "README.md"} {
		require.NoError(t, os.WriteFile(folder+"/"+name, mit, 0o600))
	}
	texts, err := none.texts()
	require.NoError(t, err)
	require.Len(t, texts, 2)
	require.Equal(t, "licenses/example.com/m/LICENSE-MIT", texts[0].name)
	require.Equal(t, "licenses/example.com/m/NOTICE.txt", texts[1].name)
	require.Equal(t, []string{"MIT"}, names(texts))
}
