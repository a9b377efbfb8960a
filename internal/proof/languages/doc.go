// Package languages tests the simulator as programs in other languages use it. The cases in the
// folders python and typescript know no Go: they start nothing and only send HTTP requests.
package languages
