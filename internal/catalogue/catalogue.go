// Package catalogue lists what the Terminal49 API offers, as plain data: its
// operations, its resource types with their members, and its enumerations.
//
// The library does not use this package at run time. Tests compare the
// library's own tables with it, and the drift check compares it with the
// service's OpenAPI document, so that neither the service nor the library can
// change without somebody noticing. Where the document is wrong or silent, the
// catalogue follows what the service really does and the drift check's
// allow-list says why.
//
// Every function returns a fresh copy, which the caller may change.
package catalogue

import (
	"net/http"
	"slices"
)

// Bucket names the rate limit that an operation draws from. Limits are counted
// per API key over a rolling minute.
type Bucket string

// The buckets that the service documents, each with its requests per minute.
const (
	BucketDefault Bucket = "default" // 100
	BucketCreate  Bucket = "create"  // 100, creating tracking requests
	BucketInfer   Bucket = "infer"   // 200, inferring the carrier of a number
	BucketRefresh Bucket = "refresh" // 10, refreshing a container
)

// Retry says when an operation may be sent again after a fault.
type Retry string

// The retry classes.
const (
	// RetryRead marks an operation that changes nothing: always safe to repeat.
	RetryRead Retry = "read"
	// RetryIdempotent marks a change whose repetition leaves the same state.
	RetryIdempotent Retry = "idempotent"
	// RetryWrite marks a change that a repetition would make twice: only safe
	// when the service is known not to have processed it.
	RetryWrite Retry = "write"
)

// Operation is one call of the service.
type Operation struct {
	// Name is the library's name for the call, such as "shipments.get".
	Name string
	// Method is the HTTP method.
	Method string
	// Path is the route template below the base URL, such as "/shipments/{id}".
	Path string
	// AltPath is a second route that the service's prose gives for the same
	// call; "" for nearly all of them.
	AltPath string
	// Resource is the JSON:API type of the primary data in a successful answer;
	// "" when the answer is plain JSON or empty.
	Resource string
	// Query lists the query parameters as they are spelled on the wire.
	Query []string
	// Includes lists values of the include parameter: those that the service
	// documents, and relationships of the resource. A dot walks on to the next
	// resource; the service accepts more of such paths than are listed.
	Includes []string
	// Body lists the members of the request that callers set, with dots for
	// nested ones: the attributes of a JSON:API request, or the members of a
	// plain one. It is only kept for offered operations.
	Body []string
	// Bucket is the rate limit the call draws from.
	Bucket Bucket
	// Retry is the retry class.
	Retry Retry
	// Offered reports whether the library has this call yet.
	Offered bool
}

// Type is one JSON:API resource type.
type Type struct {
	// Name is the value of the resource's type member.
	Name string
	// Attributes lists the attribute names on the wire. Members of nested
	// objects, and of objects in arrays, follow as "outer.inner".
	Attributes []string
	// Relationships lists the relationships.
	Relationships []Relationship
	// Offered reports whether the library decodes this type yet. Attributes and
	// Relationships of the others are not kept.
	Offered bool
	// Withdrawn reports a type that the service no longer answers with, and that
	// the library therefore leaves out.
	Withdrawn bool
}

// Relationship is one relationship of a resource type.
type Relationship struct {
	// Name is the name on the wire.
	Name string
	// Types lists the resource types it can point to.
	Types []string
	// Many reports a to-many relationship.
	Many bool
}

// Enum is the set of values that an attribute is known to take. Every set is
// open: the service adds values without notice.
type Enum struct {
	// Name is the resource type and the attribute, such as
	// "container.current_status".
	Name string
	// Values lists the values as text, numbers included; null is left out.
	Values []string
}

// Operations returns all operations. The direct upload
// to storage, which precedes the creation of a document, is not among them: it
// is a call of the storage layer that comes with the documents service.
func Operations() []Operation {
	all := slices.Concat(offeredOperations(), customFieldOperations(), placeOperations(), webhookOperations(), documentOperations())
	for i := range all {
		all[i].Offered = true
		all[i].fillDefaults()
	}
	return all
}

// fillDefaults sets what follows from the method, so that the tables only state
// the exceptions.
func (o *Operation) fillDefaults() {
	if o.Bucket == "" {
		o.Bucket = BucketDefault
	}
	if o.Retry != "" {
		return
	}
	switch o.Method {
	case http.MethodGet:
		o.Retry = RetryRead
	case http.MethodPatch, http.MethodDelete:
		o.Retry = RetryIdempotent
	default:
		o.Retry = RetryWrite
	}
}

// Types returns all resource types, the offered ones first.
func Types() []Type {
	all := slices.Concat(offeredTypes(), customFieldTypes(), documentTypes())
	for i := range all {
		all[i].Offered = true
	}
	for _, name := range withdrawnTypes() {
		all = append(all, Type{Name: name, Withdrawn: true})
	}
	return all
}
