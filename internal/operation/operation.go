// Package operation is the list of the service's operations: their names, routes, parameters, rate
// limits and retry classes.
//
// The client builds its requests from this list. The drift check compares it with the service's
// OpenAPI document, and the conformance and documentation tests iterate over it. Where the document
// is wrong or incomplete, the list follows the behaviour of the service, and the allow-list of the
// drift check has the reason. The simulator deliberately has a list of its own, so that a mistake
// here is not repeated there.
package operation

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/transport"
)

// The rate limits that the service documents, each counted per API key over a rolling minute.
const (
	BucketDefault = "default" // 100 requests
	BucketCreate  = "create"  // 100, creating tracking requests
	BucketInfer   = "infer"   // 200, inferring the carrier of a number
	BucketRefresh = "refresh" // 10, refreshing a container
)

// The retry classes; see [transport.Class].
const (
	Read       = transport.Read
	Idempotent = transport.Idempotent
	Write      = transport.Write
)

// Operation is one operation of the service.
type Operation struct {
	// Name is the library's name of the operation, such as "shipments.get".
	Name string
	// Method is the HTTP method.
	Method string
	// Path is the route template below the base URL, such as "/shipments/{id}".
	Path string
	// Resource is the JSON:API type of the primary data in a successful response; "" if the
	// response is plain JSON or empty.
	Resource string
	// Query lists the names of the query parameters. All and Find set it, from what calls send.
	Query []string
	// Includes lists values of the include parameter: those that the service documents, and
	// relationships of the resource. A dotted path continues to the next resource; the service
	// accepts more of them than are listed.
	Includes []string
	// Body lists the members of the body that callers set: the attributes of a JSON:API request, or
	// the members of a plain one. Nested members have dotted names. All and Find set it.
	Body []string
	// Plain marks an operation whose body is a plain object, without the envelope of JSON:API.
	Plain bool
	// Bucket is the rate limit to which the operation counts.
	Bucket string
	// Retry is the condition for sending the operation again.
	Retry transport.Class
	// Recent marks an operation that only documents later than the service's published OpenAPI file
	// have. The service may not have it yet, and then responds with 404.
	Recent bool
}

// DirectUpload describes a file to upload. It is an operation of the service's storage layer, below
// a path of its own, and so is not in [All]. What it creates is invisible until a document is
// created from it, so it may be repeated like a read.
var DirectUpload = Operation{
	Name: "documents.direct_upload", Method: http.MethodPost, Path: "/rails/active_storage/direct_uploads",
	Bucket: BucketDefault, Retry: Read,
}

// All returns all operations except DirectUpload, in a new slice.
func All() []Operation {
	all := rows()
	for i := range all {
		all[i].Query, all[i].Body = parameters(all[i].Name)
	}
	return all
}

// rows returns them without the names of parameters and members.
func rows() []Operation {
	return slices.Concat(tracking(), customFields(), places(), webhooks(), documents())
}

// Find returns the operation that serves requests with a method and an escaped path, and the
// arguments in the path. Of several it returns the one whose route has the fewest parameters.
func Find(method, path string) (found Operation, args []string, known bool) {
	sent := strings.Split(strings.TrimRight(path, "/"), "/")
	for _, o := range rows() {
		route := o.Path
		if o.Name == ContainersUpdate.Name && len(sent) > 2 {
			route += "/{id}" // the service has it on both routes
		}
		values, fits := match(strings.Split(route, "/"), sent)
		if fits && o.Method == method && (!known || len(values) < len(args)) {
			found, args, known = o, values, true
			found.Path = route
		}
	}
	found.Query, found.Body = parameters(found.Name)
	return found, args, known
}

// match returns the elements of a path at the places of a route's parameters.
func match(route, path []string) (args []string, fits bool) {
	if len(route) != len(path) {
		return nil, false
	}
	for i, element := range route {
		value, err := url.PathUnescape(path[i])
		switch {
		case err != nil:
			return nil, false
		case strings.HasPrefix(element, "{") && value != "":
			args = append(args, value)
		case element != value:
			return nil, false
		}
	}
	return args, true
}
