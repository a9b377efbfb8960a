// Package points names the moments at which a test may kill the process of a mirror.
package points

// At is called at each point; nil outside of tests. Set it before anything runs.
var At func(name string)

// Hit passes a point.
func Hit(name string) {
	if At != nil {
		At(name)
	}
}
