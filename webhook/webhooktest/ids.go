package webhooktest

import (
	"fmt"
	"strings"

	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// similarIDs returns ids that a store may confuse. Each is valid UTF-8, as every id in JSON is.
func similarIDs() []string {
	const uuid, digest = "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "0123456789abcdef"
	ids := []string{
		"id", "ID", "Id", "id ", " id", "id\x00", "id\x00x", "id\n", "id\t", "i", "idd", "i%", "i_", "id:1", "id/1", "{id}", "'id'", `"id"`,
		`id\`, "id;--", "*", "?", "\u00e9", "e\u0301", "\u00c9", "\u00df", "ss", "0", "00", "1", "1.0", "1e0", "+1", "0x1", "null", "NULL",
		"\ufffd", "\U0010ffff", "\u0130", "\u0131", "a-b", "ab", "a_b", "a.b", "a+b", "a%2Bb", "a b", "id#1", "id?1", "id,1", "id|1",
		uuid, strings.ReplaceAll(uuid, "-", ""), strings.ToUpper(uuid), "{" + uuid + "}", "urn:uuid:" + uuid,
		"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-41d1-80b4-00c04fd430c9", "7ba7b810-9dad-41d1-80b4-00c04fd430c8",
		"dead-letter-" + uuid,
	}
	for _, n := range []int{8, 16, 32, 36, 64, 76, 128, 191, 255, 256, 512, 1024, 4096, 8192, 65536} {
		long := strings.Repeat(digest, n/16+1)[:n-1]
		ids = append(ids, long+"x", long+"y", "x"+long, "y"+long, long[:n/2]+"x"+long[n/2:], long[:n/2]+"y"+long[n/2:])
	}
	return append(ids, sameHash...)
}

// sameHash are pairs of ids that have the same hash of 32 or 64 bits.
var sameHash = []string{
	"id-9baca62f79973", "id-72668cf9c5a450", // CRC-32
	"id-505f3acf6efb47", "id-fcd4633f468981", // CRC-32C
	"id-5bd1e7cbbff74c", "id-970d6dd67970b2", // FNV-1a
	"id-b6711f726a012", "id-377473957db90a", // FNV-1
	"id-b20f2c675c2b29", "id-1e5dc149c0833b", // Adler-32
	"id-5eb87cd1479470", "id-484c6c153fb23b", // String.hashCode of Java
	"id-554ec45b22eeb", "id-1065cd703c4fb5", // djb2
	"id-c10c9ac0e48afe", "id-e40a215d6a7738", // the first 32 bits of SHA-256
	"id-9e19e4c0bfe5f5", "id-b5b85ba6cef211", // the last 32 bits of SHA-256
	"id-5fa87eca781cc5", "id-6693e7dd2257fe", // the first 32 bits of SHA-1
	"id-566655a63f24ca", "id-bba353e3067573", // the last 32 bits of SHA-1
	"id-b1f518e92b36ca", "id-2472754b9ad708", // the first 32 bits of MD5
	"id-11f5d4f5359f6", "id-afa4846f27f8a2", // the last 32 bits of MD5
	"id-3e3e5b7d6ce195", "id-e51c3767bb8b46", // the lowest 32 bits of FNV-1a of 64 bits
	"id-8a3f9ecb84f381", "id-ccea057add7685", // the highest 32 bits of FNV-1a of 64 bits
	"8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ", // FNV-1a of 64 bits
}

// ids claims similar ids, then completes one half and releases the other.
func (s *dedupeSuite) ids() {
	ids := similarIDs()
	a, b := s.process(0), s.process(0)
	owner := func(i int) string { return fmt.Sprint("first-", i) }
	for i, id := range ids {
		a.claim(id, owner(i), longLease)
	}
	for i, id := range ids {
		b.claim(id, "second", longLease)
		if i%2 == 0 {
			b.complete(id, owner(i), longLease)
		} else {
			b.release(id, owner(i))
		}
	}
	for _, id := range ids {
		a.claim(id, "third", longLease)
	}
}

// tenThousand claims 10,000 ids, and completes nine of ten. UUIDs differ in one of their parts.
func (s *dedupeSuite) tenThousand() {
	const many, workers = 10_000, 16
	forms := []string{"%08x-9dad-41d1-80b4-00c04fd430c8", "6ba7b810-%04x-41d1-80b4-00c04fd430c8",
		"6ba7b810-9dad-41d1-%04x-00c04fd430c8", "6ba7b810-9dad-41d1-80b4-%012x", "%d"}
	a, b := s.process(0), s.process(0)
	each := func(do func(i int, id, owner string)) {
		together(workers, func(w int) {
			for i := w; i < many && !s.failed.Load(); i += workers {
				do(i, fmt.Sprintf(forms[i%len(forms)], i+1), fmt.Sprint("first-", i))
			}
		})
	}
	each(func(_ int, id, owner string) { a.claim(id, owner, longLease) })
	each(func(i int, id, owner string) {
		if b.claim(id, "second", longLease); i%10 < 9 {
			a.complete(id, owner, longLease)
		}
	})
	each(func(_ int, id, _ string) { b.claim(id, "second", longLease) })
}

// namespaces uses namespaces that a store may confuse, and pairs of namespace and id that are equal
// when they are joined.
func (s *dedupeSuite) namespaces() {
	namespace := "t49-suite-Namespace-" + suite.NewNamespace()
	for _, other := range []string{strings.ToLower(namespace), strings.ToUpper(namespace), namespace + "1", namespace[:len(namespace)-1]} {
		s.areApart(namespace, other, "id-"+other, "id-"+other)
	}
	for _, separator := range []string{"", ":", "/", "-", ".", "_", "|"} {
		namespace := suite.NewNamespace()
		s.areApart(namespace, namespace+separator+"1", "1"+separator+"id", "id")
	}
}

// areApart claims, renews, releases and completes an id in two namespaces.
func (s *dedupeSuite) areApart(one, two, idOfOne, idOfTwo string) {
	a, b := s.processIn(one, 0), s.processIn(two, 0)
	a.claim(idOfOne, "owner", longLease)
	b.claim(idOfTwo, "owner", longLease)
	b.release(idOfTwo, "owner")
	a.claim(idOfOne, "other", longLease)
	a.complete(idOfOne, "owner", longLease)
	b.claim(idOfTwo, "owner", longLease)
	b.claim(idOfOne, "owner", longLease)
	a.claim(idOfOne, "other", longLease)
}
