package cli_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/cmd/internal/cli"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestParts(t *testing.T) {
	one, two, three := errors.New("one"), errors.New("two"), errors.New("three")
	wrapping := fmt.Errorf("%w: the disk is full: %w", one, two)
	sent := &terminal49.TransportError{Op: "me.get", Err: two}
	require.Empty(t, cli.Parts(nil))
	require.Equal(t, []error{one, two, three}, cli.Parts(errors.Join(errors.Join(one, two), three)))
	require.Equal(t, []error{one}, cli.Parts(errors.Join(one)))
	require.Equal(t, []error{wrapping, sent}, cli.Parts(errors.Join(wrapping, sent)))
}

func TestLine(t *testing.T) {
	require.Equal(t, `unknown command "a"; Did you mean this? b`, cli.Line("unknown command \"a\"\n\nDid you mean this?\n\tb\n\n"))
	require.Equal(t, "t49: unknown; a; b?c", cli.Line("t49: unknown\n\n\ta\r\nb\x1bc\n"))
}
