// Consumer is a program as a user of the stores writes it, in a module of its own.
package main

import (
	"fmt"

	_ "github.com/go-freight/terminal49/redisstore"
	_ "github.com/go-freight/terminal49/sqlstore"
)

func main() { fmt.Println("the stores are linked") }
