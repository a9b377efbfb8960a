package mirror_test

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"mime"
	"net"
	"net/http"
	"net/smtp"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

// toMail sends what the feed says of containers by e-mail.
func toMail(server, from, to string, secret terminal49.Secret) http.Handler {
	return mirror.HandleChanges(func(_ context.Context, c mirror.Change) error {
		notice, ok, err := c.Notice()
		if err != nil || !ok {
			return err
		}
		subject := mime.QEncoding.Encode("utf-8", notice.Number+": "+notice.Sentence) // ASCII on one line
		message := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s@mirror>\r\n\r\n%s is %s\r\n",
			from, to, subject, c.Position, notice.Number, notice.After.Situation)
		return smtp.SendMail(server, nil, from, []string{to}, []byte(message)) // after an error it is sent again
	}, secret)
}

// Send what becomes of containers by e-mail.
func ExampleHandleChanges_mail() {
	server := mailServer()
	defer server.Close()
	secret := terminal49.NewSecret("5ec4e7")
	deliver(toMail(server.Addr().String(), "mirror@example.com", "desk@example.com", secret), secret, theNotice)
	// Output:
	// Subject: CAIU1234567: last free day in 2 days: Aug 3, at WBCT
	// Message-ID: <31543-9f3c2a7be01d44aa@mirror>
	// 204
}

// mailServer accepts one message, and prints its subject and id.
func mailServer() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "220 ready\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "Subject: "), strings.HasPrefix(line, "Message-ID: "):
				fmt.Println(line)
			case line == "DATA":
				fmt.Fprint(conn, "354 go on\r\n")
			case line == "QUIT":
				fmt.Fprint(conn, "221 bye\r\n")
			case strings.HasPrefix(line, "EHLO"), strings.HasPrefix(line, "MAIL"), strings.HasPrefix(line, "RCPT"), line == ".":
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	return l
}
