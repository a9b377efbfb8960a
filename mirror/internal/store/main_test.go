package store

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(sqlstoretest.Tests{M: m}) }
