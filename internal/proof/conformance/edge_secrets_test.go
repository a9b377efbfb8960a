package conformance_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49/internal/testkit"
)

// These rows are about a service that sends the token back. Whatever it does, no error, log, hook
// or middleware shows it (SECURITY.md).

// tokenForms are ways in which a URL, JSON or HTML can contain the token.
func tokenForms() map[string]string {
	each := func(format func(c byte) string) string {
		var b strings.Builder
		for i := range len(edgeToken) {
			b.WriteString(format(edgeToken[i]))
		}
		return b.String()
	}
	const hex = "0123456789abcdef"
	return map[string]string{
		"as it is":                 edgeToken,
		"escaped as in a query":    url.QueryEscape(edgeToken),
		"escaped as in a path":     url.PathEscape(edgeToken),
		"each byte escaped":        each(func(c byte) string { return "%" + string(hex[c>>4]) + string(hex[c&15]) }),
		"with the word before it":  "Token " + edgeToken,
		"the word before, escaped": url.PathEscape("Token " + edgeToken),
	}
}

func secretEdges() (rows []edge) {
	forms := tokenForms()
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		form := forms[name]
		rows = append(rows,
			wired(spoilt(verdictStatus), "302 elsewhere with the token, "+name,
				answered(302, "Location", "https://elsewhere.example/?t="+strings.ReplaceAll(form, " ", "+"))),
			wired(same(outcome{sent: 1}), "a header with the token, "+name, headed(func(h http.Header) {
				h.Set("X-Echo", form)
				h.Set("Link", "<https://elsewhere.example/?t="+form+">; rel=next")
			})),
			wired(denied(verdictInvalid), "422 with the token, "+name, func(w http.ResponseWriter, req *http.Request, _ testkit.Reply) {
				send(w, req, testkit.Reply{Status: 422, Body: `{"errors":[{"title":` + asText(form) + `,"source":{"pointer":"/` + form + `"}}]}`})
			}),
			wired(denied(verdictForbidden), "403 as a page with the token, "+name, func(w http.ResponseWriter, req *http.Request, _ testkit.Reply) {
				send(w, req, testkit.Reply{Status: 403, Body: "<p>" + form + "</p>"})
			}),
			succeeds("links with the token, "+name, asksOnce, member("links",
				`{"next":`+asText("/v2/x?page[x]="+form)+`,"self":`+asText("/v2/x?t="+form)+`}`)))
		trailer := wired(same(outcome{sent: 1}), "a trailer with the token, "+name, func(w http.ResponseWriter, req *http.Request, reply testkit.Reply) {
			send(w, req, reply)
			w.Header().Set(http.TrailerPrefix+"X-Echo", form)
		})
		trailer.only = hasBody
		reason := wired(denied(verdictInvalid), "400 with the token as its reason, "+name, raw("HTTP/1.1 400 "+form+"\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"))
		broken := wired(lost(verdictLost), "a broken header with the token, "+name, raw("HTTP/1.1 200 OK\r\n"+form+"\r\n\r\n"))
		reason.http1, broken.http1 = true, true
		strict := unreadable("an unreadable time with the token, "+name+", strict", hasAttributes, member("included",
			`[{"id":`+asText(form)+`,"type":"container","attributes":{"created_at":`+asText(form)+`}}]`))
		strict.strict = true
		rows = append(rows, trailer, reason, broken, strict)
	}
	return rows
}

// raw returns a response of exactly these bytes, after which the connection ends.
func raw(text string) func(http.ResponseWriter, *http.Request, testkit.Reply) {
	return func(w http.ResponseWriter, _ *http.Request, _ testkit.Reply) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte(text))
		_ = conn.Close()
	}
}
