package webhook_test

import (
	"context"
	"fmt"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// countingStore is a DedupeStore that counts duplicates, for a metric. A store of your own
// implements all three methods with a database that the processes share.
type countingStore struct {
	webhook.DedupeStore
	duplicates int
}

// Claim counts the notifications that were handled before.
func (s *countingStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (webhook.DedupeState, error) {
	state, err := s.DedupeStore.Claim(ctx, id, owner, lease)
	if state == webhook.DedupeDone {
		s.duplicates++
	}
	return state, err
}

func ExampleDedupeStore() {
	store := &countingStore{DedupeStore: webhook.NewMemoryDedupe(0)}
	handler, err := webhook.NewHandler(
		webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.WithDedupe(store, webhook.DefaultDedupeRetention),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"1", "2", "1"} {
		if err := handler.Handle(context.Background(), &webhook.Notification{ID: id}); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("duplicates:", store.duplicates)
	// Output:
	// duplicates: 1
}
