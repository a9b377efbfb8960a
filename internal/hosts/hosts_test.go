package hosts

import (
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"
)

// Nothing that the package starts may outlive the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The spellings that TestStorage_HostsInEverySpelling refuses are in the root folder; these are the
// ends of the rules. Sources: RFC 1035 for lengths, RFC 6874 for zones.
func TestIsPlain(t *testing.T) {
	longest := strings.Repeat(strings.Repeat("a", 63)+".", 3) + strings.Repeat("a", 61)
	for host, want := range map[string]bool{
		"a": true, "a.": true, "A-z_0.example": true, longest: true, longest + ".": true, longest + "a": false,
		"10.0.0.1": true, "::1": true, "::1%lo": false, "010.0.0.1": false, "": false, ".": false, "a..": false, ".a": false,
		"a.1": false, "a.-": false, "a.xn--p1ai": false, "xn--p1ai.a": true, "a\x00.b": false, "a b": false, "é.a": false, "a.é": false,
	} {
		assert.Equal(t, want, IsPlain(host), "%q", host)
	}
}

// Source: the registries of special-purpose addresses of IANA. Each row is the last address before
// a block, its first, its last, and the first after it.
func TestIsInternalIP(t *testing.T) {
	for _, row := range []string{
		"- 0.0.0.0 0.255.255.255 1.0.0.0", "9.255.255.255 10.0.0.0 10.255.255.255 11.0.0.0", "100.63.255.255 100.64.0.0 100.127.255.255 100.128.0.0",
		"126.255.255.255 127.0.0.0 127.255.255.255 128.0.0.0", "169.253.255.255 169.254.0.0 169.254.255.255 169.255.0.0",
		"172.15.255.255 172.16.0.0 172.31.255.255 172.32.0.0", "191.255.255.255 192.0.0.0 192.0.0.255 192.0.1.0",
		"192.167.255.255 192.168.0.0 192.168.255.255 192.169.0.0", "198.17.255.255 198.18.0.0 198.19.255.255 198.20.0.0",
		"223.255.255.255 224.0.0.0 255.255.255.255 -",
		"- :: 1fff:: 2000::", "3ffe:: 4000:: ffff:: -", "2000:ffff:: 2001:: 2001:1ff:: 2001:200::", "2001:db7:: 2001:db8:: 2001:db8:ffff:: 2001:db9::",
		"64:ff9b::9.255.255.255 64:ff9b::a00:0 64:ff9b::10.9.9.9 64:ff9b::11.0.0.0", "2002:9ff:: 2002:a00:: 2002:aff:: 2002:b00::",
	} {
		for i, want := range []bool{false, true, true, false} {
			if at := strings.Fields(row)[i]; at != "-" {
				assert.Equal(t, want, IsInternalIP(net.ParseIP(at)), at)
			}
		}
	}
}
