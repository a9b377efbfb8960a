package mcpserver_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/mcpserver"
)

// Serve the agent that started this program: pass os.Stdin and os.Stdout, and write the log to
// standard error. Run ends with the input.
func ExampleStdio() {
	ctx := context.Background()
	service, db, m := mirrored(ctx)
	defer service.Close()
	defer db.Close()
	server, err := mcpserver.New(mcpserver.Config{Mirror: m, Reader: mirror.NewReader(db), Now: service.Now})
	if err != nil {
		log.Fatal(err)
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := server.Run(ctx, mcpserver.Stdio(in, os.Stdout)); err != nil {
		log.Fatal(err)
	}
	// Output: {"jsonrpc":"2.0","id":1,"result":{}}
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
