// Overdue prints the most urgent containers of a mirror's database, without a request.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"time"

	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/worklist"
)

func main() {
	now := time.Now()
	if text := os.Getenv("NOW"); text != "" {
		var err error
		if now, err = time.Parse(time.RFC3339, text); err != nil {
			log.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, now); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, now time.Time) error {
	db, err := sql.Open("sqlite", "file:"+os.Getenv("MIRROR_DB")+"?_pragma=busy_timeout(5000)&_pragma=query_only(1)")
	if err != nil {
		return err
	}
	defer db.Close()
	list, err := mirror.NewReader(db).Worklist(ctx, worklist.WorkOverdue, now, mirror.WorklistOptions{Limit: 3})
	if err != nil {
		return err
	}
	fmt.Println(list.Total)
	for _, item := range list.Items {
		fmt.Println(item.Container.Number, item.Verdict.Situation, item.Verdict.DaysLeft)
	}
	return nil
}
