package engines

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Redis is a redis-server that a test started.
type Redis struct {
	t     testing.TB
	port  int
	shift time.Duration // of its clock
	args  []string
	cmd   *exec.Cmd
}

// StartRedis starts a server that ends with the test. It stores nothing on disk, unless args, which
// are those of redis-server, set that: "--appendonly", "yes".
func StartRedis(t testing.TB, args ...string) *Redis {
	t.Helper()
	r := &Redis{t: t, port: freePort(t)}
	r.args = append([]string{
		"--bind", "127.0.0.1", "--port", strconv.Itoa(r.port), "--dir", t.TempDir(),
		"--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0",
	}, args...)
	t.Cleanup(r.Kill)
	r.Start()
	return r
}

// Start starts a stopped server again, on the same port and in the same folder, and waits until it
// serves.
func (r *Redis) Start() {
	r.t.Helper()
	r.cmd = exec.Command(program(r.t, "redis-server", "redis-server"), r.args...)
	if r.shift != 0 {
		r.cmd.Env = append(os.Environ(), "LD_PRELOAD="+shiftedClock(r.t, r.shift))
	}
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	eventually(r.t, "redis-server", func() error { return r.expect("PONG", "PING") })
}

// Restart stops the server as SHUTDOWN NOSAVE does and starts it again.
func (r *Redis) Restart() {
	r.t.Helper()
	_, _ = r.Do("SHUTDOWN", "NOSAVE")
	r.Kill()
	r.Start()
}

// SetClock restarts the server with a clock that is off by shift. It needs a C compiler.
func (r *Redis) SetClock(shift time.Duration) {
	r.t.Helper()
	r.shift = shift
	r.Restart()
}

// Kill ends the server at once. It does nothing if the server is not running.
func (r *Redis) Kill() {
	if r.cmd == nil || r.cmd.Process == nil {
		return
	}
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	r.cmd = nil
}

// Replica starts a replica and waits until it follows the server. [Redis.Promote] ends that.
func (r *Redis) Replica(args ...string) *Redis {
	r.t.Helper()
	replica := StartRedis(r.t, append([]string{"--replicaof", "127.0.0.1 " + strconv.Itoa(r.port)}, args...)...)
	eventually(r.t, "replication", func() error {
		info, err := replica.Do("INFO", "replication")
		if err == nil && !strings.Contains(info, "master_link_status:up") {
			err = errors.New("the link is down")
		}
		return err
	})
	return replica
}

// Promote makes a replica a primary.
func (r *Redis) Promote() {
	r.t.Helper()
	if err := r.expect("OK", "REPLICAOF", "NO", "ONE"); err != nil {
		r.t.Fatal(err)
	}
}

// Addr returns the address of the server.
func (r *Redis) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(r.port)) }

func (r *Redis) expect(want string, command ...string) error {
	got, err := r.Do(command...)
	if err == nil && got != want {
		err = fmt.Errorf("%s: got %q, want %q", command[0], got, want)
	}
	return err
}
