package webhook

import "github.com/go-freight/terminal49"

// Sizes returns how many claims and keys a store has in memory, and its limit.
func (m *MemoryDedupe) Sizes() (claims, keys, limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.claims), m.order.Len(), m.limit
}

// EventFamily groups the events with the same type of payload.
type EventFamily = eventFamily

// The families of the events.
const (
	FamilyUnknown          = familyUnknown
	FamilyTrackingRequest  = familyTrackingRequest
	FamilyMilestone        = familyMilestone
	FamilyEstimate         = familyEstimate
	FamilyContainerCreated = familyContainerCreated
	FamilyContainerUpdated = familyContainerUpdated
	FamilyTerminalChanged  = familyTerminalChanged
	FamilyLastFreeDay      = familyLastFreeDay
	FamilyAppointment      = familyAppointment
	FamilyDocument         = familyDocument
	FamilyLink             = familyLink
	FamilyEmailSubmission  = familyEmailSubmission
)

// FamilyOf returns the family of an event.
func FamilyOf(event terminal49.EventName) EventFamily { return familyOf(event) }
