package mcpserver

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everything is a configuration that offers every tool.
func everything(w *world) Config {
	return Config{Mirror: w.mirror, Reader: w.reader, Client: w.client}
}

// allTools returns every tool that a server can have.
func allTools(t *testing.T) map[string]*mcp.Tool {
	t.Helper()
	s, err := New(everything(demo(t)))
	require.NoError(t, err)
	return toolsOf(t, connect(t, s))
}

// The golden files are what agents have read. -update writes them.
func TestSchemas_AreThoseOfTheGoldenFiles(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tools := allTools(t)
		for name, tool := range tools {
			data, err := json.MarshalIndent(tool, "", "  ")
			require.NoError(t, err)
			path := filepath.Join("testdata", "tools", name+".json")
			if *update {
				require.NoError(t, os.WriteFile(path, append(data, '\n'), 0o644))
			}
			golden, err := os.ReadFile(path)
			require.NoError(t, err, "go test ./mirror/mcpserver -run TestSchemas -update")
			assert.Equal(t, string(golden), string(data)+"\n", "go test ./mirror/mcpserver -run TestSchemas -update")
		}
		files, err := filepath.Glob("testdata/tools/*.json")
		require.NoError(t, err)
		assert.Len(t, files, len(tools), "a golden file without its tool")
	})
}

// The list of tools is short enough to be read before each conversation.
func TestSchemas_KeepWithinTheirSizes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var without, with int
		for _, tool := range allTools(t) {
			with += sizeOf(t, tool)
			short := *tool
			short.OutputSchema = nil
			without += sizeOf(t, &short)
		}
		t.Logf("tools and instructions: %d bytes without output schemas, %d with", len(instructions)+without, len(instructions)+with)
		assert.Less(t, len(instructions)+without, 16<<10)
		assert.Less(t, len(instructions)+with, 30<<10)
	})
}

func sizeOf(t *testing.T, v any) int {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return len(data)
}

// A member without a type would make an agent guess.
func TestSchemas_TypeEveryMember(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tools := allTools(t)
		assert.LessOrEqual(t, len(tools), 11)
		for _, name := range slices.Sorted(maps.Keys(tools)) {
			tool := tools[name]
			assert.NotEmpty(t, tool.Description, name)
			for _, schema := range []*jsonschema.Schema{readSchema(t, tool.InputSchema), readSchema(t, tool.OutputSchema)} {
				assert.Equal(t, "object", schema.Type, name)
				requireTyped(t, name, schema)
			}
			assert.Equal(t, name != "track", tool.Annotations.ReadOnlyHint, name)
		}
	})
}

func requireTyped(t *testing.T, path string, s *jsonschema.Schema) {
	t.Helper()
	if s.Ref != "" {
		assert.Contains(t, []string{"#/$defs/container", "#/$defs/changed"}, s.Ref, path)
		return
	}
	assert.True(t, s.Type != "" || len(s.Types) > 0, "%s has no type", path)
	for name, shared := range s.Defs {
		requireTyped(t, path+"#"+name, shared)
	}
	for name, member := range s.Properties {
		requireTyped(t, path+"."+name, member)
	}
	if s.Type == "array" {
		require.NotNil(t, s.Items, path)
		requireTyped(t, path+"[]", s.Items)
	}
	if s.Type == "object" && len(s.Properties) == 0 && s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		requireTyped(t, path+"{}", s.AdditionalProperties)
	}
}

// readSchema returns a schema as an agent gets it.
func readSchema(t testing.TB, of any) *jsonschema.Schema {
	t.Helper()
	data, err := json.Marshal(of)
	require.NoError(t, err)
	schema := new(jsonschema.Schema)
	require.NoError(t, json.Unmarshal(data, schema))
	return schema
}

// checkContent compares structured content with the schema of its tool.
func checkContent(t testing.TB, tool *mcp.Tool, content []byte) {
	t.Helper()
	resolved, err := readSchema(t, tool.OutputSchema).Resolve(nil)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(content, &value))
	require.NoError(t, resolved.Validate(value))
}
