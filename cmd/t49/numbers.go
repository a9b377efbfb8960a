package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// maxNumbers bounds a file of numbers.
const maxNumbers = 4 << 20

// numbered adds --from to a command that takes ids or numbers. They are required if it does nothing
// without them.
func (a *app) numbered(cmd *cobra.Command, required bool) *cobra.Command {
	cmd.Flags().StringVar(&a.from, "from", "", "also take the numbers in this `file`, one a line or the first column of a CSV; - is standard input")
	completeFiles(cmd, "from")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if required && len(args) == 0 && !cmd.Flags().Changed("from") {
			return errors.New("a NUMBER is missing: name one or more, or a file of them with --from FILE; - is standard input")
		}
		return refuseTypo(cmd, args)
	}
	return cmd
}

// refuseTypo returns an error for a first word that is meant for a subcommand. A number has digits.
func refuseTypo(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], "0123456789-") {
		return nil
	}
	var names []string
	for _, one := range cmd.Commands() {
		names = append(names, one.Name())
	}
	if near := nearest(args[0], names); near != "" {
		return fmt.Errorf("%s is neither a number nor a command (did you mean %s %s?)", plain(args[0]), cmd.CommandPath(), near)
	}
	return nil
}

// numbers returns the ids and numbers of the arguments and of --from, each once.
func (a *app) numbers(ctx context.Context, args []string) (which []string, err error) {
	which, files := a.sources(args)
	for _, name := range files {
		text, err := a.readFile(ctx, name, maxNumbers)
		if err != nil {
			return nil, err
		}
		listed, err := numbersIn(text)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", fileName(name), err)}
		}
		which = append(which, listed...)
	}
	return unique(which), nil
}

// sources returns the numbers among the arguments, and the files to read. The argument - is
// --from -.
func (a *app) sources(args []string) (which, files []string) {
	if a.from != "" {
		files = append(files, a.from)
	}
	for _, arg := range args {
		if arg == "-" {
			files = append(files, arg)
		} else {
			which = append(which, arg)
		}
	}
	return which, unique(files)
}

func unique(list []string) []string {
	return uniqueBy(list, func(one string) string { return one })
}

// uniqueBy removes what has the same key as one before.
func uniqueBy[T any](list []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(one T) bool {
		k := key(one)
		repeated := seen[k]
		seen[k] = true
		return repeated
	})
}

// titles are those of the first column of a table of numbers.
var titles = []string{"number", "numbers", "container", "bill of lading", "b/l", "bol", "shipment", "container number", "id"}

// isNumberTitle reports whether a cell of the first line is one of the titles.
func isNumberTitle(cell string) bool {
	return slices.Contains(titles, strings.ToLower(strings.TrimSpace(cell)))
}

var errNoNumbers = errors.New("has no numbers: write one a line")

// numbersIn returns the numbers in a text: the first column of each line. Empty lines, those that
// begin with # and a first line that is a title are left out.
func numbersIn(text []byte) (numbers []string, err error) {
	lines := bufio.NewScanner(bytes.NewReader(lineEnds(text)))
	lines.Buffer(nil, maxNumbers+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.ReplaceAll(lines.Text(), "\t", ","))
		if !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
			return nil, fmt.Errorf("line %d is not text; save it as CSV or as text in UTF-8", n)
		}
		if strings.HasPrefix(line, "{") {
			return nil, fmt.Errorf("line %d is JSON; one number a line is read, as --csv prints them", n)
		}
		number, _, _ := strings.Cut(strings.ReplaceAll(line, ";", ","), ",")
		number = strings.Trim(strings.TrimSpace(number), `"'`)
		if err := cellError(number); err != nil {
			return nil, fmt.Errorf("line %d %w", n, err)
		}
		isTitle := len(numbers) == 0 && isNumberTitle(number)
		if number != "" && !strings.HasPrefix(line, "#") && !isTitle {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return nil, errNoNumbers
	}
	return numbers, lines.Err()
}

func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return plain(name)
}

// readFile reads a file of at most so many bytes, or standard input for -, until ctx ends.
func (a *app) readFile(ctx context.Context, name string, most int64) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	read, from := make(chan result, 1), io.Reader(os.Stdin)
	go func() {
		if name != "-" {
			file, err := os.Open(name)
			if err != nil {
				read <- result{nil, err}
				return
			}
			defer file.Close() //nolint:errcheck // it is only read
			from = file
		}
		text, err := io.ReadAll(io.LimitReader(from, most+1))
		read <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-read:
		switch {
		case r.err != nil:
			reason := r.err
			if path := new(os.PathError); errors.As(reason, &path) {
				reason = path.Err
			}
			return nil, usageError{fmt.Errorf("%s cannot be read: %w", fileName(name), reason)}
		case int64(len(r.text)) > most:
			return nil, usageError{fmt.Errorf("%s has more than %d MiB", fileName(name), most>>20)}
		}
		return r.text, nil
	}
}
