package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/cmd/t49/internal/doctor"
	"github.com/go-freight/terminal49/terminal49test"
)

// planted puts random secrets into everything that a service sends.
type planted struct {
	next    http.RoundTripper
	random  *rand.Rand
	how     string
	secrets map[string]bool
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// text returns n random characters of an alphabet.
func (p *planted) text(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[p.random.IntN(len(alphabet))]
	}
	return string(b)
}

// secret returns a new secret in one of the forms that texts of an account have.
func (p *planted) secret() string {
	lower := func(n int) string { return p.text(letters, n) }
	secret := ""
	switch p.random.IntN(10) {
	case 0:
		secret = p.text("0123456789abcdef", 16)
	case 1:
		secret = lower(10)
	case 2:
		secret = lower(8) + "_" + lower(8)
	case 3:
		secret = fmt.Sprintf("%s-%s-%s-%s-%s", p.text("0123456789abcdef", 8), p.text("0123456789abcdef", 4), p.text("0123456789abcdef", 4), p.text("0123456789abcdef", 4), p.text("0123456789abcdef", 12))
	case 4:
		secret = p.text("0123456789", 9)
	case 5:
		secret = lower(8) + "@" + lower(8) + ".example"
	case 6:
		secret = strings.ToUpper(lower(4)) + p.text("0123456789", 7)
	case 7:
		secret = p.text(letters+strings.ToUpper(letters)+"0123456789+/", 22) + "=="
	case 8:
		secret = strings.ToUpper(lower(1)) + lower(8) + " " + lower(8) + " Ltd."
	case 9:
		secret = "https://" + lower(8) + ".example/" + lower(9) + "?signature=" + lower(12)
	}
	p.secrets[secret] = true
	return secret
}

// RoundTrip implements http.RoundTripper.
func (p *planted) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := p.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	var document any
	if err := json.NewDecoder(resp.Body).Decode(&document); err != nil {
		return nil, err
	}
	text, err := json.Marshal(p.plant(document, ""))
	if err != nil {
		return nil, err
	}
	if p.how == "errors" {
		resp.StatusCode = []int{400, 403, 404, 409, 422, 500, 501}[p.random.IntN(7)]
		text = fmt.Appendf(nil, `{"errors":[{"title":%q,"detail":%q,"code":%q,"source":{"pointer":%q},"meta":{%q:%q}}]}`,
			p.secret(), p.secret(), p.secret(), p.secret(), p.secret(), p.secret())
	}
	for _, name := range []string{"X-Request-Id", "X-RateLimit-Limit", "RateLimit-Policy", "X-RateLimit-" + p.text(letters, 9), "Date", "ETag", "Link"} {
		p.secrets[strings.TrimPrefix(name, "X-RateLimit-")] = len(name) == len("X-RateLimit-")+9
		resp.Header.Set(name, p.secret())
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return resp, nil
}

// structural are the members without which a document is none.
var structural = map[string]bool{"type": true, "next": true}

// plant replaces or extends every text and number, and with "names" the names of members too.
func (p *planted) plant(value any, name string) any {
	switch value := value.(type) {
	case map[string]any:
		changed := map[string]any{}
		for member, v := range value {
			v = p.plant(v, member)
			if p.how == "names" && name == "attributes" && p.random.IntN(4) == 0 {
				member += " " + p.secret()
			}
			changed[member] = v
		}
		if name == "attributes" {
			changed["an_unknown_attribute"] = p.secret()
		}
		return changed
	case []any:
		for i := range value {
			value[i] = p.plant(value[i], name)
		}
	case float64:
		number := 100_000_000 + p.random.IntN(900_000_000)
		p.secrets[strconv.Itoa(number)] = true
		return number
	case string:
		switch {
		case structural[name] && p.how != "types" || name == "next":
		case p.how == "extended":
			return value + []string{" ", "_", ""}[p.random.IntN(3)] + p.secret()
		default:
			return p.secret()
		}
	}
	return value
}

// SECURITY: none of 10,000 secrets in every text and number of an account, in ids, errors and
// headers, is in the report.
func TestExamine_NothingOfTheAccountIsInTheReport(t *testing.T) {
	rounds := 1
	if os.Getenv("PROOF") == "whole" {
		rounds = 10
	}
	secrets := 0
	for round := range rounds {
		for _, how := range []string{"replaced", "extended", "types", "names", "errors"} {
			p := &planted{random: rand.New(rand.NewPCG(uint64(round), 49)), how: how, secrets: map[string]bool{}}
			e := examine(t, demo, func(next http.RoundTripper) http.RoundTripper { p.next = next; return p }, terminal49test.WithSyntheticContainers(5))
			requireNone(t, e.Report, p.secrets, how)
			if how != "errors" && how != "types" {
				require.Contains(t, e.find("Which attributes are unknown").Answer, "container.an_unknown_attribute", how)
				require.NotEqual(t, "None.", e.find("values of enumerations").Answer, how)
			}
			secrets += len(p.secrets)
		}
	}
	t.Logf("figure: doctor: none of %d secrets is in %d reports", secrets, 5*rounds)
	require.Greater(t, secrets, 10_000)
}

// requireNone fails if a text of the account is in a form of the report, or what of it is longer
// than a word.
func requireNone(t *testing.T, r *doctor.Report, texts map[string]bool, about string) {
	t.Helper()
	published, err := json.Marshal(r)
	require.NoError(t, err)
	report := strings.ToLower(r.String() + string(published))
	for text, isSecret := range texts {
		for _, part := range append(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" _-@.?=&/+:", r) }), text) {
			if isSecret && len(part) > 7 && strings.Contains(report, strings.ToLower(part)) && part != "example" && part != "signature" && part != "https" {
				require.Fail(t, "a text of the account is in the report", "%s: %q of %q in\n%s", about, part, text, r)
			}
		}
	}
}

// The texts of an ordinary account are not in its report either, unless the service documents them.
func TestExamine_TextsOfAnOrdinaryAccount(t *testing.T) {
	texts := map[string]bool{}
	var note func(value any, name string)
	note = func(value any, name string) {
		switch value := value.(type) {
		case map[string]any:
			for name, v := range value {
				note(v, name)
			}
		case []any:
			for _, v := range value {
				note(v, name)
			}
		case string:
			switch name {
			case "id", "number", "request_number", "bill_of_lading_number", "customer_name", "company_name", "url", "secret", "created_at", "name":
				texts[value] = true
			}
		}
	}
	e := examine(t, demo, func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			require.NoError(t, err)
			text, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			var document any
			require.NoError(t, json.Unmarshal(text, &document))
			note(document, "")
			resp.Body = io.NopCloser(bytes.NewReader(text))
			return resp, nil
		})
	}, terminal49test.WithSyntheticContainers(60))
	texts[e.srv.Token], texts[e.srv.URL] = true, true
	require.Greater(t, len(texts), 200)
	for text := range texts {
		if len(text) > 5 && strings.ContainsAny(text, "0123456789") {
			require.NotContains(t, e.String(), text)
		}
	}
}
