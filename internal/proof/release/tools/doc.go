// Package tools is a module of its own for the programs that a release is made with, so that no
// other module gets what they require. [Release] runs them with go tool.
//
// [Release]: https://pkg.go.dev/github.com/go-freight/terminal49/internal/proof/release
package tools
