package fleettest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// A zero State is valid and survives JSON, and a call that is repeated after a conflict is one step
// (docs/fleet.md). An engine that leaves out a part of a call, or changes the call of its caller,
// breaks the promises of [fleet.Engine].
func TestEngineSuite_FindsBrokenEngines(t *testing.T) {
	for name, bug := range map[string]func(c *fleet.Call){
		"none":                nil,
		"Settle is ignored":   func(c *fleet.Call) { c.Settle = 0 },
		"Seen is ignored":     func(c *fleet.Call) { c.Seen = 0 },
		"Born is ignored":     func(c *fleet.Call) { c.Born = 0 },
		"Pause is ignored":    func(c *fleet.Call) { c.Pause = 0 },
		"one window for all":  func(c *fleet.Call) { c.Window = 120 * time.Millisecond },
		"one namespace":       func(c *fleet.Call) { c.Namespace = "" },
		"one bucket":          func(c *fleet.Call) { c.Name = "" },
		"Slots are changed":   func(c *fleet.Call) { clear(c.Slots) },
		"Places are changed":  func(c *fleet.Call) { clear(c.Places) },
		"a place is left out": func(c *fleet.Call) { c.Places = c.Places[:len(c.Places)/2] },
		"shares are ignored": func(c *fleet.Call) {
			c.Places = append([]fleet.Place(nil), c.Places...)
			for i := range c.Places {
				c.Places[i].Top = c.Limit
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shared := &documents{all: map[fleet.Bucket][]byte{}, bug: bug, delay: 10 * time.Millisecond}
				found := fleettest.EngineFindings(func() fleet.Engine { return shared })
				require.Equal(t, bug == nil, len(found) == 0, "%v", found)
			})
		})
	}
}
