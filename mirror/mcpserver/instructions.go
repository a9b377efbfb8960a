package mcpserver

import _ "embed"

// instructions are what an agent reads first.
//
//go:embed instructions.txt
var instructions string
