// Client lists shipments with this module.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/go-freight/terminal49"
)

func main() {
	if err := list(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func list(ctx context.Context) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	for s, err := range client.Shipments.All(ctx, nil) {
		if err != nil {
			return err
		}
		fmt.Println(s.ID, s.BillOfLadingNumber)
	}
	return nil
}
