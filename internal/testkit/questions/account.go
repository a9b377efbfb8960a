package questions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

type object = map[string]any

// Account has containers in all states, with what belongs to them. Equal seeds have equal accounts.
type Account struct {
	r         *rand.Rand
	cases     []verdicttest.Case
	resources map[string]object // by type and id
	ids       []string          // of the containers
}

// NewAccount returns an account with n containers. Each has the reports of a case of verdicttest,
// moved to the time around [Now] and varied.
func NewAccount(seed uint64, n int) *Account {
	a := &Account{r: rand.New(rand.NewPCG(49, seed)), cases: verdicttest.Cases(), resources: map[string]object{}}
	for _, t := range terminals {
		a.addTerminal(t)
	}
	for i := range n {
		a.add(i)
	}
	return a
}

// add adds the i-th container.
func (a *Account) add(i int) {
	c := a.cases[a.r.IntN(len(a.cases))]
	var d struct {
		Data     object
		Included []object
	}
	if err := json.Unmarshal(c.Document, &d); err != nil {
		panic(err)
	}
	days := int(Now.Sub(c.Now).Round(24*time.Hour) / (24 * time.Hour))
	if a.once(20) {
		days += 4 // what is reported lies in the future
	}
	for _, res := range append(d.Included, d.Data) {
		own(res, i)
		switch moved(res, days); res["type"] {
		case "container":
			a.varyContainer(res, i)
		case "shipment":
			a.varyShipment(attributesOf(res), i)
		}
		a.resources[keyOf(res)] = res
	}
	a.ids = append(a.ids, d.Data["id"].(string))
}

func attributesOf(res object) object { return res["attributes"].(object) }
func keyOf(ref object) string        { return fmt.Sprint(ref["type"], "/", ref["id"]) }

// own gives the resources of the i-th container, and what refers to them, ids of their own. Their
// order is not that of the numbers.
func own(v any, i int) {
	switch v := v.(type) {
	case object:
		if id, kind := v["id"], v["type"]; id != nil && kind != nil {
			switch v["id"] = fmt.Sprintf("%v-%v", kind, id); kind {
			case "container":
				v["id"] = fmt.Sprintf("c%08x", uint32(i+1)*2654435761)
			case "shipment", "transport_event":
				v["id"] = fmt.Sprintf("%v-%v-%d", kind, id, i)
			}
		}
		for _, member := range v {
			own(member, i)
		}
	case []any:
		for _, item := range v {
			own(item, i)
		}
	}
}

// moved moves all times and days by a number of days. Places have none.
func moved(v any, days int) any {
	switch v := v.(type) {
	case object:
		for name, member := range v {
			v[name] = moved(member, days)
		}
	case []any:
		for i, item := range v {
			v[i] = moved(item, days)
		}
	case string:
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if at, err := time.Parse(layout, v); err == nil {
				return at.AddDate(0, 0, days).Format(layout)
			}
		}
	}
	return v
}

// Page returns a response with all resources.
func (a *Account) Page() []byte {
	all := []object{}
	for _, res := range a.resources {
		all = append(all, res)
	}
	slices.SortFunc(all, func(x, y object) int { return cmp.Compare(keyOf(x), keyOf(y)) })
	return encoded(object{"data": all})
}

// Containers returns the containers by id, each with all that belongs to it.
func (a *Account) Containers() (all []*terminal49.Container) {
	for _, id := range slices.Sorted(slices.Values(a.ids)) {
		c := new(terminal49.Container)
		if err := json.Unmarshal(a.Document(id), c); err != nil {
			panic(err)
		}
		all = append(all, c)
	}
	return all
}

// Document returns the response with a container that includes all that belongs to it.
func (a *Account) Document(id string) []byte {
	container := a.resources["container/"+id]
	included, seen := []object{}, map[string]bool{keyOf(container): true}
	a.include(container["relationships"], seen, &included)
	return encoded(object{"data": container, "included": included})
}

// include adds what is referred to in a value.
func (a *Account) include(v any, seen map[string]bool, to *[]object) {
	switch v := v.(type) {
	case object:
		if res := a.resources[keyOf(v)]; res != nil && !seen[keyOf(v)] {
			seen[keyOf(v)] = true
			*to = append(*to, res)
			a.include(res["relationships"], seen, to)
		}
		for _, member := range v {
			a.include(member, seen, to)
		}
	case []any:
		for _, item := range v {
			a.include(item, seen, to)
		}
	}
}

func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// terminals are further ones: names that are parts of others, or the FIRMS code of another one,
// umlauts.
var terminals = []object{
	{"id": "apm", "name": "APM", "nickname": "APM", "port": "USLAX"},
	{"id": "apm-la", "name": "APM Terminals Los Angeles", "nickname": "APMT LA", "firms_code": "W185", "port": "USLAX"},
	{"id": "w185", "name": "Harbor Yard", "nickname": "W185", "port": "USOAK"},
	{"id": "annex", "name": "Y773 Annex", "nickname": "", "port": "USLGB"},
	{"id": "cologne", "name": "Hafen Köln-Niehl", "nickname": "KÖLN", "port": "NLRTM"},
	{"id": "cologne-2", "name": "hafen köln-niehl", "nickname": "Köln 2", "firms_code": "K002", "port": "NLRTM"},
}

func (a *Account) addTerminal(t object) {
	res := object{"type": "terminal", "id": "terminal-" + t["id"].(string), "relationships": object{"port": linked("port", "port-"+t["port"].(string))}}
	res["attributes"] = object{"name": t["name"], "nickname": t["nickname"], "firms_code": t["firms_code"]}
	a.resources[keyOf(res)] = res
}

func linked(kind, id string) object { return object{"data": object{"type": kind, "id": id}} }

// spelled returns a text as somebody may write it.
func spelled(r *rand.Rand, text string) string {
	return []string{text, strings.ToUpper(text), strings.ToLower(text), " " + text + "  "}[r.IntN(4)]
}
