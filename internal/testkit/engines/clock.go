package engines

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

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
