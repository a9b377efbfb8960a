package terminal49test_test

import (
	"sync"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// memoryStores shares a MemoryDedupe among the processes of a namespace.
func memoryStores() func(*testing.T, terminal49test.DedupeSetup) webhook.DedupeStore {
	var mu sync.Mutex
	shared := map[string]webhook.DedupeStore{}
	return func(_ *testing.T, s terminal49test.DedupeSetup) webhook.DedupeStore {
		mu.Lock()
		defer mu.Unlock()
		if shared[s.Namespace] == nil {
			shared[s.Namespace] = webhook.NewMemoryDedupe(0)
		}
		return shared[s.Namespace]
	}
}

// DedupeStore: MemoryDedupe is one.
func TestDedupeStore_MemoryDedupe(t *testing.T) {
	terminal49test.TestDedupeStore(t, memoryStores(), terminal49test.WithFakeTime())
}
