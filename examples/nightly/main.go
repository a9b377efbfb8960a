// Nightly writes a CSV file with a row for each container of an account: where it is, the last free
// day that counts, what is owed, and what to do. docs/nightly-job.md explains it.
package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/go-freight/terminal49"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: nightly FILE.csv")
	}
	file, err := os.Create(os.Args[1] + ".new")
	if err == nil {
		err = errors.Join(write(context.Background(), file), file.Close())
	}
	if err == nil {
		err = os.Rename(file.Name(), os.Args[1]) // a reader never sees half of the file
	}
	if err != nil {
		log.Fatal(err)
	}
}

func write(ctx context.Context, to io.Writer) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	rows := csv.NewWriter(to)
	_ = rows.Write([]string{"container", "situation", "place", "last free day", "days left", "owed", "do"}) // rows.Error has the error
	params := &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for container, err := range client.Containers.All(ctx, params, terminal49.WithPrefetch(4)) {
		if err != nil {
			return err
		}
		v := terminal49.Assess(container, time.Now(), terminal49.VerdictOptions{})
		day, _ := v.LastFreeDay.At.Date() // not if the zone is not reported
		_ = rows.Write([]string{cell(container.Number), cell(string(v.Situation)), cell(v.Place.String()),
			cmp.Or(cell(day.String()), cell(v.LastFreeDay.At.String())), v.DaysLeft.String(), cell(v.Fees.String()), cell(v.String())})
	}
	rows.Flush()
	return rows.Error()
}

// cell begins with a letter or a digit, so that no spreadsheet reads it as a formula.
func cell(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
