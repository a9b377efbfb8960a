package fleettest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// stateEngine stores the JSON of a fleet.State for each bucket, and replaces it if nobody else has
// since it was read. bug changes the call that is applied.
type stateEngine struct {
	mu     sync.Mutex
	states map[fleet.Bucket][]byte
	bug    func(c *fleet.Call)
}

// Serve implements [fleet.Engine].
func (e *stateEngine) Serve(_ context.Context, c fleet.Call) (r fleet.Reply, err error) {
	if e.bug != nil {
		e.bug(&c)
	}
	for {
		time.Sleep(10 * time.Millisecond)
		e.mu.Lock()
		read := e.states[c.Bucket]
		e.mu.Unlock()
		var s fleet.State
		if read != nil {
			if err := json.Unmarshal(read, &s); err != nil {
				return r, err
			}
		}
		r = s.Serve(time.Now().UnixMicro(), c)
		text, err := json.Marshal(s)
		e.mu.Lock()
		same := bytes.Equal(e.states[c.Bucket], read)
		if same && err == nil {
			e.states[c.Bucket] = text
		}
		e.mu.Unlock()
		if same || err != nil {
			return r, err
		}
	}
}

// A zero State is valid and survives JSON, and a call that is repeated after a conflict is one step
// (docs/fleet.md). An engine that leaves out a part of a call, or changes the call of its caller,
// breaks the promises of [fleet.Engine].
func TestEngineSuite_FindsBrokenEngines(t *testing.T) {
	for name, bug := range map[string]func(c *fleet.Call){
		"none":                nil,
		"Settle is ignored":   func(c *fleet.Call) { c.Settle = 0 },
		"Seen is ignored":     func(c *fleet.Call) { c.Seen = 0 },
		"Pause is ignored":    func(c *fleet.Call) { c.Pause = 0 },
		"Slots are changed":   func(c *fleet.Call) { clear(c.Slots) },
		"Places are changed":  func(c *fleet.Call) { clear(c.Places) },
		"a place is left out": func(c *fleet.Call) { c.Places = c.Places[:len(c.Places)/2] },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shared := &stateEngine{states: map[fleet.Bucket][]byte{}, bug: bug}
				found := fleettest.EngineFindings(func() fleet.Engine { return shared })
				require.Equal(t, bug == nil, len(found) == 0, "%v", found)
			})
		})
	}
}
