// Package hosts decides to which hosts a file may be sent although another party named them.
package hosts

import (
	"net"
	"strings"
)

// IsPlain reports whether every transport, proxy and resolver reads host in the same way: it is an
// IP address without a zone, or a name of ASCII letters, digits, hyphens and underscores. The last
// label of a name begins with a letter: IPv4 addresses have forms such as 0177.1 and 2130706433. It
// is not Punycode, which some decode to such a form or to localhost.
func IsPlain(host string) bool {
	if net.ParseIP(host) != nil {
		return true
	}
	name := strings.TrimSuffix(host, ".")
	last := lastLabel(name)
	if len(name) > 253 || last < "A" || len(last) >= 4 && strings.EqualFold(last[:4], "xn--") {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, isOdd) {
			return false
		}
	}
	return true
}

func isOdd(r rune) bool {
	return (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') && r != '-' && r != '_'
}

func lastLabel(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// private are the last labels of names within a machine or a private network: of RFC 6761, RFC 6762
// with its appendix G, and the reservation of internal by ICANN.
const private = ".localhost.localdomain.local.internal.intranet.private.corp.home.lan."

// IsInternal reports whether a host is an address or a name within a machine or a private network.
// A name of the internet has a dot, and its last label begins with a letter.
func IsInternal(host string) bool {
	host, _, _ = strings.Cut(strings.TrimSuffix(host, "."), "%")
	if ip := net.ParseIP(host); ip != nil {
		return IsInternalIP(ip)
	}
	name := strings.ToLower(host)
	last := lastLabel(name)
	return last == name || last < "A" || strings.Contains(private, "."+last+".") || strings.HasSuffix(name, "home.arpa") // RFC 8375
}

// special are the addresses that the registries of IANA for special purposes reserve, multicast,
// and the class that RFC 1112 reserves.
const special = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
	"192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 2001::/23 2001:db8::/32 3fff::/20"

// IsInternalIP reports whether ip is an address that the internet does not route, or contains one.
func IsInternalIP(ip net.IP) bool {
	ip = embeddedIPv4(ip)
	if ip.To4() == nil && ip[0]&0xe0 != 0x20 { // IANA allocates 2000::/3 only
		return true
	}
	for prefix := range strings.FieldsSeq(special) {
		if _, block, err := net.ParseCIDR(prefix); err == nil && block.Contains(ip) {
			return true
		}
	}
	return false
}

// embeddedIPv4 returns the IPv4 address to which a gateway forwards ip: of 6to4 (RFC 3056) or NAT64
// (RFC 6052, and RFC 8215 for the prefix of local networks). It returns any other ip unchanged.
func embeddedIPv4(ip net.IP) net.IP {
	switch bytes := string(ip.To16()); {
	case strings.HasPrefix(bytes, "\x20\x02"):
		return ip[2:6]
	case strings.HasPrefix(bytes, "\x00\x64\xff\x9b\x00\x01") && bytes[11:] == "\x00\x00\x00\x00\x00": // a prefix of 48 bits
		return net.IP{ip[6], ip[7], ip[9], ip[10]}
	case strings.HasPrefix(bytes, "\x00\x64\xff\x9b\x00\x01"), strings.HasPrefix(bytes, "\x00\x64\xff\x9b\x00\x00\x00\x00\x00\x00\x00\x00"):
		return ip[12:]
	}
	return ip
}
