package jsonapi

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type maybe[V any] struct {
	value V
	ok    bool
}

func both[V any](v V, ok bool) maybe[V] { return maybe[V]{v, ok} }

func TestDecoder_Strings(t *testing.T) {
	read := func(d *Decoder) maybe[string] { return both(d.String()) }
	for json, want := range map[string]maybe[string]{
		`""`: {"", true}, `"a"`: {"a", true}, `"12345678"`: {"12345678", true}, `"1234567\""`: {`1234567"`, true},
		`"\u00fc\n\/\\"`: {"ü\n/\\", true}, `"\ud83d\ude00"`: {"😀", true}, `"\ud83d"`: {"\uFFFD", true},
		`"\ud83dx\ude00"`: {"\uFFFDx\uFFFD", true}, `"\ud83d\u0041"`: {"\uFFFDA", true}, "\"a\xffb\"": {"a\uFFFDb", true},
		"\"\xff\xfe\"": {"\uFFFD\uFFFD", true}, "\"\\n\xed\xa0\x80\"": {"\n\uFFFD\uFFFD\uFFFD", true}, // one for each byte
		"\"12345678\xff\"": {"12345678\uFFFD", true}, `"ünïcödé wörds"`: {"ünïcödé wörds", true}, `17`: {"17", true},
		`-1.50e2`: {"-1.50e2", true}, `null`: {}, "\"\x7f\"": {"\x7f", true},
		`"` + strings.Repeat("long ", 2000) + `"`: {strings.Repeat("long ", 2000), true},
	} {
		got, problems := value(t, json, read)
		require.Equal(t, want, got, json)
		require.Empty(t, problems, json)
	}
	for json, problem := range map[string]string{
		`true`: "want a string, got a boolean", `[1,[2]]`: "want a string, got an array", `{"a":"b"}`: "want a string, got an object",
	} {
		got, problems := value(t, json, read)
		require.Equal(t, maybe[string]{}, got)
		require.Equal(t, []string{problem}, problems)
	}
}

func TestDecoder_StringsDoNotShareTheDocument(t *testing.T) {
	body := []byte(`{"data":{"id":"one","type":"thing","attributes":{"text":"hello","words":["a","b"]}}}`)
	items, _, err := Decode[thing](body, Options{Types: things()})
	require.NoError(t, err)
	for i := range body {
		body[i] = 'x'
	}
	require.Equal(t, "one", items[0].id.ID)
	require.Equal(t, "hello", items[0].text)
	require.Equal(t, []string{"a", "b"}, items[0].words)
}

func TestDecoder_Numbers(t *testing.T) {
	whole := func(d *Decoder) maybe[int] { return both(d.Int()) }
	for json, want := range map[string]maybe[int]{
		`0`: {0, true}, `-7`: {-7, true}, `"12"`: {12, true}, `2.0`: {2, true}, `3e2`: {300, true}, `null`: {}, `""`: {},
		strconv.Itoa(math.MaxInt): {math.MaxInt, true}, // as many bits as an int has
	} {
		got, problems := value(t, json, whole)
		require.Equal(t, want, got, json)
		require.Empty(t, problems)
	}
	for _, json := range []string{
		`1.5`, `9223372036854775808`, `9007199254740993.0`, `1e18`, `1e300`, `1e999999999`, `"x"`, `true`, `[]`, `{}`, `"NaN"`, `"Inf"`, `"0x10"`, `"1_0"`, strings.Repeat("1", 65),
		`"` + strings.Repeat("1", 65) + `"`,
	} {
		got, problems := value(t, json, whole)
		require.Equal(t, maybe[int]{}, got, json)
		require.Len(t, problems, 1, json)
	}
	// Numbers between the bits of an int and the digits of a float64, which 32 bits do not hold.
	for json, want := range map[string]int64{`4294967296`: 1 << 32, `-4294967295`: 1 - 1<<32, `3e9`: 3e9, `2147483648.0`: 1 << 31} {
		got, problems := value(t, json, whole)
		if strconv.IntSize == 32 {
			require.Equal(t, maybe[int]{}, got, json)
			require.Len(t, problems, 1, json)
			continue
		}
		require.Equal(t, maybe[int]{int(want), true}, got, json)
		require.Empty(t, problems)
	}
	float := func(d *Decoder) maybe[float64] { return both(d.Float()) }
	for json, want := range map[string]maybe[float64]{
		`0.5`: {0.5, true}, `-1e-2`: {-0.01, true}, `"35.10162"`: {35.10162, true}, `1e-999999999`: {0, true}, `null`: {}, `""`: {},
	} {
		got, problems := value(t, json, float)
		require.Equal(t, want, got, json)
		require.Empty(t, problems)
	}
	for _, json := range []string{`1e999999999`, `"NaN"`, `"-Infinity"`, `"1,5"`, `"0x1p-2"`, `"1_0.5"`, `false`, `[1]`} {
		got, problems := value(t, json, float)
		require.Equal(t, maybe[float64]{}, got, json)
		require.Len(t, problems, 1, json)
	}
}

