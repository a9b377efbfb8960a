package mirror

import "net/http"

// Receiver returns the handler for the address of the webhook.
func (m *Mirror) Receiver() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not ready", http.StatusServiceUnavailable)
	})
}
