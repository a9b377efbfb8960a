package webhook_test

import (
	"testing"

	"go.uber.org/goleak"
)

// The package must not leave a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
