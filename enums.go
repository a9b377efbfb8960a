package terminal49

import "slices"

// known serves the Known methods of the open enumerations. They are open because the service adds values without
// notice: a value that this version does not list is kept as it came.
func known[S ~string](s S, values []S) bool { return slices.Contains(values, s) }
