package zones

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// Nothing that the package starts may outlive the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLoad(t *testing.T) {
	for _, name := range []string{"America/Los_Angeles", "US/Eastern", "Asia/Shanghai", "UTC", ""} {
		zone, err := Load(name)
		require.NoError(t, err, name)
		machine, err := time.LoadLocation(name)
		require.NoError(t, err, name)
		require.Equal(t, machine, zone)
	}
	for _, name := range []string{"Mars/Phobos", "../etc/passwd", "america/los_angeles/", "PDT8"} {
		_, err := Load(name)
		require.Error(t, err, name)
	}
}

// On a machine without a database the embedded one is used.
func TestEmbedded(t *testing.T) {
	require.Greater(t, len(embedded()), 500)
	for name, data := range embedded() {
		zone, err := time.LoadLocationFromTZData(name, data)
		require.NoError(t, err, name)
		require.Equal(t, name, zone.String())
	}
	for name, offset := range map[string]string{
		"America/Los_Angeles": "2026-03-08 01:59:59 PST", "Europe/Rotterdam": "", "Europe/Amsterdam": "2026-03-08 10:59:59 CET",
		"Asia/Shanghai": "2026-03-08 17:59:59 CST", "US/Eastern": "2026-03-08 05:59:59 EDT", "Asia/Kolkata": "2026-03-08 15:29:59 IST",
	} {
		data, known := embedded()[name]
		require.Equal(t, offset != "", known, name)
		if !known {
			continue
		}
		zone, err := time.LoadLocationFromTZData(name, data)
		require.NoError(t, err)
		instant := time.Date(2026, time.March, 8, 9, 59, 59, 0, time.UTC)
		require.Equal(t, offset, instant.In(zone).Format("2006-01-02 15:04:05 MST"), name)
	}
}

// A zone that a newer Go release has is embedded by go generate. Of the others, a release changes
// the data of a few.
func TestEmbedded_HasTheZonesOfTheGoDistribution(t *testing.T) {
	program, err := exec.LookPath("go") // go test puts its own first; built with -trimpath, a test knows no GOROOT
	require.NoError(t, err)
	database, err := zip.OpenReader(filepath.Join(filepath.Dir(program), "..", "lib", "time", "zoneinfo.zip"))
	require.NoError(t, err)
	defer database.Close()
	same := 0
	for _, f := range database.File {
		if !strings.HasSuffix(f.Name, "/") {
			require.Contains(t, embedded(), f.Name, "run go generate ./internal/zones")
			data, err := fs.ReadFile(database, f.Name)
			require.NoError(t, err)
			if bytes.Equal(data, embedded()[f.Name]) {
				same++
			}
		}
	}
	require.Greater(t, same, 500)
}

// Without a database on the machine, only Load finds a zone. No file but the one here may ask the
// machine alone.
func TestLoad_IsTheOnlyWayToAZone(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		source, err := os.ReadFile(path)
		if path != filepath.Join(root, "internal", "zones", "zones.go") {
			require.NotContains(t, string(source), "time.LoadLocation(", path)
		}
		return err
	}))
	require.Greater(t, files, 100)
}
