package mirror_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// toSlack posts what the feed says of containers to an incoming webhook of Slack:
//
//	http.Handle("POST /changes", toSlack(os.Getenv("SLACK_URL"), secret))
//	terminal49-mirror push --filter situation.last_free_day http://127.0.0.1:8080/changes
func toSlack(slack string, secret terminal49.Secret) http.Handler {
	return mirror.HandleChanges(func(_ context.Context, c mirror.Change) error {
		notice, ok, err := c.Notice()
		if err != nil || !ok {
			return err
		}
		body, err := json.Marshal(map[string]string{"text": notice.Number + ": " + notice.Sentence})
		if err != nil {
			return err
		}
		resp, err := http.Post(slack, "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("slack answered %s", resp.Status) // it is sent again
		}
		return nil
	}, secret)
}

// Post what becomes of containers to Slack.
func ExampleHandleChanges_slack() {
	slack := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Printf("%s\n", body)
	}))
	defer slack.Close()
	secret := terminal49.NewSecret("5ec4e7")
	deliver(toSlack(slack.URL, secret), secret, theNotice)
	// Output:
	// {"text":"CAIU1234567: last free day in 2 days: Aug 3, at WBCT"}
	// 204
}
