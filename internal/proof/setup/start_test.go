package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// number is a container number in a row that a program prints.
const number = `\b[A-Z]{4}[0-9]{7}\b`

// ways are how users get the programs. Each returns the command of a program.
var ways = map[string]func(t *testing.T) func(name string, env []string, args ...string) *exec.Cmd{
	"go install": func(t *testing.T) func(string, []string, ...string) *exec.Cmd {
		folder := installed(t)
		return func(name string, env []string, args ...string) *exec.Cmd {
			return command(t, env, filepath.Join(folder, name), args...)
		}
	},
	"archive": func(t *testing.T) func(string, []string, ...string) *exec.Cmd {
		return func(name string, env []string, args ...string) *exec.Cmd {
			return command(t, env, filepath.Join(unpacked(t, name), name), args...)
		}
	},
	"image": func(t *testing.T) func(string, []string, ...string) *exec.Cmd {
		if os.Geteuid() != 0 {
			t.Skip("only root may run a program as another user in a root folder of its own")
		}
		return func(name string, env []string, args ...string) *exec.Cmd { return contained(t, name, env, args...) }
	},
}

// However the programs were installed, a newcomer sees the first row within seconds.
func TestStart_FirstRow(t *testing.T) {
	whole(t)
	for way, get := range ways {
		t.Run(way, func(t *testing.T) {
			program := get(t)
			for _, name := range commands {
				t.Run(name, func(t *testing.T) {
					version, err := program(name, nil, "--version").Output()
					require.NoError(t, err)
					require.Contains(t, string(version), terminal49.Version)
					took := stopwatch()
					firstRow[name](t, func(env []string, args ...string) *exec.Cmd { return program(name, env, args...) })
					t.Logf("figure: %s, %s: first row after %.1f s", name, way, took().Seconds())
				})
			}
		})
	}
}

// firstRow waits for the first row of a simulated account, as the guide of each program shows it.
var firstRow = map[string]func(t *testing.T, program func(env []string, args ...string) *exec.Cmd){
	"t49": func(t *testing.T, program func([]string, ...string) *exec.Cmd) {
		out, err := program(simulated(t, program(nil, "simulator", "--addr", "127.0.0.1:0")), "containers").Output()
		require.NoError(t, err)
		require.Regexp(t, number, string(out))
	},
	"terminal49-mirror": func(t *testing.T, program func([]string, ...string) *exec.Cmd) {
		until(t, start(t, program(nil, "run", "--demo")), number)
		page(t, until(t, start(t, program(nil, "board", "--demo", "--addr", "127.0.0.1:0")), "^http://"), "<tr id=")
	},
}

// unpacked returns the folder of the archive of a program.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(released(t), name+"_*_linux_amd64.tar.gz"))
	require.NoError(t, err)
	require.Len(t, archives, 1)
	folder := t.TempDir()
	run(t, tool("tar", "-xzf", archives[0], "-C", folder))
	return filepath.Join(folder, strings.TrimSuffix(filepath.Base(archives[0]), ".tar.gz"))
}

// The program of an image cannot write outside of its volumes.
func TestStart_ImageCannotWrite(t *testing.T) {
	whole(t)
	out, err := ways["image"](t)("terminal49-mirror", nil, "run", "--demo", "--db", "/demo.db").CombinedOutput()
	require.Error(t, err)
	t.Log(string(out))
	require.Contains(t, string(out), "read-only file system")
}
