package conformance_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-freight/terminal49/internal/transport"

	"github.com/go-freight/terminal49"
)

// verdict is the kind of outcome that a caller can distinguish.
type verdict string

const (
	verdictSuccess      verdict = ""
	verdictLost         verdict = "TransportError"
	verdictTimeout      verdict = "timeout" // a TransportError that is a context.DeadlineExceeded
	verdictUnread       verdict = "DecodeError"
	verdictStatus       verdict = "APIError" // of no named kind
	verdictStorage      verdict = "StorageError"
	verdictInvalid      verdict = "ErrInvalid"
	verdictUnauthorized verdict = "ErrUnauthorized"
	verdictForbidden    verdict = "ErrForbidden"
	verdictFeature      verdict = "ErrFeatureNotEnabled"
	verdictNotFound     verdict = "ErrNotFound"
	verdictConflict     verdict = "ErrConflict"
	verdictLimited      verdict = "ErrRateLimited"
	verdictServer       verdict = "ErrServer"
	verdictPages        verdict = "ErrPagination"
)

// judge classifies err as a caller would. An error that matches two verdicts has neither.
func judge(err error) verdict {
	if err == nil {
		return verdictSuccess
	}
	var (
		found  []verdict
		answer *terminal49.APIError
		lost   *terminal49.TransportError
		unread *terminal49.DecodeError
		stored *terminal49.StorageError
	)
	switch {
	case errors.As(err, &stored):
		found = append(found, verdictStorage)
	case errors.As(err, &lost) && errors.Is(err, context.DeadlineExceeded) && errors.Is(err, transport.ErrAttemptTimeout):
		found = append(found, verdictTimeout)
	case errors.As(err, &lost):
		found = append(found, verdictLost)
	case errors.As(err, &unread):
		found = append(found, verdictUnread)
	case errors.As(err, &answer):
		found = append(found, verdictStatus)
	}
	for v, sentinel := range map[verdict]error{
		verdictInvalid: terminal49.ErrInvalid, verdictUnauthorized: terminal49.ErrUnauthorized,
		verdictNotFound: terminal49.ErrNotFound, verdictConflict: terminal49.ErrConflict,
		verdictLimited: terminal49.ErrRateLimited, verdictServer: terminal49.ErrServer, "duplicate": terminal49.ErrDuplicate,
		verdictPages: terminal49.ErrPagination,
	} {
		if errors.Is(err, sentinel) {
			found = append(found, v)
		}
	}
	switch {
	case errors.Is(err, terminal49.ErrFeatureNotEnabled) && errors.Is(err, terminal49.ErrForbidden):
		found = append(found, verdictFeature)
	case errors.Is(err, terminal49.ErrForbidden):
		found = append(found, verdictForbidden)
	}
	if len(found) == 2 && found[0] == verdictStatus {
		return found[1]
	}
	if len(found) == 1 {
		return found[0]
	}
	return verdict(fmt.Sprintf("%v at once", found))
}
