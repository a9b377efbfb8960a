package webhook_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
)

// requireNoSecret checks every way of printing the values for the webhook's secret.
func requireNoSecret(t *testing.T, values ...any) {
	t.Helper()
	for _, v := range values {
		for _, text := range []string{fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%#v", v)} {
			require.NotContains(t, text, testkit.WebhookSecret)
		}
	}
}

// flipDigit returns a signature with another first digit.
func flipDigit(signature string) string {
	if signature[0] == '0' {
		return "1" + signature[1:]
	}
	return "0" + signature[1:]
}
