package compatibility_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
	"github.com/go-freight/terminal49/terminal49test"
)

// programs are the commands that users install.
var programs = []string{"t49", "terminal49-mirror", "terminal49-board"}

// binaries is the folder of the built commands.
var binaries string

// build builds the commands, once.
var build = sync.OnceValue(func() error {
	line := []string{"build", "-o", binaries + string(filepath.Separator)}
	for _, name := range programs {
		line = append(line, "./cmd/"+name)
	}
	_, err := tool{in: root}.run("go", line...)
	return err
})

// tool is a folder and an environment in which go or git run.
type tool struct {
	in  string   // "" for that of the tests
	env []string // in addition to that of the tests
}

// run returns what a tool prints, or an error that quotes what it reports.
func (t tool) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = t.in, append(os.Environ(), t.env...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", cmd, err, out, &failure)
	}
	return string(out), err
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(withPrograms{sqlstoretest.Tests{M: m}}) }

// withPrograms are tests that need the folder of the commands.
type withPrograms struct{ sqlstoretest.Tests }

// Run runs the tests, more of them at once than there are cores because they mostly wait, and
// deletes the folder.
func (w withPrograms) Run() int {
	flag.Parse()
	err := flag.Set("test.parallel", "8")
	if err != nil {
		panic(err)
	}
	if binaries, err = os.MkdirTemp("", "programs"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(binaries) //nolint:errcheck // it is the system's folder for temporary files
	code := w.Tests.Run()
	now := time.Now()
	if err := os.Chtimes(touched, now, now); err != nil {
		panic(err)
	}
	return code
}

// touched is a file that the tests read, and that is new when they end: go test then does not keep
// the result. It would not see a change of what is outside of this module, such as the commands.
const touched = "doc.go"

// account runs commands for an account, simulated or none.
type account struct {
	t   *testing.T
	srv *terminal49test.Server
	env []string
	dir string // the working folder; "" for an empty one
}

// newAccount returns a simulated account whose clock stands still.
func newAccount(t *testing.T, opts ...terminal49test.Option) (account, terminal49test.Demo) {
	srv := terminal49test.NewServer(append([]terminal49test.Option{
		terminal49test.WithSpeed(0), terminal49test.WithSeed(49), terminal49test.WithoutRateLimits(),
	}, opts...)...)
	t.Cleanup(srv.Close)
	return account{t: t, srv: srv, env: []string{"T49_API_TOKEN=" + srv.Token, "T49_API_BASE_URL=" + srv.URL}}, srv.SeedDemo()
}

// with returns the account with another environment.
func (a account) with(env ...string) account {
	a.env = append(a.env[:len(a.env):len(a.env)], env...)
	return a
}

// command returns a built command that has only the account's environment.
func (a account) command(program string, args ...string) *exec.Cmd {
	a.t.Helper()
	if err := build(); err != nil {
		a.t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	cmd := exec.CommandContext(a.t.Context(), filepath.Join(binaries, program), args...)
	cmd.Dir = a.dir
	if cmd.Dir == "" {
		cmd.Dir = a.t.TempDir()
	}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "TMPDIR=" + os.TempDir()}, a.env...)
	cmd.Env = append(cmd.Env, "SECONDS_AHEAD="+os.Getenv("SECONDS_AHEAD")) // the clock of .ci/later
	return cmd
}

// run runs a command to its end.
func (a account) run(program string, args ...string) (status int, out, log string) {
	a.t.Helper()
	cmd := a.command(program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		a.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// must runs a command that succeeds, or whose result is no, and returns its output.
func (a account) must(program string, args ...string) string {
	a.t.Helper()
	status, out, log := a.run(program, args...)
	if status > 1 {
		a.t.Fatalf("%s %v: exit status %d\n%s%s", program, args, status, out, log)
	}
	return out
}
