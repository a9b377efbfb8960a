package mcpserver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// standIn begins the text that stands for an id that the SDK, which decodes numbers as float64,
// would change. The id's JSON follows, in base64. Ids that begin so have a stand-in, too.
const standIn = "\x00id "

// standIns matches stand-ins in JSON.
var standIns = regexp.MustCompile(`"\\u0000id ([0-9A-Za-z_-]+)"`)

// exactInteger is the largest integer below which float64 has all.
const exactInteger = 1 << 53

// keepIDs returns a message or a batch of them, with stand-ins for the ids that need one. It
// returns false if an id is a number that is not an integer: MCP allows strings and integers.
func keepIDs(data []byte) (kept []byte, ok bool) {
	var batch []json.RawMessage
	if json.Unmarshal(data, &batch) != nil || batch == nil {
		return keepID(data)
	}
	ok = true
	for i := range batch {
		one, is := keepID(batch[i])
		batch[i], ok = one, ok && is
	}
	kept, _ = json.Marshal(batch) // it was decoded
	return kept, ok
}

// keepID is keepIDs for one message.
func keepID(message []byte) (kept []byte, ok bool) {
	members, params := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal(message, &members) != nil || members["method"] == nil {
		return message, true
	}
	changed, ok := stand(members, "id")
	if string(members["method"]) == `"notifications/cancelled"` && json.Unmarshal(members["params"], &params) == nil {
		if of, _ := stand(params, "requestId"); of {
			members["params"], _ = json.Marshal(params)
			changed = true
		}
	}
	if changed {
		message, _ = json.Marshal(members)
	}
	return message, ok
}

// stand replaces an id that needs a stand-in, and reports whether it does. It returns false for a
// number that is not an integer.
func stand(members map[string]json.RawMessage, name string) (replaced, ok bool) {
	id := members[name]
	var text string
	switch {
	case len(id) == 0:
		return false, true
	case json.Unmarshal(id, &text) == nil:
		if !strings.HasPrefix(text, standIn) {
			return false, true
		}
	case !strings.ContainsRune("-0123456789", rune(id[0])):
		return false, true
	default:
		if large, ok := isLarge(string(id)); !large {
			return false, ok
		}
	}
	members[name], _ = json.Marshal(standIn + base64.RawURLEncoding.EncodeToString(id))
	return true, true
}

// isLarge reports whether a number is beyond what float64 has exactly. It returns false for one
// that is not an integer.
func isLarge(number string) (large, ok bool) {
	power := 0
	var err error
	if at := strings.IndexAny(number, "eE"); at >= 0 {
		power, err = strconv.Atoi(number[at+1:])
	}
	if err != nil || len(number) > 64 || power < -64 || power > 308 { // more digits than float64 has
		return false, false
	}
	n, is := new(big.Rat).SetString(number)
	if !is || !n.IsInt() {
		return false, false
	}
	return n.Num().CmpAbs(big.NewInt(exactInteger)) > 0, true
}

// restoreIDs returns JSON with the ids that stand-ins stand for.
func restoreIDs(data []byte) []byte {
	if !bytes.Contains(data, []byte(`"\u0000id `)) {
		return data
	}
	return standIns.ReplaceAllFunc(data, func(of []byte) []byte {
		id, err := base64.RawURLEncoding.DecodeString(string(standIns.FindSubmatch(of)[1]))
		if err != nil || !json.Valid(id) {
			return of
		}
		return id
	})
}
