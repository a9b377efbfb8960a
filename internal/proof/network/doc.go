// Package network proves with real sockets that networks fail as the simulator does: TLS, HTTP/2
// and proxies.
package network
