package mcpserver_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/mcpserver"
	"github.com/go-freight/terminal49/terminal49test"
)

// Serve a mirror to agents. A program that an agent starts serves on its standard streams:
// server.Run(ctx, mcpserver.Stdio(os.Stdin, os.Stdout)).
func ExampleNew() {
	ctx := context.Background()
	service, db, m := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	server, err := mcpserver.New(mcpserver.Config{Mirror: m, Reader: mirror.NewReader(db), Now: service.Now})
	if err != nil {
		log.Fatal(err)
	}
	agent := connect(ctx, server)
	defer agent.Close()
	answer, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "status"})
	if err != nil {
		log.Fatal(err)
	}
	content := answer.StructuredContent.(map[string]any)
	fmt.Println(content["containers"], content["shipments"], content["complete"])
	// Output: 8 6 true
}

// mirrored returns a simulated account, and its mirror in a database in memory.
func mirrored(ctx context.Context) (*terminal49test.Server, *sql.DB, *mirror.Mirror) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)))
	service.SeedDemo()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	m, err := mirror.New(client, db, mirror.WithSettle(time.Millisecond))
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Reconcile(ctx); err != nil {
		log.Fatal(err)
	}
	return service, db, m
}

// connect connects an agent in this process.
func connect(ctx context.Context, server *mcp.Server) *mcp.ClientSession {
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		log.Fatal(err)
	}
	agent, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	return agent
}

// Serve agents of this machine by HTTP: http.ListenAndServe("127.0.0.1:4949", handler).
func ExampleHandler() {
	ctx := context.Background()
	service, db, m := mirrored(ctx)
	defer service.Close()
	defer db.Close()
	server, err := mcpserver.New(mcpserver.Config{Mirror: m, Reader: mirror.NewReader(db), Now: service.Now})
	if err != nil {
		log.Fatal(err)
	}
	handler := mcpserver.Handler(server)

	for _, host := range []string{"127.0.0.1:4949", "rebound.example"} {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://"+host+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 {"jsonrpc":"2.0","id":1,"result":{}}
	// 403 the Host must be localhost or an address of the loopback interface
}
