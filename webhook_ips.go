package terminal49

import (
	"encoding/json"
	"errors"
	"net/netip"
	"slices"
)

// WebhookIPs are the addresses that the service delivers webhooks from.
type WebhookIPs struct {
	Addresses   []netip.Addr
	Prefixes    []netip.Prefix // ranges, such as 192.0.2.0/24; the service is not known to list any so far
	Unreadable  []string       // entries that are neither, as sent; nil if all was understood
	LastUpdated Time           // UTC; zero if missing or unreadable
}

// Contains reports whether addr is one of the addresses or in one of the ranges, also when it is written as IPv6
// (::ffff:192.0.2.1).
func (ips WebhookIPs) Contains(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.Contains(ips.Addresses, addr) ||
		slices.ContainsFunc(ips.Prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// ipsReply keeps what can be read: one odd entry must not lock the service out of all the others.
type ipsReply WebhookIPs

var errNoIPs = errors.New("webhook_notification_ips: none of the entries is an address")

func (r *ipsReply) UnmarshalJSON(data []byte) error {
	var wire struct {
		Entries     []json.RawMessage `json:"webhook_notification_ips"`
		LastUpdated json.RawMessage   `json:"last_updated"`
	}
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	*r = ipsReply{}
	for _, entry := range wire.Entries {
		r.add(entry)
	}
	if len(r.Unreadable) > 0 && len(r.Addresses)+len(r.Prefixes) == 0 {
		return errNoIPs
	}
	if len(wire.LastUpdated) > 0 && json.Unmarshal(wire.LastUpdated, &r.LastUpdated) != nil {
		r.LastUpdated = Time{}
	}
	return nil
}

func (r *ipsReply) add(entry json.RawMessage) {
	text := string(entry)
	if entry[0] == '"' {
		_ = json.Unmarshal(entry, &text) // it is a string: the list was read as JSON
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		r.Addresses = append(r.Addresses, addr.Unmap().WithZone(""))
		return
	}
	prefix, err := netip.ParsePrefix(text)
	if err == nil && prefix.Addr().Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
	}
	if err != nil || prefix.Bits() == 0 { // everybody is no list of the service's own
		r.Unreadable = append(r.Unreadable, text)
		return
	}
	r.Prefixes = append(r.Prefixes, prefix.Masked())
}
