// Plain lists shipments with the standard library alone: what the client is measured against.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type page struct {
	Data []struct {
		ID         string `json:"id"`
		Attributes struct {
			Number string `json:"bill_of_lading_number"`
		} `json:"attributes"`
	} `json:"data"`
	Links struct {
		Next string `json:"next"`
	} `json:"links"`
}

func main() {
	if err := list("https://api.terminal49.com/v2/shipments"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func list(url string) error {
	for url != "" {
		req, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Token "+os.Getenv("T49_API_TOKEN"))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		var p page
		err = json.NewDecoder(resp.Body).Decode(&p)
		resp.Body.Close()
		if err != nil {
			return err
		}
		for _, s := range p.Data {
			fmt.Println(s.ID, s.Attributes.Number)
		}
		url = p.Links.Next
	}
	return nil
}
