package schema

import "github.com/go-freight/terminal49"

type (
	trackingRequest = terminal49.TrackingRequest
	party           = terminal49.Party
	apiDocument     = terminal49.Document
	customField     = terminal49.CustomField
)

var TrackingRequestTable = describe("tracking_requests", "Requests to find a number at a shipping line.",
	[]string{"tracking_request"}, as[trackingRequest],
	textColumn("request_number", "The number as it was submitted.", func(r *trackingRequest) string { return r.RequestNumber }),
	textColumn("request_type", "bill_of_lading, booking_number or container.", func(r *trackingRequest) terminal49.RequestType { return r.RequestType }),
	textColumn("scac", "Null while the shipping line is being detected.", func(r *trackingRequest) string { return r.SCAC }),
	textColumn("status", "pending, awaiting_manifest, created, failed or tracking_stopped.", func(r *trackingRequest) terminal49.TrackingRequestStatus { return r.Status }),
	textColumn("failed_reason", "Why it, or its last attempt, failed.", func(r *trackingRequest) terminal49.FailedReason { return r.FailedReason }),
	flagColumn("is_retrying", "Whether further attempts are scheduled.", func(r *trackingRequest) bool { return r.IsRetrying }),
	intColumn("retry_count", "Attempts at the shipping line so far.", func(r *trackingRequest) terminal49.Opt[int] { return r.RetryCount }),
	listColumn("ref_numbers", "Your references.", func(r *trackingRequest) []string { return r.ReferenceNumbers }),
	listColumn("tags", "", func(r *trackingRequest) []string { return r.Tags }),
	listColumn("shipment_tags", "Tags of the shipment.", func(r *trackingRequest) []string { return r.ShipmentTags }),
	joinedColumn("ref_numbers_text", "ref_numbers, joined by commas.", func(r *trackingRequest) []string { return r.ReferenceNumbers }),
	joinedColumn("shipment_tags_text", "shipment_tags or, if they were not reported, tags; joined by commas.", shipmentTags),
	instantColumn("created_at", "When the service created it.", func(r *trackingRequest) terminal49.Time { return r.CreatedAt }),
	instantColumn("updated_at", "When the service last changed it.", func(r *trackingRequest) terminal49.Time { return r.UpdatedAt }),
	idColumn("shipment_id", "In shipments; null until the number is found.", func(r *trackingRequest) terminal49.ToOne[*shipment] { return r.Shipment }),
	idColumn("customer_id", "In parties.", func(r *trackingRequest) terminal49.ToOne[*party] { return r.Customer }),
	idColumn("user_id", "The user who made it.", func(r *trackingRequest) terminal49.ToOne[*terminal49.User] { return r.User }),
)

var PartyTable = describe("parties", "Companies in the account, such as customers.",
	[]string{"party"}, as[party],
	textColumn("company_name", "", func(p *party) string { return p.CompanyName }),
	textColumn("nickname", "", func(p *party) string { return p.Nickname }),
	listColumn("role_names", "", func(p *party) []string { return p.RoleNames }),
)

var DocumentTable = describe("documents", "Documents of shipments, without their files.",
	[]string{"document"}, as[apiDocument],
	textColumn("name", "", func(d *apiDocument) string { return d.Name }),
	textColumn("document_type", "Null until classified.", func(d *apiDocument) string { return d.DocumentType }),
	textColumn("document_type_manual", "Set by a person; takes precedence.", func(d *apiDocument) string { return d.DocumentTypeManual }),
	proseColumn("classification_notes", "", func(d *apiDocument) string { return d.ClassificationNotes }),
	textColumn("source", "upload, api, email or split_document.", func(d *apiDocument) terminal49.DocumentSource { return d.Source }),
	textColumn("file_name", "", func(d *apiDocument) string { return d.FileName }),
	textColumn("file_content_type", "", func(d *apiDocument) string { return d.FileContentType }),
	intColumn("file_size_bytes", "", func(d *apiDocument) terminal49.Opt[int] { return d.FileSizeBytes }),
	jsonColumn("parsed", "The form is undocumented.", func(d *apiDocument) terminal49.RawJSON { return d.Parsed }),
	instantColumn("created_at", "When the service created it.", func(d *apiDocument) terminal49.Time { return d.CreatedAt }),
	instantColumn("updated_at", "When the service last changed it.", func(d *apiDocument) terminal49.Time { return d.UpdatedAt }),
	idColumn("account_id", "", func(d *apiDocument) terminal49.ToOne[*terminal49.Account] { return d.Account }),
	idColumn("user_id", "The user who uploaded it.", func(d *apiDocument) terminal49.ToOne[*terminal49.User] { return d.User }),
	idColumn("email_submission_id", "The e-mail that it was attached to.", func(d *apiDocument) terminal49.ToOne[*terminal49.EmailSubmission] { return d.EmailSubmission }),
	idColumn("last_document_representation_id", "The contents that were extracted last.", func(d *apiDocument) terminal49.ToOne[*terminal49.Extraction] { return d.Extraction }),
	idColumn("parent_document_id", "In documents: the file that it was split off.", func(d *apiDocument) terminal49.ToOne[*apiDocument] { return d.ParentDocument }),
	idsColumn("shipment_ids", "In shipments.", func(d *apiDocument) terminal49.ToMany[*shipment] { return d.Shipments }),
	idsColumn("container_ids", "In containers.", func(d *apiDocument) terminal49.ToMany[*container] { return d.Containers }),
)

var CustomFieldTable = describe("custom_fields", "Values of custom fields.",
	[]string{"custom_field"}, as[customField],
	textColumn("api_slug", "Of the definition.", func(f *customField) string { return f.APISlug }),
	sentColumn[customField]("value", "Null if the field was cleared."),
	proseColumn("display_value", "For people, such as Yes or the label of an option.", func(f *customField) string { return f.DisplayValue }),
	textColumn("entity_type", "shipment, container or tracking_request.", func(f *customField) string { return f.Entity.Type() }),
	idColumn("entity_id", "The resource that has the value.", func(f *customField) terminal49.ToOne[terminal49.CustomFieldEntity] { return f.Entity }),
	idColumn("definition_id", "", func(f *customField) terminal49.ToOne[*terminal49.CustomFieldDefinition] { return f.Definition }),
)
