package mirror_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

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
