package main

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-freight/terminal49"
)

// checkArguments returns an error unless api has a path, or --list with at most a text.
func (c *anyCall) checkArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && !c.list {
		return errors.New("PATH is missing; t49 api --list prints the operations")
	}
	return cobra.MaximumNArgs(1)(cmd, args)
}

// listOperations prints the operations that a text selects, one per line. If there is only one, it
// also prints what can be set.
func (a *app) listOperations(cmd *cobra.Command, method, text string) error {
	if cmd.Flags().Changed("json") || len(a.fields) > 0 {
		return usageError{errors.New("--list prints text: leave out --json and --fields")}
	}
	if !cmd.Flags().Changed("method") {
		method = ""
	}
	found := selectOperations(strings.ToUpper(method), text)
	if len(found) == 0 {
		return usageError{fmt.Errorf("no operation has %s in its method, path or name; t49 api --list prints all", plain(text))}
	}
	show := summary
	if len(found) == 1 {
		show = describe
	}
	for _, o := range found {
		if _, err := fmt.Fprint(a.out, show(o)); err != nil {
			return err
		}
	}
	return nil
}

func summary(o terminal49.Operation) string {
	return fmt.Sprintf("%-6s %-66s %s\n", o.Method, o.Path, o.Name)
}

// selectOperations returns the operations with a method, or any if it is "", and with a text in
// their line, or with a path that the text is. A whole name selects one.
func selectOperations(method, text string) (found []terminal49.Operation) {
	for _, o := range terminal49.Operations() {
		served, known := terminal49.FindOperation(o.Method, "/"+strings.TrimPrefix(text, "/"))
		switch {
		case method != "" && o.Method != method:
		case o.Name == text:
			return []terminal49.Operation{o}
		case known && served.Name == o.Name, strings.Contains(strings.ToLower(o.Method+" "+o.Path+" "+o.Name), strings.ToLower(text)):
			found = append(found, o)
		}
	}
	return found
}

// describe returns what can be set in an operation, and a line that calls it.
func describe(o terminal49.Operation) string {
	var b strings.Builder
	b.WriteString(summary(o))
	for _, part := range []struct {
		title string
		names []string
	}{{"parameter", o.Query}, {"body", o.Body}, {"response", o.Attributes}} {
		for _, name := range part.names {
			fmt.Fprintf(&b, "%-10s %s\n", part.title, name)
		}
	}
	again := "a request without a response is sent again"
	if !o.Repeatable {
		again = "never sent again if it may have been carried out (exit status 7)"
	}
	fmt.Fprintf(&b, "%-10s %s\n%-10s %s\n%-10s %s\n", "rate limit", rateLimit(o.Bucket), "retries", again, "example", example(o))
	return b.String()
}

// rateLimit describes the limit of a bucket that this program keeps.
func rateLimit(bucket terminal49.Bucket) string {
	if bucket == terminal49.BucketDefault {
		return fmt.Sprintf("%d a minute, together with the others", limitOf(bucket))
	}
	return fmt.Sprintf("%d a minute, its own", limitOf(bucket))
}

// limitOf returns the requests a minute of a bucket.
func limitOf(bucket terminal49.Bucket) int {
	l := terminal49.DefaultRateLimits()
	switch bucket {
	case terminal49.BucketCreate:
		return l.Create
	case terminal49.BucketInfer:
		return l.Infer
	case terminal49.BucketRefresh:
		return l.Refresh
	}
	return l.Default
}

var inRoute = regexp.MustCompile(`\{\w+\}`)

// example returns a line that calls an operation, with the first parameter or attribute.
func example(o terminal49.Operation) string {
	line := "t49 api "
	if o.Method != http.MethodGet {
		line += "-X " + o.Method + " "
	}
	line += inRoute.ReplaceAllStringFunc(o.Path, func(name string) string { return "$" + strings.ToUpper(strings.Trim(name, "{}")) })
	parameters := slices.DeleteFunc(slices.Clone(o.Query), isPaging)
	switch {
	case slices.ContainsFunc(o.Body, isSecretName):
		return line + " --input body.json"
	case len(o.Body) > 0:
		return fmt.Sprintf("%s -f '%s=TEXT'  # or '%[2]s:=JSON', as for a list, a number or true", line, o.Body[0])
	case len(parameters) > 0:
		return line + " -f '" + parameters[0] + "=TEXT'"
	case o.Method == http.MethodGet && len(o.Query) > 0:
		return line + " --all"
	}
	return line
}

func isPaging(parameter string) bool { return strings.HasPrefix(parameter, "page[") }

func isSecretName(name string) bool { return slices.Contains(secretNames, name) }

// names returns the beginnings of what -f can set for an operation.
func names(method string, path []string) (list []string) {
	if len(path) == 0 {
		return nil
	}
	operation, _ := terminal49.FindOperation(strings.ToUpper(method), "/"+strings.TrimPrefix(path[0], "/"))
	for _, name := range append(operation.Query, operation.Body...) {
		list = append(list, name+"=")
	}
	return list
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete}

// paths returns the routes of the operations with a method.
func paths(method string) (list []string) {
	for _, o := range terminal49.Operations() {
		if o.Method == strings.ToUpper(method) {
			list = append(list, o.Path)
		}
	}
	return unique(list)
}
