// Package mcpserver answers the questions of agents about a Terminal49 account from its mirror,
// over the Model Context Protocol. New returns a server of the official SDK, which runs over any
// transport; the command "terminal49-mirror mcp" runs it over stdio. No answer costs a request to
// the service. Only the tool track, which [Config.Client] turns on, writes.
package mcpserver
