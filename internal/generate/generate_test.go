package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// good is a package in the form of the root: two resources, a value object and two enumerations.
const good = "package p\n\n" +
	"type Resource struct{ ID string }\n\n" + // line 3
	"//t49:resource boat\n" +
	"type Boat struct {\n" + // line 6
	"	Resource `t49:\"id,ignored\"`\n" +
	"	Name   string        `t49:\"name,also=old_name\"`\n" +
	"	At     Time          `t49:\"at,zone=zone\"`\n" +
	"	Zone   string        `t49:\"zone\"`\n" + // line 10
	"	Key    Secret        `t49:\"key,unwritten\"`\n" +
	"	Size   Opt[float64]  `t49:\"size,read=readMeasure[float64]\"`\n" +
	"	Cabins []Cabin       `t49:\"cabins\"`\n" +
	"	Seen   bool          `t49:\"-\"` // by the reader\n" +
	"	Port   ToOne[*Quay]  `t49:\"port\"`\n" + // line 15
	"	Next   ToMany[Place] `t49:\"next,types=quay|pier\"`\n" +
	"}\n\n" +
	"type Cabin struct {\n" + // line 19
	"	Kind CabinKind `t49:\"kind\"`\n" +
	"	List []string  `t49:\"list,as=list\"`\n" +
	"}\n\n" +
	"//t49:resource quay pier\n" +
	"type Quay struct{ Resource }\n\n" +
	"//t49:enum\n" +
	"type CabinKind string\n\n" + // line 28
	"const (\n	CabinInner CabinKind = \"inner\"\n	CabinOuter CabinKind = \"outer\"\n)\n\n" +
	"type list []string\n\n" +
	"func readMeasure[N any](d, at any) {}\n"

func parsed(t *testing.T, text string) (*source, error) {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "boats.go"), []byte(text), 0o600))
	return parse(folder)
}

func TestParse_TagsSayHowMembersAreReadAndWritten(t *testing.T) {
	s, err := parsed(t, good)
	require.NoError(t, err)
	code := members(s) + resources(s)
	for _, want := range []string{
		`m.Add("id", nil)`, `m.Add("old_name", &v.Name)`, `m.Add("name", &v.Name)`, `m.AddUnwritten("key", &v.Key)`,
		`m.AddAs("size", &v.Size, readMeasure[float64])`, `m.Add("list", (*list)(&v.List))`,
		"func (v *Boat) relationships(m *jsonapi.Members) {\nm.Add(\"port\", &v.Port)\nm.Add(\"next\", &v.Next)\n}",
		"func (v *Boat) finish() {\npairZone(v.Zone, &v.At)\n}", `r.Register(new(Quay), "quay", "pier")`,
	} {
		require.Contains(t, code, want)
	}
	require.NotContains(t, code, "Seen")
	require.Contains(t, known(s), "func (v CabinKind) Known() bool {\nswitch v {\ncase CabinInner,\nCabinOuter:")
	listed := types(s)
	for _, want := range []string{
		`"cabins.kind", `, `{Name: "next", Types: []string{"quay", "pier"}, Many: true},`, `{Name: "port", Types: []string{"quay"}, Many: false},`,
		`Aliases: []string{"pier"},`, `{Name: "boat.cabins.kind", Type: "CabinKind"},`, `"CabinKind": {"inner", "outer"},`,
	} {
		require.Contains(t, listed, want)
	}
}

// A method that is written by hand stays: the generated one has another name, or is left out.
func TestParse_KeepsWhatIsWrittenByHand(t *testing.T) {
	s, err := parsed(t, good+"\nfunc (b *Boat) finish() { b.pairSiblings() }\n\nfunc (b Boat) MarshalJSON() ([]byte, error) { return nil, nil }\n")
	require.NoError(t, err)
	code := members(s) + resources(s)
	require.Contains(t, code, "func (v *Boat) pairSiblings() {")
	require.NotContains(t, code, "func (v Boat) MarshalJSON")
	require.Contains(t, code, "func (v *Boat) UnmarshalJSON")
}

