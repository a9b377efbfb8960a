package mcpserver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

func TestNew_RequiresAMirrorAndAReader(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		for field, c := range map[string]Config{"Mirror": {Reader: w.reader}, "Reader": {Mirror: w.mirror}} {
			_, err := New(c)
			var of *terminal49.ArgumentError
			require.ErrorAs(t, err, &of)
			assert.Equal(t, field, of.Field)
		}
	})
}

// A wrong argument is explained, so that the next call is right.
func TestArguments_AreMended(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		assert.Equal(t, "mend: colour: is not an argument; the tool has none", w.refused("status", args{"colour": "red"}))
		assert.Contains(t, w.refused("status", args{strings.Repeat("x", 70_000): 1}), "mend: arguments: must have at most 65536 bytes")
		a, _ := call[findAnswer](w, "find", args{"numbers": []string{"MEDU3309188"}, "fields": nil}) // is as good as absent
		assert.Len(t, a.Containers, 1)
		assert.Regexp(t, "^mend: arguments: .*numbers", w.refused("find", args{"numbers": nil}))
	})
}

// Without tables the agent is asked to wait.
func TestErrors_WithoutTables(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		other := demo(t)
		m, err := mirror.New(w.client, other.db)
		require.NoError(t, err)
		_, err = other.db.Exec("drop view live_containers; drop table containers")
		require.NoError(t, err)
		s, err := New(Config{Mirror: m, Reader: mirror.NewReader(other.db)})
		require.NoError(t, err)
		other.session = connect(t, s)
		assert.Regexp(t, "^wait: ", other.refused("status", nil))
	})
}

func TestStatus_OfTheDemo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := demo(t)
		a, text := call[statusAnswer](w, "status", nil)
		assert.EqualValues(t, 8, a.Containers)
		assert.Equal(t, a.Total, int(a.Containers))
		assert.True(t, a.Complete)
		assert.Equal(t, instant(w.Now()), a.Now)
		assert.Contains(t, text, "8 containers")
		assert.Contains(t, text, "As of "+a.AsOf)
	})
}
