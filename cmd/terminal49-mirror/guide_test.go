package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/internal/clitest"
)

// Every command and flag of the pages exists.
func TestGuide_CommandsExist(t *testing.T) {
	n := clitest.CheckPages(t, "terminal49-mirror", func(args ...string) (status int, out, log string) {
		var help, wrong bytes.Buffer
		status = (&app{}).execute(t.Context(), args, &help, &wrong)
		return status, help.String(), wrong.String()
	})
	require.Greater(t, n, 30)
}
