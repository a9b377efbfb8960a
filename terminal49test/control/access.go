package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"strings"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
)

// controlHeader is the header that a request of control must have if it changes something. A web
// page can send it only to its own site.
const controlHeader = "Simulator-Control"

// refusal returns why a request of control is refused, and 0 if it is not.
func (s *Simulator) refusal(r *http.Request) (status int, problem string) {
	loopback := isOverLoopback(r)
	if problem := service.PageProblem(r); problem != "" {
		return http.StatusForbidden, problem
	}
	switch sent, token := r.Header.Get(controlHeader), s.options.ControlToken; {
	case loopback && !isLoopbackName(r.Host):
		return http.StatusForbidden, "over a loopback address, the Host of a control request must be localhost or a loopback address"
	case isReadiness(r): // anyone who reaches the service may know that it is ready
	case token == "" && !loopback:
		return http.StatusForbidden, "other machines can reach this address, so control needs a control token: start the simulator with " +
			"T49_SIMULATOR_CONTROL_TOKEN, and send its value in the header " + controlHeader
	case token != "" && !sameSecret(sent, token):
		return http.StatusForbidden, "the header " + controlHeader + " must have the control token of the simulator"
	case token == "" && sent != "true" && !isRead(r):
		return http.StatusForbidden, "a control request that changes something must have the header " + controlHeader + ": true"
	}
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); r.Method == http.MethodPost && media != "application/json" {
		return http.StatusUnsupportedMediaType, "the header Content-Type must be application/json"
	}
	return 0, ""
}

// isOverLoopback reports whether a request came in at an address that only this machine reaches.
func isOverLoopback(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return local == nil || local.IP.IsLoopback()
}

// mayListWorlds reports whether a request for the readiness shows the worlds.
func (s *Simulator) mayListWorlds(r *http.Request) bool {
	if token := s.options.ControlToken; token != "" {
		return sameSecret(r.Header.Get(controlHeader), token)
	}
	return isOverLoopback(r)
}

func isReadiness(r *http.Request) bool { return isRead(r) && r.URL.Path == controlPath }

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// sameSecret takes the same time for every wrong text.
func sameSecret(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

func isLoopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
