package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
)

const (
	apiName     = "api"
	maxResponse = 32 << 20
	maxBody     = 8 << 20 // of --input
)

// anyCall is a call of api.
type anyCall struct {
	method, path string
	values       []string // of -f
	input        string   // file
	all          bool     // pages
	raw          bool     // whole documents
	list         bool     // of operations, instead of a call
	unchecked    bool
	operation    terminal49.Operation
	query        url.Values
	body         any
}

func (a *app) api() *cobra.Command {
	var call anyCall
	cmd := &cobra.Command{
		Use:   apiName + " PATH | --list [TEXT]",
		Short: "Call any operation of the service",
		Long: `Call any operation of the service, with the limits, the retries and the exit status of the other
commands. It prints JSON: the resources of a page one per line, anything else as it was sent.
--raw prints each response in a line, with what include asked for, links and meta. What is printed
may include secrets, such as that of a webhook.

-f NAME=TEXT and -f NAME:=JSON set a parameter of the query of a GET, and otherwise an attribute of
the resource that is sent. --input sends a file as it is, for relationships.

What this version does not know as an operation, parameter or attribute is refused before anything
is sent, because the service ignores most mistakes. --unchecked sends it.`,
		Example: `  t49 api /ports/USLAX
  t49 api /containers -f 'filter[pod_code]=USLAX' --all --fields number,pickup_lfd
  t49 api -X PATCH /shipments/ID -f 'tags:=["urgent"]'
  t49 api -X DELETE /custom_field_definitions/ID
  t49 api --list shipments.update`,
		Args: call.checkArguments,
		RunE: func(cmd *cobra.Command, path []string) error {
			if call.list {
				return a.listOperations(cmd, call.method, strings.Join(path, ""))
			}
			call.path = path[0]
			return a.call(cmd.Context(), call)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return paths(call.method), cobra.ShellCompDirectiveNoFileComp
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&call.method, "method", "X", http.MethodGet, "`method`: GET, POST, PATCH or DELETE")
	flags.StringArrayVarP(&call.values, "field", "f", nil, "set a parameter or an attribute, `name=text` or name:=json")
	flags.StringVar(&call.input, "input", "", "send the JSON in this `file` as the body; - is standard input")
	flags.BoolVar(&call.all, "all", false, "all pages of a list")
	flags.BoolVar(&call.raw, "raw", false, "print whole responses: data, included, links and meta")
	flags.BoolVar(&call.list, "list", false, "list the operations, those of -X, those with a text, or what one can set")
	flags.BoolVar(&call.unchecked, "unchecked", false, "also send what this version does not know")
	completeFiles(cmd, "input")
	cmd.MarkFlagsMutuallyExclusive("field", "input")
	for _, flag := range []string{"field", "input", "all", "raw", "unchecked"} {
		cmd.MarkFlagsMutuallyExclusive("list", flag)
	}
	complete(cmd, "method", methods)
	_ = cmd.RegisterFlagCompletionFunc("field", func(_ *cobra.Command, path []string, _ string) ([]string, cobra.ShellCompDirective) {
		return names(call.method, path), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
	return cmd
}

func (a *app) call(ctx context.Context, c anyCall) error {
	if err := c.prepare(a.fields); err != nil {
		return usageError{err}
	}
	if c.input != "" {
		text, err := a.readFile(ctx, c.input, maxBody)
		if err != nil {
			return err
		}
		if !json.Valid(text) {
			return usageError{fmt.Errorf("%s is not JSON", fileName(c.input))}
		}
		if err := c.checkInput(text); err != nil {
			return usageError{err}
		}
		c.body = json.RawMessage(text)
		a.concealSecrets(text)
	}
	client, err := a.connect()
	if err != nil {
		return err
	}
	for seen := map[string]bool{}; ; seen[c.query.Encode()] = true {
		next, err := a.printPage(ctx, client, c)
		switch {
		case err != nil && len(seen) > 0:
			return fmt.Errorf("the list is incomplete: only %d of its pages were printed: %w", len(seen), err)
		case err != nil || next == nil:
			return err
		case !c.all:
			a.note("The list has more pages; --all prints them.")
			return nil
		case seen[next.Encode()]:
			return errors.New("the service links a page of the list again; what is printed may not be the whole list")
		}
		c.query = next
	}
}

// printPage sends a request and prints its response. It returns the query of the next page, if
// there is one.
func (a *app) printPage(ctx context.Context, client *terminal49.Client, c anyCall) (url.Values, error) {
	request := terminal49.Request{Method: c.method, Path: c.path, Query: c.query, Body: c.body}
	var answer json.RawMessage
	if err := client.Do(ctx, request, &answer, terminal49.WithMaxResponseBytes(maxResponse)); err != nil {
		return nil, err
	}
	if len(answer) == 0 {
		return nil, nil
	}
	show := a.document
	if c.raw {
		show = a.line
	}
	if err := show(answer); err != nil {
		return nil, err
	}
	var document jsonapi.Document
	if json.Unmarshal(answer, &document) != nil || document.NextPage == "" || len(document.Data) == 0 {
		return nil, nil
	}
	next, err := url.Parse(document.NextPage)
	if err != nil || len(next.Query()) == 0 {
		return nil, errors.New("the service links a next page that is not a page of the list")
	}
	return next.Query(), nil
}

// prepare checks the call, and makes its query and body.
func (c *anyCall) prepare(fields []string) error {
	if c.raw && len(fields) > 0 {
		return errors.New("--fields and --raw exclude each other")
	}
	c.method = strings.ToUpper(c.method)
	u, err := url.Parse("/" + strings.TrimPrefix(c.path, "/"))
	if err != nil || strings.Contains(c.path, "://") || u.Host != "" || u.Fragment != "" {
		return errors.New("PATH must be a path below the base URL, such as /ports/USLAX")
	}
	if strings.HasPrefix(u.Path, "/v2/") {
		return errors.New("PATH must be without /v2, which the base URL has")
	}
	if c.query, err = url.ParseQuery(u.RawQuery); err != nil {
		return errors.New("the query of PATH must be like page[size]=100")
	}
	c.path = u.EscapedPath()
	known := false
	if c.operation, known = terminal49.FindOperation(c.method, c.path); !known && !c.unchecked {
		return unknownOperation(c.method, c.path)
	}
	set, err := c.set()
	if err != nil {
		return err
	}
	if c.method == http.MethodGet {
		for name, value := range set {
			text, isText := value.(string)
			if !isText {
				return fmt.Errorf("-f %s: a parameter is a text; write it with = in place of :=", plain(name))
			}
			c.query.Set(name, text)
		}
	} else if len(set) > 0 {
		c.body = c.envelope(set)
	}
	if c.unchecked {
		return nil
	}
	if err := c.checkQuery(set); err != nil {
		return err
	}
	return errors.Join(c.checkIDs(), checkFields(fields, c.operation.Attributes))
}

// unknownOperation returns an error that names the operations that may be meant.
func unknownOperation(method, path string) error {
	var others, near []string
	route := routeOf(path)
	for _, o := range terminal49.Operations() {
		if found, known := terminal49.FindOperation(o.Method, path); known && found.Name == o.Name {
			others = append(others, o.Method)
		}
		if o.Method == method && strings.HasPrefix(o.Path+"/", "/"+nearest(route, roots())+"/") {
			near = append(near, o.Path)
		}
	}
	text := fmt.Sprintf("%s %s is not an operation that this version knows", plain(method), plain(path))
	switch {
	case len(others) > 0:
		text += "; the path has " + strings.Join(unique(others), ", ")
	case len(near) > 0:
		text += "; there is " + strings.Join(near[:min(len(near), 5)], ", ")
	}
	return errors.New(text + "; --unchecked sends it")
}

// routeOf returns the first element of a path.
func routeOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

func roots() (list []string) {
	for _, o := range terminal49.Operations() {
		list = append(list, routeOf(o.Path))
	}
	return unique(list)
}

// set returns the values of -f.
func (c *anyCall) set() (map[string]any, error) {
	values := map[string]any{}
	for _, field := range c.values {
		name, value, found := strings.Cut(field, "=")
		if !found || name == "" || name == ":" {
			return nil, fmt.Errorf("-f %s must be name=text or name:=json", plain(field))
		}
		values[strings.TrimSuffix(name, ":")] = value
		if name, isJSON := strings.CutSuffix(name, ":"); isJSON {
			if !json.Valid([]byte(value)) {
				return nil, fmt.Errorf("-f %s: what follows := must be JSON, such as true, 5 or [\"a\"]; a text follows =", plain(name))
			}
			values[name] = json.RawMessage(value)
		}
	}
	return values, nil
}

// envelope returns a body with these attributes.
func (c *anyCall) envelope(attributes map[string]any) any {
	if c.operation.BodyType == "" {
		return attributes
	}
	resource := map[string]any{"type": c.operation.BodyType, "attributes": attributes}
	if strings.HasSuffix(c.operation.Path, "id}") {
		resource["id"] = c.path[strings.LastIndex(strings.TrimRight(c.path, "/"), "/")+1:]
	}
	return map[string]any{"data": resource}
}

// checkQuery returns an error for a parameter or an attribute that the operation does not have, and
// for a body that is missing or that it does not take.
func (c *anyCall) checkQuery(set map[string]any) error {
	for name := range c.query {
		if !slices.Contains(c.operation.Query, name) {
			return c.unknown("parameter", name, c.operation.Query)
		}
	}
	if err := c.checkFilters(); err != nil {
		return err
	}
	isRead := c.method == http.MethodGet
	body := c.attributes()
	switch {
	case c.all && !slices.Contains(c.operation.Query, "page[number]"):
		return errors.New("--all is for lists with pages; leave it out")
	case isRead && c.input != "":
		return errors.New("--input needs the method that it is sent with, such as -X PATCH")
	case !isRead && len(body) == 0 && (c.input != "" || len(set) > 0):
		return fmt.Errorf("%s takes no body: leave out -f and --input", c.operation.Name)
	case !isRead && len(body) > 0 && c.input == "" && len(set) == 0:
		return fmt.Errorf("%s needs a body: set %s with -f NAME=TEXT or -f NAME:=JSON, or send a file with --input",
			c.operation.Name, strings.Join(body, ", "))
	}
	for name := range set {
		if !isRead && slices.Contains(secretNames, name) {
			return fmt.Errorf("-f %s would be visible in the list of processes; send it with --input -", name)
		}
		if !isRead && !slices.Contains(body, name) {
			return c.unknown("attribute", name, body)
		}
	}
	return nil
}

func (c *anyCall) unknown(what, name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("%s has no %ss: leave out %s", c.operation.Name, what, plain(name))
	}
	return fmt.Errorf("the %s %s of %s is not %s; --unchecked sends it", what, plain(name), c.operation.Name, instead(name, known))
}

// byCode are the routes whose {id} may also be a code, such as a UN/LOCODE.
var byCode = []string{"ports", "metro_areas", "vessels", "document_schemas"}

// checkIDs returns an error for an id in the path that is not one.
func (c *anyCall) checkIDs() error {
	route, path := strings.Split(c.operation.Path, "/"), strings.Split(c.path, "/")
	for i, element := range route {
		if strings.HasSuffix(element, "id}") && !slices.Contains(byCode, route[1]) && !isID(path[i]) {
			return fmt.Errorf("%s is not an id such as 5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d%s", plain(path[i]), findID(route[1]))
		}
	}
	return nil
}

// findID returns how to find the id of a resource of a route.
func findID(route string) string {
	switch route {
	case "shipments", "containers":
		return "; t49 " + route + " NUMBER --json prints it"
	case "tracking_requests":
		return "; t49 tracking-requests --number NUMBER --json prints it"
	case "webhooks", "parties":
		return "; t49 " + strings.Replace(route, "webhooks", "webhooks list", 1) + " prints it"
	}
	return ""
}

// document prints the resources of a JSON:API document; of anything else all.
func (a *app) document(text []byte) error {
	var document struct {
		Data     json.RawMessage   `json:"data"`
		Included []json.RawMessage `json:"included"`
	}
	if json.Unmarshal(text, &document) != nil || len(document.Data) == 0 {
		if len(a.fields) > 0 {
			return usageError{errors.New("--fields works with resources only")}
		}
		return a.line(text)
	}
	resources := []json.RawMessage{document.Data}
	if document.Data[0] == '[' {
		if err := json.Unmarshal(document.Data, &resources); err != nil {
			return err
		}
	}
	for _, r := range resources {
		if err := a.line(r); err != nil {
			return err
		}
	}
	if len(document.Included) > 0 {
		a.note("The response includes %d related resources; --raw prints them.", len(document.Included))
	}
	return nil
}
