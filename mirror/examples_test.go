package mirror

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/terminal49test"
)

// examples returns the resources in the examples of the service's OpenAPI document, by table. The
// document is not part of the repository.
func examples(t *testing.T) map[*schema.Table][]*model.Resource {
	t.Helper()
	data, err := os.ReadFile(cmp.Or(os.Getenv("OPENAPI"), "../../shared/openapi.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("set OPENAPI to the service's OpenAPI document")
	}
	require.NoError(t, err)
	found := map[*schema.Table][]*model.Resource{}
	var search func(v any)
	search = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, element := range v {
				search(element)
			}
		case map[string]any:
			typ, _ := v["type"].(string)
			id, _ := v["id"].(string)
			attributes, ok := v["attributes"].(map[string]any)
			isSearchHit := attributes["entity_type"] != nil // the document gives it the type of what was found
			if ok && !isSearchHit && attributes["properties"] == nil && id != "" && schema.TableOf(typ) != nil {
				res := new(model.Resource)
				data, err := json.Marshal(v)
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(data, res))
				found[schema.TableOf(typ)] = append(found[schema.TableOf(typ)], res)
			}
			for _, member := range v {
				search(member)
			}
		}
	}
	var document any
	require.NoError(t, json.Unmarshal(data, &document))
	search(document)
	return found
}

// The service's own examples fit the columns and the views, and no attribute is left out.
func TestExamples_AreStored(t *testing.T) {
	t.Parallel()
	all := examples(t)
	require.GreaterOrEqual(t, len(all), 10)
	onBoth(t, func(t *testing.T, db *sql.DB) {
		srv := terminal49test.NewServer()
		defer srv.Close()
		m, l := stored(t, db, srv)
		for of, list := range all {
			for _, res := range list {
				values, err := of.Row(m.db.Dialect, res, model.OriginZones{})
				require.NoError(t, err, of.Name)
				for attribute, sent := range res.Attributes {
					requireColumn(t, of, values, attribute, string(sent))
				}
				data, err := json.Marshal(map[string]any{"data": res.Raw})
				require.NoError(t, err)
				walkPage(t, m, l, string(data))
			}
		}
		for name := range dataSyncColumns {
			rowsOf(t, m, name)
		}
		require.NotEmpty(t, rowsOf(t, m, "containers"))
	})
}

// requireColumn fails if an attribute that was sent is null in its column.
func requireColumn(t *testing.T, of *schema.Table, values []any, attribute, sent string) {
	t.Helper()
	if attribute == "id" || sent == "null" || sent == `""` {
		return
	}
	has := false
	for i, name := range of.ColumnNames() {
		if name == attribute || name == attribute+"_local" {
			has = has || values[i] != nil
		}
	}
	if !has {
		t.Errorf("%s.%s = %.80s is in no column", of.Name, attribute, sent)
	}
}
