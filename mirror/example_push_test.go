package mirror_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/webhook"
)

// Send the feed of changes to a receiver, here in the same program.
func ExampleMirror_Push() {
	service, client := simulation()
	defer service.Close()
	db := memory()
	defer db.Close()
	m, err := mirror.New(client, db)
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background()) // in production: until an interrupt
	defer cancel()
	if err := m.Reconcile(ctx); err != nil { // in production: m.Run
		log.Fatal(err)
	}
	secret := terminal49.NewSecret("5ec4e7") // in production: from the environment
	var received atomic.Int64
	receiver := httptest.NewServer(mirror.HandleChanges(func(_ context.Context, c mirror.Change) error {
		if received.Add(1) == 8 {
			cancel()
		}
		return nil
	}, secret))
	defer receiver.Close()
	err = m.Push(ctx, mirror.Push{
		URL: terminal49.NewSecret(receiver.URL), Secret: secret, From: "begin", Filter: []string{"container.id"},
	})
	fmt.Println(received.Load(), "containers,", err)
	// Output: 8 containers, <nil>
}

// deliver sends a notice to a receiver, as a push does, and prints the status of the response.
func deliver(receiver http.Handler, secret terminal49.Secret, notice string) {
	const id, kind = "31543-9f3c2a7be01d44aa", "com.github.go-freight.terminal49.situation.last_free_day"
	body, err := json.Marshal(map[string]any{"specversion": "1.0", "id": id, "type": kind, "data": mirror.Change{
		Position: id, Kind: "situation", ID: "c1", Attribute: "last_free_day", New: json.RawMessage(notice)}})
	if err != nil {
		log.Fatal(err)
	}
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write(body)
	r := httptest.NewRequest(http.MethodPost, "/changes", bytes.NewReader(body))
	r.Header.Set(webhook.SignatureHeader, hex.EncodeToString(mac.Sum(nil)))
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, r)
	fmt.Println(w.Code)
}

// theNotice is what the feed says of a container.
const theNotice = `{"number":"CAIU1234567","sentence":"last free day in 2 days: Aug 3, at WBCT","days":2,"situation":"ready"}`

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

// producer is a client of Kafka, NATS or another log. Produce returns when the log has the message.
type producer interface {
	Produce(ctx context.Context, topic, key, id string, value []byte) error
}

// toProducer hands the feed to a log. The key keeps the order of each resource, and the id lets the
// log or its readers drop what comes again: Nats-Msg-Id in NATS, a header in Kafka.
func toProducer(p producer, secret terminal49.Secret) http.Handler {
	return mirror.HandleChanges(func(ctx context.Context, c mirror.Change) error {
		value, err := json.Marshal(c)
		if err != nil {
			return err
		}
		return p.Produce(ctx, "terminal49."+c.Kind, c.ID, string(c.Position), value) // after an error it is sent again
	}, secret)
}

// printer is a producer that prints.
type printer struct{}

func (printer) Produce(_ context.Context, topic, key, id string, _ []byte) error {
	_, err := fmt.Println(topic, key, id)
	return err
}

// Hand the feed to Kafka, NATS or another log.
func ExampleHandleChanges_producer() {
	secret := terminal49.NewSecret("5ec4e7")
	deliver(toProducer(printer{}, secret), secret, theNotice)
	// Output:
	// terminal49.situation c1 31543-9f3c2a7be01d44aa
	// 204
}
