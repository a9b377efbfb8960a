package conceal

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// Nothing that the package starts may outlive the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const mask = "[secret]"

const secret = "k3y-s3cr3t"

// holder is a struct of another package, whose unexported fields fmt prints by reflection.
type holder struct {
	text Value[string]
	err  Value[error]
	list Value[[]string]
}

func TestValue_IsNotPrinted(t *testing.T) {
	text, list := New(secret), New([]string{secret})
	values := []any{
		text, &text, list, New(errors.New(secret)), New(&secretError{secret}), []any{text}, map[string]any{"a": text},
		holder{text, New(errors.New(secret)), list}, &holder{text: text},
	}
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%10.2v"} {
			out := fmt.Sprintf(verb, v)
			assert.NotContains(t, out, secret, verb)
			assert.NotContains(t, out, fmt.Sprintf("%x", secret), verb)
		}
		out, err := json.Marshal(v)
		require.NoError(t, err)
		assert.NotContains(t, string(out), secret)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d"} {
		assert.Equal(t, mask, fmt.Sprintf(verb, text))
	}
	assert.Equal(t, mask, text.String())
}

type secretError struct{ text string }

func (e *secretError) Error() string { return e.text }

type exported struct{ A Value[string] }

func TestValue_IsNotEncoded(t *testing.T) {
	out, err := json.Marshal(map[string]any{"a": New(secret)})
	require.NoError(t, err)
	assert.JSONEq(t, `{"a": "[secret]"}`, string(out))
	out, err = xml.Marshal(exported{New(secret)})
	require.NoError(t, err)
	assert.Equal(t, "<exported><A>[secret]</A></exported>", string(out))
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("sent", "key", New(secret))
	assert.Contains(t, log.String(), `"key":"[secret]"`)
}

func TestValue_Get(t *testing.T) {
	assert.Equal(t, secret, New(secret).Get())
	assert.False(t, New("").IsZero())
	var none Value[[]string]
	assert.True(t, none.IsZero())
	assert.Nil(t, none.Get())
	assert.Equal(t, mask, fmt.Sprint(none))
	assert.True(t, reflect.DeepEqual(none, Value[[]string]{}))
}
