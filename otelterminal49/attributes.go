package otelterminal49

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/go-freight/terminal49"
)

// Attributes without a semantic convention.
const (
	operationKey = attribute.Key("terminal49.operation")
	bucketKey    = attribute.Key("terminal49.bucket")
	waitKey      = attribute.Key("terminal49.limiter.wait") // in seconds
	typeKey      = attribute.Key("terminal49.resource.type")
	fieldKey     = attribute.Key("terminal49.resource.field")
	eventKey     = attribute.Key("terminal49.webhook.event")
	outcomeKey   = attribute.Key("terminal49.webhook.outcome")
)

func callAttributes(call terminal49.CallInfo) []attribute.KeyValue {
	return []attribute.KeyValue{operationKey.String(call.Op), bucketKey.String(string(call.Bucket))}
}

// result returns the attributes of a response. A status of an error is also the type of the error.
func result(status int, err error) (of []attribute.KeyValue) {
	if status != 0 {
		of = append(of, semconv.HTTPResponseStatusCode(status))
	}
	switch {
	case err != nil:
		of = append(of, errorType(err))
	case status >= http.StatusBadRequest:
		of = append(of, semconv.ErrorTypeKey.String(strconv.Itoa(status)))
	}
	return of
}

// errorType returns the class of an error without its text, which may contain an address.
func errorType(err error) attribute.KeyValue {
	var rejected *terminal49.APIError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return semconv.ErrorTypeKey.String("timeout")
	case errors.Is(err, context.Canceled):
		return semconv.ErrorTypeKey.String("canceled")
	case errors.As(err, &rejected):
		return semconv.ErrorTypeKey.String(strconv.Itoa(rejected.StatusCode))
	}
	return semconv.ErrorType(err)
}

// methodName returns a method, or "_OTHER" as in the semantic conventions if it is not standard.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return semconv.HTTPRequestMethodOther.Value.AsString()
}

var isName = regexp.MustCompile(`^[a-z][a-z0-9_.]{0,63}$`).MatchString

// name returns the name of a type or a field, or "other" for what the service would not name one.
func name(text string) string {
	if isName(text) {
		return text
	}
	return "other"
}

// eventName returns the name of an event, "" for none, or "other" for a name that a stranger chose.
func eventName(event terminal49.EventName) string {
	if event == "" || event.Known() {
		return string(event)
	}
	return "other"
}
