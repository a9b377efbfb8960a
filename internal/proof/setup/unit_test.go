package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-systemd/v22/unit"
	"github.com/stretchr/testify/require"
)

const unitFile = "deploy/terminal49-mirror.service"

// section returns the options of a section of the unit file.
func section(t *testing.T, name string) map[string][]string {
	t.Helper()
	all, err := unit.DeserializeOptions(strings.NewReader(read(t, unitFile)))
	require.NoError(t, err)
	options := map[string][]string{}
	for _, o := range all {
		if o.Section == name {
			options[o.Name] = append(options[o.Name], o.Value)
		}
	}
	return options
}

// The command runs with the arguments and the environment of the unit. Without a token it ends with
// the status after which systemd does not start it again.
func TestUnit_CommandRuns(t *testing.T) {
	service := section(t, "Service")
	require.Equal(t, []string{"terminal49-mirror"}, service["StateDirectory"])
	here := strings.NewReplacer("/var/lib/terminal49-mirror", t.TempDir(), "127.0.0.1:9049", "127.0.0.1:0").Replace
	args := strings.Fields(here(service["ExecStart"][0]))
	require.Equal(t, "/usr/local/bin/terminal49-mirror", args[0])
	env := []string{here(service["Environment"][0])}
	program := filepath.Join(built(t), "terminal49-mirror")

	refused := command(t, env, program, args[1:]...)
	require.Error(t, refused.Run())
	require.Equal(t, service["RestartPreventExitStatus"], []string{strings.TrimPrefix(refused.ProcessState.String(), "exit status ")})

	env = append(env, simulator(t)...)
	running := command(t, env, program, args[1:]...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer log.Close() //nolint:errcheck // the program writes it
	running.Stderr = log
	start(t, running)
	page(t, served(t, log.Name())+"/metrics", "healthy 1\n")
	_, err = os.Stat(strings.TrimPrefix(env[0], "T49_MIRROR_DB="))
	require.NoError(t, err, "the database is in the unit's state directory")
}

var serves = regexp.MustCompile(`--metrics serves (http://\S+)`)

// served waits until a log names the address of the metrics, whose port the program chooses: one
// that the test chose could be taken before the program listens.
func served(t *testing.T, log string) string {
	t.Helper()
	var found []string
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(log)
		found = serves.FindStringSubmatch(string(text))
		return err == nil && found != nil
	}, patience, 20*time.Millisecond)
	return found[1]
}

// systemd itself accepts the file.
func TestUnit_Verified(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is missing; the Debian package systemd has it")
	}
	text := strings.ReplaceAll(read(t, unitFile), "/usr/local/bin", built(t))
	file := filepath.Join(t.TempDir(), filepath.Base(unitFile))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	require.Empty(t, run(t, tool("systemd-analyze", "verify", file)))
}
