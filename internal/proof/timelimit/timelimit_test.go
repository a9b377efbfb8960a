package timelimit_test

import (
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/proof/timelimit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const broken = "the surfaces do not keep their promises"

var errFailed = errors.New("exit status 1")

func TestExplain_TheLimitIsNotABrokenPromise(t *testing.T) {
	// What go test of Go 1.26 prints.
	const output = "panic: test timed out after 25m0s\n\trunning tests:\n" +
		"\t\tTestSurfaces_KeepTheirPromises (24m58s)\n\t\tTestSurfaces_KeepTheirPromises/go-api (20m1s)\n\ngoroutine 7 [running]:\n"
	err := timelimit.Explain(broken, []byte("some line\n"+output), errFailed)
	const want = "the time limit of 25 minutes ended while TestSurfaces_KeepTheirPromises, TestSurfaces_KeepTheirPromises/go-api ran: " +
		"raise Limit in internal/proof/timelimit, or run the tests alone on an idle machine: exit status 1\n"
	if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), broken) || !errors.Is(err, errFailed) {
		t.Errorf("%v\nwant %s", err, want)
	}
	err = timelimit.Explain(broken, []byte("panic: test timed out after 1m30s\n\ngoroutine 7 [running]:\n"), errFailed)
	if want := "the time limit of 1.5 minutes ended while the tests ran: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestExplain_AFailureIsABrokenPromise(t *testing.T) {
	for _, output := range []string{"--- FAIL: TestSurfaces_KeepTheirPromises\n", "an answer says: panic: test timed out after 1m0s\n"} {
		if err := timelimit.Explain(broken, []byte(output), errFailed); err.Error() != broken+": exit status 1\n"+output {
			t.Errorf("%q: %v", output, err)
		}
	}
	if err := timelimit.Explain(broken, []byte("ok\n"), nil); err != nil {
		t.Error(err)
	}
}
