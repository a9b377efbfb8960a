package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/push"
	"github.com/go-freight/terminal49/webhook"
)

// mostEvent bounds the body of an event.
const mostEvent = 16 << 20

// HandleChanges returns the handler of a receiver of [Mirror.Push]. It verifies the signature with
// one of the secrets, calls f, and answers 204. If f returns an error, it answers 500, and the
// change is sent again. It answers 405 if the method is not POST, 401 if there is not one valid
// signature, and 400 if the body is not an event of a push; then f is not called. f is called at
// least once for each change, for one resource in order, and concurrently for different ones. A
// change may come again: compare its Position, or do what may be done twice.
func HandleChanges(f func(context.Context, Change) error, secrets ...terminal49.Secret) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		change, status, problem := readEvent(w, r, secrets)
		if problem == "" && f(r.Context(), change) != nil {
			status, problem = http.StatusInternalServerError, "the change could not be handled"
		}
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
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
	if r.Method != http.MethodPost {
		return change, http.StatusMethodNotAllowed, "the method must be POST"
	}
	if len(r.Header.Values(webhook.SignatureHeader)) > 1 { // someone else may have added one
		return change, http.StatusUnauthorized, webhook.ErrSignatureMalformed.Error()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostEvent))
	if err != nil {
		return change, http.StatusBadRequest, "the body could not be read"
	}
	var argument *terminal49.ArgumentError
	switch err := webhook.Verify(body, r.Header.Get(webhook.SignatureHeader), secrets...); {
	case errors.As(err, &argument):
		return change, http.StatusInternalServerError, "the receiver has no valid secret"
	case err != nil:
		return change, http.StatusUnauthorized, err.Error()
	}
	var event struct {
		SpecVersion, ID, Type string
		Data                  Change
	}
	err = json.Unmarshal(body, &event)
	change = event.Data
	if err != nil || event.SpecVersion != "1.0" || event.ID == "" || event.ID != string(change.Position) ||
		change.Kind == "" || change.ID == "" || event.Type != push.TypePrefix+change.Kind+"."+change.Attribute {
		return Change{}, http.StatusBadRequest, "the body is not a CloudEvent with a change"
	}
	return change, 0, ""
}