func TestDecoder_Bools(t *testing.T) {
	read := func(d *Decoder) maybe[bool] { return both(d.Bool()) }
	for json, want := range map[string]maybe[bool]{`true`: {true, true}, `false`: {false, true}, `null`: {}} {
		got, problems := value(t, json, read)
		require.Equal(t, want, got)
		require.Empty(t, problems)
	}
	for _, json := range []string{`"true"`, `1`, `{}`, `[]`} {
		got, problems := value(t, json, read)
		require.Equal(t, maybe[bool]{}, got)
		require.Len(t, problems, 1)
	}
}

func TestDecoder_Lists(t *testing.T) {
	for json, want := range map[string][]string{
		`null`: nil, `[]`: {}, `[null]`: {}, `["a",null,"b",1]`: {"a", "b", "1"}, `[ "a" , "b" ]`: {"a", "b"}, `"a"`: nil, `{}`: nil,
	} {
		got, _ := value(t, json, (*Decoder).Strings)
		require.Equal(t, want, got, json)
	}
	members := NewTable(thingModel{}, new(part))
	read := func(d *Decoder) (list []part) {
		members.ReadList(d, &list)
		return list
	}
	for json, want := range map[string][]part{
		`null`: nil, `[]`: {}, `[{"name":"a"},null,7,{},{"x":[{}]}]`: {{"a"}, {}, {}, {}}, `{"name":"a"}`: nil, `"a"`: nil,
	} {
		got, _ := value(t, json, read)
		require.Equal(t, want, got, json)
	}
}

func TestDecoder_NullSkipAndRaw(t *testing.T) {
	null, _ := value(t, `null`, (*Decoder).Null)
	require.True(t, null)
	for _, json := range []string{`{"a":[1,{"b":null}],"c":"]}"}`, `[[],{}]`, `"x\"y"`, `-0.1e+5`, `true`, `null`, `{}`, `[]`} {
		raw, problems := value(t, json, func(d *Decoder) string { return string(d.Raw()) })
		require.Equal(t, json, raw)
		require.Empty(t, problems)
		value(t, json, func(d *Decoder) bool { d.Skip(); return true })
		value(t, json, func(d *Decoder) bool { d.Unknown([]byte("x")); return true })
	}
	raw, _ := value(t, "  \n[ 1 ]", func(d *Decoder) string { return string(d.Raw()) })
	require.Equal(t, "[ 1 ]", raw, "without the space before it")
}

