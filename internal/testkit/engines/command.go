package engines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Do sends one command on a connection of its own and returns a reply that is one string or number.
func (r *Redis) Do(command ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", r.Addr(), patience)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	var request strings.Builder
	fmt.Fprintf(&request, "*%d\r\n", len(command))
	for _, word := range command {
		fmt.Fprintf(&request, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := io.WriteString(conn, request.String()); err != nil {
		return "", err
	}
	return readReply(bufio.NewReader(conn))
}

func readReply(from *bufio.Reader) (string, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	switch line[:1] {
	case "-":
		return "", errors.New(line[1:])
	case "+", ":":
		return line[1:], nil
	case "$":
		size, err := strconv.Atoi(line[1:])
		if err != nil || size < 0 {
			return "", fmt.Errorf("reply %q", line)
		}
		body := make([]byte, size)
		_, err = io.ReadFull(from, body)
		return string(body), err
	}
	return "", fmt.Errorf("reply %q is neither a string nor a number", line)
}
