package testkit

// Credentials and addresses of the clients under test.
const (
	Token   = "k3y-that-nobody-may-see"
	Account = "acc0unt-of-the-user"
	// Base has a path of its own, which catches every URL that is built from the host alone.
	Base = "https://api.example.test/proxy/v2"
)

// Ids of the resources that the calls of EveryCall name and AddNamedResources adds.
const (
	ShipmentID  = "11111111-1111-4111-8111-111111111111"
	ContainerID = "22222222-2222-4222-8222-222222222222"
	RequestID   = "33333333-3333-4333-8333-333333333333"
	LineID      = "44444444-4444-4444-8444-444444444444"
	PartyID     = "55555555-5555-4555-8555-555555555555"

	PartyRoleID          = "55555555-5555-4555-8555-555555555551" // of the shipment
	ContainerPartyRoleID = "55555555-5555-4555-8555-555555555552"

	PortID      = "66666666-6666-4666-8666-666666666666"
	OtherPortID = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	MetroID     = "77777777-7777-4777-8777-777777777777"
	TerminalID  = "88888888-8888-4888-8888-888888888888"
	VesselID    = "99999999-9999-4999-8999-999999999999"
	VesselIMO   = "9074729"

	DefinitionID  = "66666666-6666-4666-8666-666666666661"
	OptionID      = "66666666-6666-4666-8666-666666666662"
	CustomFieldID = "66666666-6666-4666-8666-666666666663"

	DocumentID = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
	EmailID    = "cccccccc-cccc-4ccc-8ccc-cccccccccccc"
	SchemaID   = "commercial_invoice@2026-03-23"

	WebhookID      = "77777777-7777-4777-8777-777777777771"
	NotificationID = "77777777-7777-4777-8777-777777777772"
)

// Values of webhooks. HeaderValue and WebhookSecret are secrets.
const (
	EndpointURL   = "https://example.com/t49?tenant=7"
	HeaderValue   = "sesame-open-up"
	WebhookSecret = "5ecre7-of-the-webhook"
)

// SureNumber is a bill of lading whose carrier the simulator recognizes without doubt.
const SureNumber = "MAEU240711002"
