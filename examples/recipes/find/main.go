// Find prints the containers whose custom field has exactly a value.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: find SLUG VALUE")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, slug, value string) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	definition, err := define(ctx, client, slug)
	if err != nil {
		return err
	}
	// The filter of containers selects a part of a text, also in fields of the shipment, and some
	// services ignore it. So the values are read, and compared here.
	var numbers []string
	for field, err := range client.CustomFields.All(ctx, &terminal49.CustomFieldListParams{DefinitionID: definition.ID}) {
		if err != nil {
			return err
		}
		if text, ok := field.Value.Text(); !ok || text != value || field.APISlug != slug {
			continue
		}
		container, err := client.Containers.Get(ctx, field.Entity.ID(), nil)
		if err != nil {
			return err
		}
		numbers = append(numbers, container.Number)
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		fmt.Println(number)
	}
	return nil
}

func define(ctx context.Context, client *terminal49.Client, slug string) (*terminal49.CustomFieldDefinition, error) {
	for definition, err := range client.CustomFieldDefinitions.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if definition.APISlug == slug && definition.EntityType == terminal49.CustomFieldEntityContainer {
			return definition, nil
		}
	}
	return nil, fmt.Errorf("containers have no custom field %q", slug)
}
