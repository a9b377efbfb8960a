package catalogue

// laterOperations lists the calls that the library does not have yet.
func laterOperations() []Operation { return nil }
