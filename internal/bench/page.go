package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed testdata/shipment.json
var shipmentJSON string

//go:embed testdata/container.json
var containerJSON string

const (
	pageItems = 100 // shipments of a page, with two containers each
	walkPages = 100
)

// maker writes documents as the service does: members in its order, null for unknown values.
type maker struct{ ids int }

func (m *maker) id() string {
	m.ids++
	return fmt.Sprintf("%08x-6bd5-4f8a-9c3e-%012x", uint32(m.ids)*0x9e3779b1, m.ids)
}

// fill replaces the ids of a resource; every {new} becomes an id of its own.
func (m *maker) fill(resource string, ids ...string) string {
	parts := strings.Split(strings.NewReplacer(ids...).Replace(strings.TrimSpace(resource)), "{new}")
	for i := range parts[1:] {
		parts[i] += m.id()
	}
	return strings.Join(parts, "")
}

// container returns the document of one container, with the shipment it belongs to, and its id.
func (m *maker) container() (document, id string) {
	id, shipment := m.id(), m.id()
	return `{"data":` + m.fill(containerJSON, "{id}", id, "{shipment}", shipment, "{terminal}", m.id()) +
		`,"included":[` + m.fill(shipmentJSON, "{id}", shipment, "{container0}", id, "{container1}", m.id(),
		"{port}", m.id(), "{terminal}", m.id()) + `],"links":{"self":"/v2/containers/` + id + `"}}`, id
}

// page returns page number n of a list of shipments, with or without the containers and places.
func (m *maker) page(origin string, n int, include bool) string {
	port, terminal := m.id(), m.id()
	var data, included []string
	for range pageItems {
		id, first, second := m.id(), m.id(), m.id()
		data = append(data, m.fill(shipmentJSON, "{id}", id, "{container0}", first, "{container1}", second,
			"{port}", port, "{terminal}", terminal))
		for _, container := range []string{first, second} {
			included = append(included, m.fill(containerJSON, "{id}", container, "{shipment}", id, "{terminal}", terminal))
		}
	}
	included = append(included,
		fmt.Sprintf(`{"id":%q,"type":"port","attributes":{"id":%[1]q,"name":"Port of Los Angeles","code":"USLAX",`+
			`"city":"Los Angeles","country_code":"US","time_zone":"America/Los_Angeles"}}`, port),
		fmt.Sprintf(`{"id":%q,"type":"terminal","attributes":{"id":%[1]q,"name":"TraPac LAX","firms_code":"Y258"},`+
			`"relationships":{"port":{"data":{"id":%q,"type":"port"}}}}`, terminal, port))
	if !include {
		included = nil
	}
	link := func(n int) string { return fmt.Sprintf(`"%s/shipments?page[number]=%d&page[size]=100"`, origin, n) }
	links := `"current":` + link(n) + `,"last":` + link(walkPages)
	if n < walkPages {
		links += `,"next":` + link(n+1)
	}
	return fmt.Sprintf(`{"data":[%s],"included":[%s],"links":{%s},"meta":{"size":%d,"total":%d}}`,
		strings.Join(data, ","), strings.Join(included, ","), links, pageItems, pageItems*walkPages)
}

// sorted returns a document with the members of all its objects in alphabetical order.
func sorted(document string) string {
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		panic(err)
	}
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	if err := to.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(text.String())
}
