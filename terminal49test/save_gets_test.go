package terminal49test_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// gets returns the responses of every GET operation in doc.go, of each resource and of each page.
func gets(t testing.TB, srv *terminal49test.Server) string {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string][]string{}
	for r := range srv.Snapshot() {
		ids[r.Type] = append(ids[r.Type], r.ID)
	}
	var text strings.Builder
	operations := regexp.MustCompile(`(?m)^//\s+\S+\s+GET\s+(/\S+)$`).FindAllStringSubmatch(string(doc), -1)
	for _, operation := range operations {
		for _, path := range pathsOf(operation[1], ids) {
			readPages(t, &text, srv, path)
		}
	}
	if len(operations) < 35 {
		t.Fatalf("doc.go has %d GET operations", len(operations))
	}
	return text.String()
}

// pathsOf returns the paths of an operation.
func pathsOf(template string, ids map[string][]string) (list []string) {
	of, rest, one := strings.Cut(template, "/{")
	if !one {
		switch template {
		case "/search":
			return []string{"/search?query=MAEU"}
		case "/webhook_notifications/examples":
			return []string{template + "?event=container.updated"}
		}
		return []string{template}
	}
	_, rest, _ = strings.Cut(rest, "}")
	kind := strings.TrimSuffix(strings.TrimPrefix(of, "/"), "s")
	kind = map[string]string{"partie": "party"}[kind] + map[bool]string{true: kind}[kind != "partie"]
	for _, id := range ids[kind] {
		if strings.Contains(rest, "{option_id}") {
			for _, option := range ids["custom_field_option"] {
				list = append(list, of+"/"+id+strings.Replace(rest, "{option_id}", option, 1))
			}
			continue
		}
		list = append(list, of+"/"+id+rest)
	}
	if kind == "shipment" && rest == "" {
		for i := range list {
			list[i] += "?include=containers,port_of_lading,pod_terminal,pod_terminal.port"
		}
	}
	return list
}

func readPages(t testing.TB, text *strings.Builder, srv *terminal49test.Server, path string) {
	first := ""
	for page := 1; page <= 100; page++ {
		to := path
		if page > 1 {
			to += "?page[number]=" + fmt.Sprint(page)
		}
		a := getAPI(t, srv, to)
		if page == 1 {
			first = a.raw
		}
		if page == 1 || a.raw != first {
			fmt.Fprintln(text, to, a.status, a.raw)
		}
		if len(a.list("data")) == 0 || strings.Contains(path, "?") || !a.has("links/next") || a.at("links/next") == nil {
			return
		}
	}
}
