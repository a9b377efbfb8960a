package webhook

// Sizes returns how many claims and keys a store has in memory, and its limit.
func (m *MemoryDedupe) Sizes() (claims, keys, limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.claims), m.order.Len(), m.limit
}
