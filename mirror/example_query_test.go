package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// Let somebody ask in SQL, who must not write, nor see anything but the account's views.
func ExampleReader_Query() {
	ctx := context.Background()
	service, db, _ := mirrored(ctx)
	defer service.Close()
	defer db.Close()

	reader := mirror.NewReader(db)
	found, err := reader.Query(ctx, `
		select c.port_of_discharge_name as port, count(*) as held
		from holds h join containers c on c.id = h.container_id
		where h.status = 'hold' and h.cleared_at is null
		group by port order by held desc`, mirror.QueryOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Columns, found.Rows)

	_, err = reader.Query(ctx, "delete from containers", mirror.QueryOptions{})
	var refused *terminal49.ArgumentError
	if errors.As(err, &refused) {
		fmt.Println(refused.Field, refused.Problem)
	}
	// Output:
	// [port held] [[Long Beach 1]]
	// sql must begin with "select" or "with"; one statement that reads the views is allowed
}

// The views that a query may read, with a sentence for each of them and for each of their columns.
func ExampleQueryViews() {
	for _, view := range mirror.QueryViews()[:3] {
		fmt.Println(view.Name, len(view.Columns) > 8, view.Columns[0].Name, view.Columns[0].Type, view.Columns[0].Doc)
	}
	// Output:
	// containers true id text Id at the service.
	// shipments true id text Id at the service.
	// situations true container_id text In containers.
}
