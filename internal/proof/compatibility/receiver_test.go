package compatibility_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// receiver is one of changes, which answers with a status.
type receiver struct {
	*httptest.Server
	refuse string // what has this text is answered with 500
	got    chan delivery
}

// delivery is a request that it has received.
type delivery struct {
	method string
	header http.Header
	body   string
}

func newReceiver(t *testing.T, status int) *receiver {
	r := &receiver{got: make(chan delivery, 10_000)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		r.got <- delivery{req.Method, req.Header, string(body)}
		if r.refuse != "" && strings.Contains(string(body), r.refuse) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(r.Close)
	return r
}

// first returns the first delivery.
func (r *receiver) first(t *testing.T) delivery {
	t.Helper()
	select {
	case d := <-r.got:
		return d
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing is delivered")
		return delivery{}
	}
}
