package service

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// PageProblem returns why a request is refused that a web page of another site may have made a
// browser send, or "". The token does not keep such a page out, because it is public: a page can
// send anything to a simulator on the machine of a developer whose browser shows it.
func PageProblem(r *http.Request) string {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	switch {
	case isOfAnotherSite(r):
		return "the simulator refuses requests of web pages of other sites"
	case local != nil && local.IP.IsLoopback() && !isLocalName(r.Host):
		return "the simulator is reached over a loopback address, where the host must be localhost or an IP address"
	}
	return ""
}

// isOfAnotherSite reads what browsers send: all of them Sec-Fetch-Site to this machine and over
// TLS, and Origin with what may change something.
func isOfAnotherSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "":
		origin := r.Header.Get("Origin")
		u, err := url.Parse(origin)
		return origin != "" && (err != nil || u.Host != r.Host)
	}
	return true
}

// isLocalName reports whether a name can only mean this machine. Any other may be one that the
// owner of a web page resolves to it, so that the browser takes the simulator for the page's own
// server.
func isLocalName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return net.ParseIP(host) != nil || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