// Each case breaks the good package in one place.
func TestParse_RefusesABrokenTagWithFileAndLine(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"name with a capital":    {`"name,also=old_name"`, `"Name"`, `boats.go:8:2: Boat.Name: "Name" is not a name on the wire`},
		"name with a space":      {`"name,also=old_name"`, `"a name"`, `boats.go:8:2: Boat.Name: "a name" is not a name on the wire`},
		"empty name":             {`"name,also=old_name"`, `""`, `boats.go:8:2: Boat.Name: "" is not a name on the wire`},
		"unknown option":         {`zone=zone`, `zome=zone`, `boats.go:9:2: Boat.At: option "zome=zone"`},
		"option without a value": {`zone=zone`, `zone=`, `boats.go:9:2: Boat.At: option "zone="`},
		"option without an =":    {`zone=zone`, `zone`, `boats.go:9:2: Boat.At: option "zone"`},
		"flag with a value":      {`key,unwritten`, `key,unwritten=yes`, `boats.go:11:2: Boat.Key: option "unwritten=yes"`},
		"empty option":           {`key,unwritten`, `key,unwritten,`, `boats.go:11:2: Boat.Key: option ""`},
		"written secret":         {`key,unwritten`, `key`, `boats.go:11:2: Boat.Key: a Secret must be unwritten`},
		"two fields, one tag":    {"	Seen   bool ", "	Seen, Read bool ", `boats.go:14:2: Boat.Seen: one tag cannot name 2 fields`},
		"no tag":                 {"	Seen   bool          `t49:\"-\"`", "	Seen bool", `boats.go:14:2: Boat.Seen: needs a tag`},
		"same name twice":        {`"zone"`, `"name"`, `Boat.Zone: the name name is already that of Name`},
		"further name twice":     {`"zone"`, `"zone,also=old_name"`, `boats.go:10:2: Boat.Zone: the name old_name is already that of Name`},
		"further name of itself": {`also=old_name`, `also=name`, `boats.go:8:2: Boat.Name: also=name repeats its name`},
		"unwritten text":         {`"zone"`, `"zone,unwritten"`, `boats.go:10:2: Boat.Zone: only a Secret is unwritten`},
		"optional secret":        {"Secret        `t49:\"key,unwritten\"`", "Opt[Secret] `t49:\"key\"`", `boats.go:11:2: Boat.Key: a Secret must be unwritten`},
		"zone of a name":         {`zone=zone`, `zone=name`, `boats.go:9:2: Boat.At: zone=name: no field of type string`},
		"members of nobody":      {"type Cabin struct {", "//t49:members cabins\ntype Cabin struct {", `Cabin: //t49:members cabins: no type has that name`},
		"members without a type": {"type Cabin struct {", "//t49:members\ntype Cabin struct {", `Cabin: //t49:members : no type has that name`},
		"zone of nobody":         {`zone=zone`, `zone=time_zone`, `boats.go:9:2: Boat.At: zone=time_zone: no field of type string`},
		"zone that is a number":  {`zone=zone`, `zone=size`, `boats.go:9:2: Boat.At: zone=size: no field of type string`},
		"zone of a text":         {`"kind"`, `"kind,zone=kind"`, `boats.go:20:2: Cabin.Kind: only a Time has a zone`},
		"unknown reader":         {`readMeasure[float64]`, `readSize`, `boats.go:12:2: Boat.Size: read=readSize: no function has that name`},
		"unknown type":           {`as=list`, `as=lists`, `boats.go:21:2: Cabin.List: as=lists: no type has that name`},
		"two readers":            {`as=list`, `as=list,read=readMeasure`, `boats.go:21:2: Cabin.List: read= cannot be combined`},
		"ignored and read":       {`id,ignored`, `id,ignored,read=readMeasure`, `boats.go:7:2: Boat.Resource: what is ignored has no other options`},
		"types of an attribute":  {`"zone"`, `"zone,types=quay"`, `boats.go:10:2: Boat.Zone: types= is for relationships`},
		"unknown wire type":      {`quay|pier`, `quay|jetty`, `boats.go:16:2: Boat.Next: types=jetty: no resource has that wire type`},
		"relationship to nobody": {`next,types=quay|pier`, `next`, `boats.go:16:2: Boat.Next: Place is not a resource`},
		"relationship with zone": {`"port"`, `"port,zone=zone"`, `boats.go:15:2: Boat.Port: `},
		"unknown directive":      {`//t49:enum`, `//t49:enums`, `boats.go:27:1: //t49:enums: want resource, members or enum`},
		"enumeration of numbers": {`type CabinKind string`, `type CabinKind int`, `boats.go:28:6: CabinKind: only a type of string`},
		"resource without names": {`//t49:resource quay pier`, `//t49:resource`, `Quay: a resource must be a struct, and its directive must name its wire types`},
		"wire type twice":        {`//t49:resource quay pier`, `//t49:resource quay pier boat`, `the wire type boat is already that of Boat`},
		"no Resource":            {`type Quay struct{ Resource }`, `type Quay struct{ id int }`, `boats.go:25:6: Quay: a resource must embed Resource`},
		"members by hand":        {`type list []string`, "type list []string\n\nfunc (b *Boat) members() {}", `Boat: members is generated from the tags`},
		"hidden constant":        {`CabinInner CabinKind`, `cabinInner CabinKind`, `cabinInner: a value of an enumeration must be exported`},
		"no constants":           {"CabinInner CabinKind = \"inner\"\n	CabinOuter CabinKind", "CabinInner = \"inner\"\n	CabinOuter", `boats.go:28:6: CabinKind: an enumeration needs constants`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(good, c.old), "%q", c.old)
			_, err := parsed(t, strings.Replace(good, c.old, c.new, 1))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestRun_ChecksWhatItWrote(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "internal", "catalogue"), 0o700))
	path := filepath.Join(folder, "boats.go")
	require.NoError(t, os.WriteFile(path, []byte(good), 0o600))
	require.ErrorContains(t, run(folder, true), "is not up to date: run go generate")
	require.NoError(t, run(folder, false))
	require.NoError(t, run(folder, true))
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(good, `"kind"`, `"type"`, 1)), 0o600))
	require.ErrorContains(t, run(folder, true), "is not up to date")
}
