package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// The schema is CycloneDX's own, which its library contains.
func TestMaterials_FollowTheSchema(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: modulePath + "/cmd", Version: "v1.2.3"},
		Deps:     []*debug.Module{{Path: "github.com/spf13/cobra", Version: "v1.10.2", Sum: "h1:abc="}},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}}}
	mit, err := os.ReadFile("../../../LICENSE")
	require.NoError(t, err)
	r := &release{version: "1.2.3", time: day, root: []file{{name: "LICENSE", data: mit}}}
	p := &program{command: commands[0], info: info, licences: []file{{name: "licenses/github.com/spf13/cobra/LICENSE.txt", data: mit}}}
	materials, err := r.materials(p)
	require.NoError(t, err)

	compiler := jsonschema.NewCompiler()
	addSchema(t, compiler, "bom-1.6.schema.json", "bom-1.6.schema.json")
	addSchema(t, compiler, "spdx.schema.json", "spdx.schema.json")
	addSchema(t, compiler, "jsf-0.82.schema.json", "jsf-0.82.schemax.json") // as the library has it
	schema, err := compiler.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(materials))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(document))

	var read struct {
		Metadata struct {
			Component struct {
				PackageURL string `json:"purl"`
			} `json:"component"`
		} `json:"metadata"`
		Components []struct {
			Name     string `json:"name"`
			Licenses []struct {
				License struct {
					ID string `json:"id"`
				} `json:"license"`
			} `json:"licenses"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(materials, &read))
	require.Equal(t, "pkg:golang/"+modulePath+"/cmd@v1.2.3#t49", read.Metadata.Component.PackageURL) // the form of package-url's type golang
	require.Equal(t, "github.com/spf13/cobra", read.Components[1].Name)
	require.Equal(t, "MIT", read.Components[1].Licenses[0].License.ID)
}

func addSchema(t *testing.T, compiler *jsonschema.Compiler, name, file string) {
	t.Helper()
	folder, err := output("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go")
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(folder, "schema", file))
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	require.NoError(t, compiler.AddResource("http://cyclonedx.org/schema/"+name, document))
}