func TestDecoder_Linkage(t *testing.T) {
	type one struct {
		Linkage
		found bool
	}
	read := func(d *Decoder) one { l, ok := d.ReadOne(); return one{l, ok} }
	for json, want := range map[string]one{
		`null`: {}, `{}`: {}, `{"links":{}}`: {}, `{"data":null}`: {Linkage{Null: true}, true}, `{"data":{}}`: {Linkage{Null: true}, true},
		`{"data":{"type":"thing","id":"1","meta":{}}}`: {Linkage{Ref: Ref{"thing", "1"}}, true},
		`{"data":{"id":7,"type":"new"}}`:               {Linkage{Ref: Ref{"new", "7"}}, true},
		`{"id":"1","type":"thing"}`:                    {Linkage{Ref: Ref{"thing", "1"}}, true},
		`{"data":"1"}`:                                 {}, `[]`: {}, `{"data":[{"id":"1","type":"thing"}]}`: {},
	} {
		got, _ := value(t, json, read)
		require.Equal(t, want, got, json)
	}
	many := func(d *Decoder) maybe[Refs] { return both(d.ReadMany()) }
	for json, want := range map[string]maybe[Refs]{
		`null`: {}, `{}`: {}, `{"data":null}`: {"", true}, `{"data":[]}`: {"", true},
		`{"data":[{"type":"a","id":"1"},{"type":"b","id":"2"}]}`: {RefsOf(Ref{"a", "1"}, Ref{"b", "2"}), true},
		`{"data":[null,7,{"type":"a"},{"type":"b","id":"2"}]}`:   {RefsOf(Ref{"b", "2"}), true},
		`{"data":[{"id":"1","type":"a"},{"id":"2","type":"a"}]}`: {RefsOf(Ref{"a", "1"}, Ref{"a", "2"}), true},
		`{"data":[{"id":"\u0031","type":"a"},{"id":"2","type":"a","x":1},{"id":"3","type":null},{"id":4,"type":"a"}]}`: {
			RefsOf(Ref{"a", "1"}, Ref{"a", "2"}, Ref{"", "3"}, Ref{"a", "4"}), true},
		`{"id":"1","type":"thing"}`: {RefsOf(Ref{"thing", "1"}), true},
	} {
		got, _ := value(t, json, many)
		require.Equal(t, want, got, json)
	}
}

// Refs that follow a similar one are read as encoding/json reads them.
func TestDecoder_SimilarRefs(t *testing.T) {
	usual := func(n int) string {
		return fmt.Sprintf(`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2%05d","type":"thing"}`, n)
	}
	for _, odd := range []string{
		usual(9), `{"id":"5f5a7c2e-1d0b-4a3e-9c56-\u0065e8b1a2f3c4d","type":"thing"}`, `{"id":"1","type":"thing"}`,
		`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2é3c4","type":"thing"}`, "{\"id\":\"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2\xff3c4d\",\"type\":\"thing\"}",
		"{\"id\":\"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2\n3c4d\",\"type\":\"thing\"}", `{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2\"3c4","type":"thing"}`,
		`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001","type":"thingy"}`, `{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001","type":"other"}`,
		`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001", "type":"thing"}`, `{"type":"thing","id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001"}`,
		`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001","type":"thing","x":1}`, `{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001"}`, `{}`,
		`{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001"","type":"thing"}`, `{"id":"5f5a7c2e-1d0b-4a3e-9c56-0e8b1a200001","type":"thing"`,
	} {
		for before := range 4 {
			list := strings.Repeat(usual(before)+",", before) + odd + strings.Repeat(","+usual(7), 2*longestRun)
			body := `{"data":[` + list + `]}`
			d := &Decoder{types: things(), lastType: &noType}
			d.scan.data = []byte(body)
			refs, _ := d.ReadMany()
			var plain struct{ Data []Ref }
			err := json.Unmarshal([]byte(body), &plain)
			require.Equal(t, err == nil, d.End() == nil, "%q", odd)
			if err == nil {
				named := slices.DeleteFunc(plain.Data, func(r Ref) bool { return r.ID == "" })
				require.Equal(t, named, refs.List(), "%q", odd)
			}
		}
	}
}

