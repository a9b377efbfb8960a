package terminal49

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing that the package starts may outlive the call that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
