package compatibility_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// filesOf returns what t49 does with the file of "webhooks forward" that v0.1.0 left in the user's
// folder, and what it writes there. Each of two notifications must arrive once.
func filesOf(t *testing.T) (lines []string) {
	a, _ := newAccount(t, terminal49test.WithStart(time.Now()))
	hook := a.srv.AddWebhook(terminal49test.Webhook{URL: "https://t49-forward.invalid/", Events: []string{"container.updated"}})
	created := time.Now().Add(-time.Minute).UTC().Truncate(time.Second)
	add := func(at time.Time) string {
		return a.srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: "container.updated", Webhook: hook, CreatedAt: at})
	}
	before, after := add(created), add(created.Add(time.Second))
	var mu sync.Mutex
	arrived := map[string]int{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var body struct{ Data struct{ ID string } }
		mu.Lock()
		defer mu.Unlock()
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			arrived[body.Data.ID]++
		}
	}))
	defer receiver.Close()
	a.dir = t.TempDir() // the home
	name := sha256.Sum256([]byte(a.srv.URL + "\n" + hook + "\n" + receiver.URL))
	file := filepath.Join(a.dir, ".config", "t49", fmt.Sprintf("forward-%x.jsonl", name[:8]))
	write(t, file, fmt.Sprintf("{\"floor\":%q}\n{\"id\":%q,\"created\":%q}\n", created.Add(-time.Hour).Format(time.RFC3339), before, created.Format(time.RFC3339)))

	r := a.start("t49", "webhooks", "forward", receiver.URL, "--webhook", hook, "--rate", "60")
	r.wait("notification", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return arrived[after] > 0
	})
	r.stop(os.Interrupt)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines = append(lines, fmt.Sprintf("t49 webhooks forward: with the file of v0.1.0 the done one arrives %d times, the new one %d times", arrived[before], arrived[after]))
	for line := range bytes.Lines(text) {
		var members map[string]string
		if err := json.Unmarshal(line, &members); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for member, value := range members {
			if _, err := time.Parse(time.RFC3339, value); err == nil {
				value = "a time of RFC 3339"
			} else if value == before || value == after {
				value = "an id"
			}
			lines = append(lines, fmt.Sprintf("t49 webhooks forward: its file has %s, %s", member, value))
		}
	}
	return lines
}
