package demurrage_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing that the package starts may outlive the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
