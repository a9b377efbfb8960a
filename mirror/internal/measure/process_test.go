//go:build unix

package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// process is a child that mirrors or verifies.
type process struct {
	testing.TB
	cmd    *exec.Cmd
	input  io.Closer
	output io.Reader
}

// start starts a child, which ends with the test at the latest.
func start(t testing.TB, o order) *process {
	t.Helper()
	text, err := json.Marshal(o)
	require.NoError(t, err)
	p := &process{TB: t, cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), orderVariable+"="+string(text))
	p.cmd.Stderr = os.Stderr
	p.input, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	p.output, err = p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

// wait waits until the child has printed a text.
func (p *process) wait(text string) {
	p.Helper()
	printed := make([]byte, len(text))
	_, err := io.ReadFull(p.output, printed)
	require.NoError(p, err)
	require.Equal(p, text, string(printed))
}

// stop ends the process and returns what it used.
func (p *process) stop() usage {
	p.Helper()
	require.NoError(p, p.input.Close())
	require.NoError(p, p.cmd.Wait())
	state := p.cmd.ProcessState
	most := state.SysUsage().(*syscall.Rusage).Maxrss // KiB on Linux
	return usage{cpu: state.UserTime() + state.SystemTime(), most: int64(most) << 10}
}

// pass lets real time pass, in which the process goes on.
func pass(d time.Duration) { time.Sleep(d) }

// since is how long ago a time was.
func since(at time.Time) time.Duration { return time.Since(at) }

// usage is what a process has used.
type usage struct {
	cpu  time.Duration
	most int64 // the most memory that was resident, in bytes
}

func (u usage) String() string {
	return fmt.Sprintf("at most %d MiB resident, %v of CPU", u.most>>20, u.cpu.Round(time.Millisecond))
}

// used returns what the process has used so far. It needs Linux.
func (p *process) used() (u usage) {
	p.Helper()
	folder := "/proc/" + strconv.Itoa(p.cmd.Process.Pid)
	stat, err := os.ReadFile(folder + "/stat")
	require.NoError(p, err)
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])) // from the third
	for _, field := range fields[11:13] {
		ticks, err := strconv.Atoi(field)
		require.NoError(p, err)
		u.cpu += time.Duration(ticks) * time.Second / 100
	}
	status, err := os.ReadFile(folder + "/status")
	require.NoError(p, err)
	_, after, found := strings.Cut(string(status), "VmHWM:")
	require.True(p, found)
	kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	require.NoError(p, err)
	u.most = kib << 10
	return u
}
