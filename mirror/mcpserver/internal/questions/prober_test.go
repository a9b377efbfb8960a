package questions

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/mcpserver"
)

// args are the arguments of a call.
type args map[string]any

// prober asks one question: it calls tools, as a model would.
type prober struct {
	*world
	session *mcp.ClientSession
	calls   []string // what was called, with the sizes of the answers
	failed  string   // the last error of a tool
	sent    int      // requests to the service during the calls
}

// connect connects an agent to a server on the mirror.
func (w *world) connect(t testing.TB) *mcp.ClientSession {
	s, err := mcpserver.New(mcpserver.Config{Mirror: w.mirror, Reader: mirror.NewReader(w.db), Now: w.srv.Now, Account: "Harbor Street Imports"})
	require.NoError(t, err)
	here, there := mcp.NewInMemoryTransports()
	of, err := s.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "questions", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = session.Close()
		_ = of.Wait()
	})
	return session
}

// ask calls a tool.
func (p *prober) ask(tool string, with args) answer {
	before := p.srv.RequestCount()
	defer func() { p.sent += p.srv.RequestCount() - before }()
	r, err := p.session.CallTool(p.Context(), &mcp.CallToolParams{Name: tool, Arguments: with})
	if err != nil {
		p.failed = err.Error()
		return answer{}
	}
	text := r.Content[0].(*mcp.TextContent).Text
	data, err := json.Marshal(r.StructuredContent)
	require.NoError(p, err)
	arguments, err := json.Marshal(with)
	require.NoError(p, err)
	p.calls = append(p.calls, fmt.Sprintf("%s %.300s -> %d+%d bytes", tool, arguments, len(data), len(text)))
	if r.IsError {
		p.failed = text
		return answer{text: text}
	}
	var content any
	require.NoError(p, json.Unmarshal(data, &content))
	return answer{content, text}
}

// answer is the structured content of an answer, or a part of it, and the text.
type answer struct {
	value any
	text  string
}

// get returns a member, with dots between the names; nil if there is none.
func (a answer) get(path string) any {
	v := a.value
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// str returns a member as text; "" if it is absent.
func (a answer) str(path string) string {
	switch v := a.get(path).(type) {
	case nil:
		return ""
	case float64:
		return fmt.Sprint(v)
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// list returns the elements of a member.
func (a answer) list(path string) (all []answer) {
	v := a.value
	if path != "" {
		v = a.get(path)
	}
	elements, _ := v.([]any)
	for _, e := range elements {
		all = append(all, answer{value: e})
	}
	return all
}

// rows writes the elements of a member.
func (a answer) rows(path string, write func(answer) string) (rows []string) {
	for _, e := range a.list(path) {
		rows = append(rows, write(e))
	}
	return rows
}
