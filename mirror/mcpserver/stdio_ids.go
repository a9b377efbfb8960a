package mcpserver

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// largeID begins the text that stands for an id that the SDK, which decodes numbers as float64,
// would change.
const largeID = "\x00integer "

// exactInteger is the largest integer below which float64 has all.
const exactInteger = 1 << 53

// keepID gives a message the id that its line has. It returns false for a number that is not an
// integer. MCP allows strings and integers.
func keepID(message jsonrpc.Message, line []byte) bool {
	r, is := message.(*jsonrpc.Request)
	var of struct{ ID, Params json.RawMessage }
	if !is || json.Unmarshal(line, &of) != nil {
		return true
	}
	text, ok := largeIDOf(of.ID)
	if text != "" {
		r.ID, _ = jsonrpc.MakeID(text) // a string always is one
	}
	if r.Method != "notifications/cancelled" {
		return ok
	}
	members := map[string]json.RawMessage{}
	if json.Unmarshal(r.Params, &members) != nil {
		return ok
	}
	if text, _ := largeIDOf(members["requestId"]); text != "" {
		members["requestId"], _ = json.Marshal(text)
		r.Params, _ = json.Marshal(members)
	}
	return ok
}

// largeIDOf returns the text that stands for an id, and "" if it needs none. It returns false for a
// number that is not an integer.
func largeIDOf(id json.RawMessage) (text string, ok bool) {
	if len(id) == 0 || !strings.ContainsRune("-0123456789", rune(id[0])) {
		return "", true
	}
	if len(id) > 64 || strings.ContainsAny(string(id), "eE") && len(id) > 8 {
		return "", false
	}
	n, is := new(big.Rat).SetString(string(id))
	switch {
	case !is || !n.IsInt():
		return "", false
	case n.Num().CmpAbs(big.NewInt(exactInteger)) <= 0:
		return "", true
	}
	return largeID + string(id), true
}

// withLargeID returns a response with the number that a text stands for.
func withLargeID(data []byte, id jsonrpc.ID) []byte {
	text, _ := id.Raw().(string)
	number, is := strings.CutPrefix(text, largeID)
	members := map[string]json.RawMessage{}
	if !is || json.Unmarshal(data, &members) != nil {
		return data
	}
	members["id"] = json.RawMessage(number)
	if large, err := json.Marshal(members); err == nil {
		return large
	}
	return data
}
