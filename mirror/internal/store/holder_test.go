//go:build unix

package store

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Source: proc_pid_stat(5): the second field is the name in parentheses, which may have any
// characters; the third is the state, and the 22nd the time of the start.
func TestHolder_EndsWithItsProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		require.False(t, hasEnded("TEXT machine 1 2"))
		t.Skip("only Linux has /proc")
	}
	me := newHolder()
	fields := strings.Fields(me)
	require.Len(t, fields, 4, me)
	require.NotEqual(t, me, newHolder(), "two holders of one process differ")
	require.False(t, hasEnded(me))
	require.True(t, hasEnded(strings.Join([]string{fields[0], fields[1], fields[2], fields[3] + "1"}, " ")), "another process has its id now")
	require.False(t, hasEnded(fields[0]+" othermachine 99999999 1"))
	for _, odd := range []string{"", "another", "a b c", "a " + fields[1] + " x 1", "a " + fields[1] + " -1 1", "a " + fields[1] + " 0 1"} {
		require.False(t, hasEnded(odd), "%q", odd)
	}
	require.False(t, hasEnded(fmt.Sprint("a ", fields[1], " 1 ", must(started(1)))), "the first process, of another user perhaps")
}

func must(at, _ string) string { return at }

// A process that was killed has ended, also if its parent has not asked yet; a suspended one, whose
// name has a parenthesis, has not.
func TestHolder_KilledAndSuspended(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has /proc")
	}
	program := t.TempDir() + "/a) R (b"
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(sleep, program)) // a copy may still be open in a child of another test
	cmd := exec.Command(program, "600")
	cmd.Args[0] = "sleep"
	require.NoError(t, cmd.Start())
	pid := cmd.Process.Pid
	require.Eventually(t, func() bool { at, _ := started(pid); return at != "" }, wait, tick)
	at, _ := started(pid)
	_, err = strconv.Atoi(at)
	require.NoError(t, err)
	holder := fmt.Sprint("a ", machine(), " ", pid, " ", at)
	require.False(t, hasEnded(holder))
	require.NoError(t, suspend(cmd.Process))
	require.Eventually(t, func() bool { _, state := started(pid); return state == "T" }, wait, tick)
	require.False(t, hasEnded(holder))
	require.NoError(t, cmd.Process.Kill())
	require.Eventually(t, func() bool { return hasEnded(holder) }, wait, tick, "nobody has waited for it")
	require.Error(t, cmd.Wait())
	require.True(t, hasEnded(holder))
}
