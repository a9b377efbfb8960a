package mcpserver

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// update writes the golden files.
var update = flag.Bool("update", false, "write testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
