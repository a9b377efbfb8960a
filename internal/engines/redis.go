package engines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Redis is a redis-server of its own for one test.
type Redis struct {
	t     testing.TB
	port  int
	shift time.Duration // of its clock
	args  []string
	cmd   *exec.Cmd
}

// StartRedis starts a redis-server that stores nothing on disk, unless args set that, such as
// "--appendonly", "yes". It ends with the test.
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

// Start starts the server again, on the same port and in the same folder, and waits until it
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

// SetClock restarts the server with a clock that is off by shift.
func (r *Redis) SetClock(shift time.Duration) {
	r.t.Helper()
	r.shift = shift
	r.Restart()
}

// shiftedClock compiles a library that shifts the wall clock of a program. The command faketime
// does the same, but not for programs that allocate with jemalloc, as Redis does.
func shiftedClock(t testing.TB, shift time.Duration) string {
	t.Helper()
	source, library := filepath.Join(t.TempDir(), "clock.c"), filepath.Join(t.TempDir(), "clock.so")
	code := fmt.Sprintf(clockSource, int64(shift/time.Second))
	if err := os.WriteFile(source, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command(program(t, "cc", "gcc"), "-shared", "-fPIC", "-o", library, source)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return library
}

const clockSource = `
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static const long shift = %d;
int clock_gettime(clockid_t id, struct timespec *ts) {
	int failed = syscall(SYS_clock_gettime, id, ts);
	if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) ts->tv_sec += shift;
	return failed;
}
int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
	int failed = syscall(SYS_gettimeofday, tv, zone);
	if (!failed) tv->tv_sec += shift;
	return failed;
}
time_t time(time_t *t) {
	struct timeval now;
	gettimeofday(&now, 0);
	if (t) *t = now.tv_sec;
	return now.tv_sec;
}
`

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

// Do sends one command on a connection of its own and returns a reply that is one string or number.
func (r *Redis) Do(command ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", r.Addr(), time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	var request strings.Builder
	fmt.Fprintf(&request, "*%d\r\n", len(command))
	for _, word := range command {
		fmt.Fprintf(&request, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := io.WriteString(conn, request.String()); err != nil {
		return "", err
	}
	return readReply(bufio.NewReader(conn))
}

func readReply(from *bufio.Reader) (string, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	switch line[:1] {
	case "-":
		return "", errors.New(line[1:])
	case "+", ":":
		return line[1:], nil
	case "$":
		size, err := strconv.Atoi(line[1:])
		if err != nil || size < 0 {
			return "", fmt.Errorf("reply %q", line)
		}
		body := make([]byte, size)
		_, err = io.ReadFull(from, body)
		return string(body), err
	}
	return "", fmt.Errorf("reply %q is neither a string nor a number", line)
}
