package webhooktest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// documents is a correct store of another design than a map: a JSON document for each notification,
// which is replaced if nobody else has replaced it since it was read.
type documents struct {
	mu    sync.Mutex
	all   map[string][]byte
	eager bool // what has expired is deleted by a timer, not when it is read
	round time.Duration
}

type document struct {
	Owner string
	Until time.Time
	Done  bool
}

// openDocuments returns how processes open a store of documents.
func openDocuments(d *documents) func(*testing.T, webhooktest.Setup) webhook.DedupeStore {
	d.all = map[string][]byte{}
	return func(_ *testing.T, s webhooktest.Setup) webhook.DedupeStore { return &documentStore{d, s.Namespace} }
}

type documentStore struct {
	*documents
	namespace string
}

// now returns the time, cut to whole units if the clock is coarse.
func (s *documentStore) now() time.Time { return time.Now().Truncate(max(s.round, 1)) }

// after returns the end of a period of at least d, on the coarse clock.
func (s *documentStore) after(d time.Duration) time.Time {
	if s.round == 0 {
		return time.Now().Add(d)
	}
	return s.now().Add(s.round + (d + s.round - 1).Truncate(s.round))
}

// replace repeats a change until no other call came between; nil for a change deletes.
func (s *documentStore) replace(ctx context.Context, id string, change func(d document) *document) error {
	for key := s.namespace + "\x00" + id; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.mu.Lock()
		read := s.all[key]
		s.mu.Unlock()
		var d document
		if read != nil && json.Unmarshal(read, &d) != nil || !s.eager && !s.now().Before(d.Until) {
			d = document{}
		}
		var text []byte
		if changed := change(d); changed != nil {
			text, _ = json.Marshal(changed)
			d = *changed
		}
		if s.swap(key, read, text) {
			if s.eager && text != nil {
				time.AfterFunc(time.Until(d.Until), func() { s.swap(key, text, nil) })
			}
			return nil
		}
	}
}

func (s *documentStore) swap(key string, from, to []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !bytes.Equal(s.all[key], from) {
		return false
	}
	if s.all[key] = to; to == nil {
		delete(s.all, key)
	}
	return true
}

// Claim implements [webhook.DedupeStore].
func (s *documentStore) Claim(ctx context.Context, id, owner string, lease time.Duration) (state webhook.DedupeState, err error) {
	err = s.replace(ctx, id, func(d document) *document {
		switch {
		case d.Done:
			state = webhook.DedupeDone
		case d.Owner != "" && d.Owner != owner:
			state = webhook.DedupeBusy
		default:
			state, d = webhook.DedupeClaimed, document{Owner: owner, Until: s.after(lease)}
		}
		return &d
	})
	return state, err
}

// Complete implements [webhook.DedupeStore].
func (s *documentStore) Complete(ctx context.Context, id, owner string, retention time.Duration) error {
	return s.replace(ctx, id, func(document) *document { return &document{owner, s.after(retention), true} })
}

// Release implements [webhook.DedupeStore].
func (s *documentStore) Release(ctx context.Context, id, owner string) error {
	return s.replace(ctx, id, func(d document) *document {
		if d == (document{}) || !d.Done && d.Owner == owner {
			return nil
		}
		return &d
	})
}
