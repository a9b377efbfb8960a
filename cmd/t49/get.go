package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// maxResponse bounds a response of get.
const maxResponse = 32 << 20

func (a *app) get() *cobra.Command {
	return &cobra.Command{
		Use:   "get PATH",
		Short: "Print the JSON of any path of the service",
		Long: `Print the JSON of any path of the service: the resources of a page one per line, anything else
as it was sent. It changes nothing. What it prints may hold secrets, such as that of a webhook.`,
		Example: `  t49 get /ports/USLAX
  t49 get '/custom_field_definitions?page[size]=100' --fields name,api_slug
  t49 get /shipments/ID/custom_fields`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, path []string) error {
			client, err := a.connect()
			if err != nil {
				return err
			}
			request, err := reading(path[0])
			if err != nil {
				return err
			}
			var answer json.RawMessage
			if err := client.Do(cmd.Context(), request, &answer, terminal49.WithMaxResponseBytes(maxResponse)); err != nil {
				return err
			}
			return a.document(answer)
		},
	}
}

// reading is the request for a path with a query.
func reading(path string) (terminal49.Request, error) {
	u, err := url.Parse(path)
	if err != nil || u.Host != "" || u.Fragment != "" {
		return terminal49.Request{}, usageError{errors.New("PATH must be a path below the base URL, such as /ports/USLAX")}
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return terminal49.Request{}, usageError{errors.New("the query of PATH must be like page[size]=100")}
	}
	return terminal49.Request{Method: http.MethodGet, Path: u.EscapedPath(), Query: query}, nil
}

// document prints the resources of a JSON:API document; of anything else all.
func (a *app) document(text []byte) error {
	var document struct {
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(text, &document) != nil || len(document.Data) == 0 {
		if len(a.fields) > 0 {
			return usageError{errors.New("--fields works with resources only")}
		}
		return a.line(text)
	}
	var resources []json.RawMessage
	if !bytes.HasPrefix(document.Data, []byte("[")) {
		resources = []json.RawMessage{document.Data}
	} else if err := json.Unmarshal(document.Data, &resources); err != nil {
		return err
	}
	for _, resource := range resources {
		if err := a.line(resource); err != nil {
			return err
		}
	}
	return nil
}
