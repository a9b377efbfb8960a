package mirror_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
