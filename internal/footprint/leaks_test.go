package footprint_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing that the tests start may outlive them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
