package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// mostEvent bounds the body of an event.
const mostEvent = 16 << 20

// HandleChanges returns the handler of a receiver of [Mirror.Push]. It verifies the signature with
// one of the secrets, calls f, and answers 204. If f returns an error, it answers 500, and the
// change is sent again. f is called at least once for each change, for one resource in order, and
// concurrently for different ones. A change may come again: compare its Position, or do what may be
// done twice.
func HandleChanges(f func(context.Context, Change) error, secrets ...terminal49.Secret) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		change, status, problem := readEvent(w, r, secrets)
		if problem == "" && f(r.Context(), change) != nil {
			status, problem = http.StatusInternalServerError, "the change could not be handled"
		}
		if problem != "" {
			http.Error(w, problem, status)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// readEvent verifies a request and returns its change, or the status and problem to answer with.
func readEvent(w http.ResponseWriter, r *http.Request, secrets []terminal49.Secret) (change Change, status int, problem string) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostEvent))
	if err != nil {
		return change, http.StatusBadRequest, "the body could not be read"
	}
	var argument *terminal49.ArgumentError
	switch err := webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), secrets...); {
	case errors.As(err, &argument):
		return change, http.StatusInternalServerError, "the receiver has no secret"
	case err != nil:
		return change, http.StatusUnauthorized, err.Error()
	}
	var event struct{ Data *Change }
	if err := json.Unmarshal(body, &event); err != nil || event.Data == nil {
		return change, http.StatusBadRequest, "the body is not a CloudEvent with a change"
	}
	return *event.Data, 0, ""
}
