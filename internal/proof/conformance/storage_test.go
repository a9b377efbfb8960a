package conformance_test

import (
	"net/http"

	"github.com/go-freight/terminal49/terminal49test"
)

// The storage is not the service: its errors are a *StorageError. Its requests are retried like
// reads, and nothing that they do is visible before a document is created, so their outcome is
// never unknown.

// storageResult returns the result of a status that is not a success.
func storageResult(v verdict) verdict {
	switch v {
	case verdictSuccess, verdictLost, verdictTimeout, verdictUnread:
		return v
	}
	return verdictStorage
}

// expectPut returns the outcome of storing a file. The body of the response is ignored, and a PUT
// follows no redirect.
func (r faultRow) expectPut(times int) outcome {
	o := r.read
	o.result = storageResult(o.result)
	switch {
	case o.result == verdictUnread, r.has(bareSucceeds):
		return outcome{sent: 1}
	case r.once != nil:
		return outcome{sent: 1, result: verdictStorage}
	}
	return o.struck(times)
}

// expectGet returns the outcome of fetching a file. Any body with status 200 is a file of any
// length, and is kept as it is. A failure after its first byte is not retried (doc of Download).
// Without a Content-Length, an early end cannot be seen (RFC 9112, section 8).
func (r faultRow) expectGet(times int) outcome {
	o, kind := r.read, r.fault.Kind
	o.result = storageResult(o.result)
	isWhole := r.has(bareSucceeds) && kind == terminal49test.FaultBrokenGzip || kind == terminal49test.FaultHuge
	switch {
	case r.fault.Status == http.StatusNoContent:
		return outcome{sent: 1, result: verdictStorage}
	case o.result == verdictUnread, isWhole:
		return outcome{sent: 1}
	case r.has(bareSucceeds):
		return outcome{sent: 1, result: verdictLost, stall: o.stall}
	case r.once != nil && times == 1:
		return *r.once
	case o.result == verdictTimeout: // the transfer stalled
		o.result = verdictLost
	}
	return o.struck(times)
}

// struck returns the outcome if the fault strikes once or, with negative times, always.
func (o outcome) struck(times int) outcome {
	if o.sent == 1 || times < 0 {
		return o
	}
	return outcome{sent: 2, stall: o.stall, ask: o.ask, backoffs: min(o.backoffs, 1)}
}