// A list of refs returns what it was made of, with types and ids of any length. The source is
// the data member of a to-many relationship in JSON:API: any types, ids that are any string.
func TestRefs_KeepEveryRef(t *testing.T) {
	long := strings.Repeat("x", 1<<14)
	for _, list := range [][]Ref{
		{}, {{"", ""}}, {{"container", "1"}}, {{"a", "1"}, {"a", "2"}, {"b", "3"}, {"", "4"}, {"", "5"}, {"a", ""}},
		{{long, long + "y"}, {long, long[:127]}, {long[:126], long[:128]}, {long[:127], "\x00\xff"}},
	} {
		refs := RefsOf(list...)
		require.Equal(t, list, refs.List())
		require.Equal(t, len(list), refs.Len())
	}
	many := make([]Ref, 2*longestRun+1)
	for i := range many {
		many[i] = Ref{"a", strconv.Itoa(100 + i%900)}
	}
	require.Equal(t, many, RefsOf(many...).List())
	require.Equal(t, len(many), RefsOf(many...).Len())
}

// After the first error nothing is read or reported.
func TestDecoder_StopsAtTheFirstError(t *testing.T) {
	for _, body := range []string{``, `{`, `{"a"`, `{"a":`, `[1`, `"a`, `"\u12`, `"\q"`, `01`, `-`, `1.`, `1e`, `tru`, `nul`, "\"\x01\"", `}`, `@`} {
		d := &Decoder{types: things(), lastType: &noType, report: func(w Warning) { t.Errorf("%s: warned %q", body, w.Problem) }}
		d.scan.data = []byte("[" + body)
		d.Skip()
		require.Error(t, d.Err(), body)
		first := d.Err()
		_, ok := d.String()
		require.False(t, ok)
		_, ok = d.Int()
		require.False(t, ok)
		_, ok = d.Bool()
		require.False(t, ok)
		require.Nil(t, d.Strings())
		require.Empty(t, d.Raw())
		require.False(t, d.Null())
		require.False(t, d.Object(func([]byte) { t.Fatal("a member after an error") }))
		require.Equal(t, first, d.Err())
	}
}

func TestDecoder_LimitsTheDepth(t *testing.T) {
	nest := func(n int) string { return strings.Repeat(`[`, n) + strings.Repeat(`]`, n) }
	document := func(n int) string {
		return `{"data":{"id":"1","type":"thing","attributes":{"x":` + nest(n) + `}}}`
	}
	_, _, _, err := decode(document(maxDepth-3), Options{})
	require.NoError(t, err)
	for _, n := range []int{maxDepth - 2, maxDepth, 1_000_000} {
		_, _, _, err = decode(document(n), Options{})
		require.Error(t, err)
		_, _, _, err = decode(document(n), Options{KeepRaw: true})
		require.Error(t, err)
	}
}

// The scanner agrees with encoding/json about what is JSON.
func TestScanner_Grammar(t *testing.T) {
	for _, text := range []string{
		`0`, `-0`, `00`, `-01`, `1.0`, `.5`, `1.`, `1e5`, `1E+05`, `1e`, `+1`, `0x1`, `1_0`, `Infinity`, `NaN`, `"\u000"`, `"\u0000"`,
		`"\/"`, `"\'"`, "\"\t\"", "\"\x7f\"", `[1,]`, `[,1]`, `[1 2]`, `{"a":1,}`, `{,}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":}`,
		`[[]`, `[]]`, `{}}`, `true`, `True`, `truee`, `nulll`, `null`, "\ufeff{}", `/**/1`, " \t\r\n1", "\v1", "\u00a01", `""`, `"`,
	} {
		s := scanner{data: []byte(text)}
		s.skip()
		s.peek()
		require.Equal(t, json.Valid([]byte(text)), s.err == nil && s.pos == len(text), "%q", text)
	}
}
