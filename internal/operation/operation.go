// Package operation is the one list of the service's operations: what each is called, where it is
// sent, what it takes, which rate limit it draws from and when it may be repeated.
//
// The client builds its requests from this list. The drift check compares the list with the
// service's OpenAPI document, and the conformance tests and the documentation tests walk it. Where
// the document is wrong or silent, the list follows what the service does, and the drift check's
// allow-list says why. The simulator has a list of its own on purpose: a mistake here must not hide
// behind the same mistake there.
package operation

import (
	"net/http"

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

// Operation is one call of the service.
type Operation struct {
	// Name is the library's name for the call, such as "shipments.get".
	Name string
	// Method is the HTTP method.
	Method string
	// Path is the route template below the base URL, such as "/shipments/{id}".
	Path string
	// Resource is the JSON:API type of the primary data in a successful response; "" when the
	// response is plain JSON or empty.
	Resource string
	// Query lists the query parameters as they are spelled on the wire.
	Query []string
	// Includes lists values of the include parameter: those that the service documents, and
	// relationships of the resource. A dot walks on to the next resource; the service accepts more
	// of such paths than are listed.
	Includes []string
	// Body lists the members of the request that callers set, with dots for nested ones: the
	// attributes of a JSON:API request, or the members of a plain one.
	Body []string
	// Bucket is the rate limit that the call draws from.
	Bucket string
	// Retry says when the call may be sent again.
	Retry transport.Class
}

// DirectUpload announces a file that is to be uploaded. It is a call of the service's storage
// layer, under a path of its own, and so not among [All]. Nobody sees what it creates until a
// document is made of it, so it may be repeated like a read.
var DirectUpload = Operation{
	Name: "documents.direct_upload", Method: http.MethodPost, Path: "/rails/active_storage/direct_uploads",
	Bucket: BucketDefault, Retry: Read,
}

// All returns a copy of the list.
func All() []Operation {
	return []Operation{
		ShipmentsList, ShipmentsGet, ShipmentsUpdate, ShipmentsStopTracking, ShipmentsResumeTracking,
		TrackingRequestsCreate, TrackingRequestsList, TrackingRequestsGet, TrackingRequestsUpdate,
		TrackingRequestsInfer, ContainersList, ContainersGet, ContainersUpdate, ContainersRefresh,
		ContainersTransportEvents, ContainersRawEvents, ShippingLinesList, ShippingLinesGet,
		CustomFieldDefinitionsList, CustomFieldDefinitionsCreate, CustomFieldDefinitionsGet,
		CustomFieldDefinitionsUpdate, CustomFieldDefinitionsDelete, CustomFieldOptionsList,
		CustomFieldOptionsCreate, CustomFieldOptionsGet, CustomFieldOptionsUpdate,
		CustomFieldOptionsDelete, CustomFieldsList, CustomFieldsCreate, CustomFieldsGet,
		CustomFieldsUpdate, CustomFieldsDelete, ShipmentsCustomFieldsList, ShipmentsCustomFieldsSet,
		ShipmentsCustomFieldsUpdate, ShipmentsCustomFieldsDelete, ContainersCustomFieldsList,
		ContainersCustomFieldsSet, ContainersCustomFieldsUpdate, ContainersCustomFieldsDelete,
		TrackingRequestsCustomFieldsList, TrackingRequestsCustomFieldsSet,
		TrackingRequestsCustomFieldsUpdate, TrackingRequestsCustomFieldsDelete, ContainersMapGeoJSON,
		PortsGet, MetroAreasGet, TerminalsGet, VesselsGet, VesselsGetByIMO, VesselsFuturePositions,
		VesselsFuturePositionsWithCoordinates, PartiesList, PartiesCreate, PartiesGet, PartiesUpdate,
		SearchQuery, WebhooksList, WebhooksCreate, WebhooksGet, WebhooksUpdate, WebhooksDelete,
		WebhooksEvents, WebhooksIPs, WebhooksTrigger, WebhookNotificationsList, WebhookNotificationsGet,
		WebhookNotificationsExamples, DocumentsList, DocumentsCreate, DocumentsGet, DocumentsUpdate,
		DocumentsDelete, DocumentsTypes, DocumentsDownloadURL, DocumentsReextract, DocumentsReclassify,
		DocumentsRelink, DocumentsRotate, DocumentSchemasGet, EmailSubmissionsList, EmailSubmissionsGet,
	}
}
