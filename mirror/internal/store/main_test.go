package store

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Tests{M: m}) }
