package mcpserver

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// Config is what a server answers from.
type Config struct {
	Mirror *mirror.Mirror // required: the feed of changes and the status; its client may be offline
	Reader *mirror.Reader // required: reads the same database

	Account string             // human-readable name of the account, which is part of the status; may be ""
	Client  *terminal49.Client // sends the requests of the tool track, which is offered only with it

	Now    func() time.Time // default time.Now; the clock of a simulated account
	Logger *slog.Logger     // default none; gets the causes of errors, which answers do not show
}

// server has what the tools share.
type server struct {
	Config
	mcp      *mcp.Server
	overview *mirror.Overview
	tracking chan struct{} // has one while a number is being tracked
}

// New returns a server with its tools and resources. It reads nothing yet. The server is safe for
// concurrent use, and may serve several transports at once.
//
// Errors: *terminal49.ArgumentError for a required field that is not set.
func New(c Config) (*mcp.Server, error) {
	problem := func(field string) error {
		return &terminal49.ArgumentError{Op: "mcpserver.New", Field: field, Problem: "must not be nil"}
	}
	switch {
	case c.Mirror == nil:
		return nil, problem("Mirror")
	case c.Reader == nil:
		return nil, problem("Reader")
	case c.Now == nil:
		c.Now = time.Now
	}
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	s := &server{Config: c, mcp: newServer(instructions), overview: c.Reader.Overview(), tracking: make(chan struct{}, 1)}
	s.addTools()
	s.addResources()
	return s.mcp, nil
}

// newServer returns a server of the SDK whose tools never change.
func newServer(instructions string) *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "terminal49-mirror", Title: "Terminal49 mirror", Version: terminal49.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
}

// addTools adds the tools. Each has a file of its name.
func (s *server) addTools() {
	add(s, findTool, s.find)
	add(s, containerTool, s.container)
	add(s, shipmentTool, s.shipment)
	add(s, changesTool, s.changes)
	add(s, historyTool, s.history)
	add(s, worklistTool, s.worklist)
	add(s, summarizeTool, s.summarize)
	add(s, requestsTool, s.requests)
	add(s, lookupTool, s.lookup)
	add(s, statusTool, s.status)
	if s.Client != nil {
		add(s, trackTool, s.track)
	}
}
