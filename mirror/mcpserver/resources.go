package mcpserver

import (
	"context"
	_ "embed"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	//go:embed guide.txt
	guide string
	// glossary is a copy of docs/glossary.md.
	//
	//go:embed glossary.txt
	glossary string
)

// addResources adds the pages that an agent may read.
func (s *server) addResources() {
	addPage(s.mcp, "guide", "Which tool answers what, and what the words of the answers mean.", guide)
	addPage(s.mcp, "glossary", "Terms of ocean freight.", glossary)
}

// addPage adds a page with the address terminal49://NAME.
func addPage(to *mcp.Server, name, description, text string) {
	uri := "terminal49://" + name
	to.AddResource(&mcp.Resource{
		URI: uri, Name: name, MIMEType: "text/markdown", Size: int64(len(text)), Description: description,
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}, nil
	})
}
