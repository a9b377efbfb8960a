package compatibility_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// filler sets every exported field of a value to something that no other field has.
type filler struct {
	t    *testing.T
	made map[reflect.Type]any // values of types that are not filled field by field
}

// made are values of types whose fields are not exported, or which allow few values.
func made(t *testing.T) map[reflect.Type]any {
	values := map[reflect.Type]any{}
	for _, v := range []any{
		json.RawMessage(`{"raw":[1,"two"]}`),
		terminal49.RawJSON(`{"raw":[1,"two"]}`),
		terminal49.CustomText("a value of a field"),
		terminal49.SumFees([]terminal49.Fee{
			{Type: terminal49.FeeDemurrage, Amount: decimal.RequireFromString("1300.50"), CurrencyCode: "USD"},
			{Type: "new_type", Amount: decimal.RequireFromString("7"), CurrencyCode: "CAD"},
			{Type: terminal49.FeeExam},
		}),
		terminal49.TrackingSlots{Limit: terminal49.Some(10), Used: terminal49.Some(3), Remaining: terminal49.Some(7)},
		terminal49.NewSecret("a secret that is in no form"),
		terminal49.ProvidedData{"pickup_lfd": {Reported: terminal49.Some(true), Notes: "mostly"}},
	} {
		values[reflect.TypeOf(v)] = v
	}
	return values
}

func (f *filler) fill(v reflect.Value, path string) {
	if value, ok := f.made[v.Type()]; ok {
		v.Set(reflect.ValueOf(value))
		return
	}
	n := number(path)
	switch at := v.Addr().Interface().(type) {
	case *terminal49.Time:
		f.read(at, fmt.Sprintf(`"2026-03-%02dT16:%02d:05Z[America/Los_Angeles]"`, n%28+1, n%60))
		return
	case *terminal49.Date:
		f.read(at, fmt.Sprintf(`"2026-04-%02d"`, n%28+1))
		return
	case *time.Time:
		*at = time.Date(2026, time.May, int(n%28+1), 1, int(n%60), 5, 0, time.UTC)
		return
	case *decimal.Decimal:
		*at = decimal.New(int64(n%100_000)+1, -2)
		return
	}
	switch name := v.Type().Name(); {
	case strings.HasPrefix(name, "ToOne["):
		f.read(v.Addr().Interface(), fmt.Sprintf(`{"type":"container","id":%q}`, id(path)))
	case strings.HasPrefix(name, "ToMany["):
		f.read(v.Addr().Interface(), fmt.Sprintf(`[{"type":"container","id":%q},{"type":"container","id":%q}]`, id(path), id(path+"2")))
	case strings.HasPrefix(name, "Opt["):
		inner := reflect.New(v.MethodByName("Or").Type().In(0)).Elem()
		f.fill(inner, path)
		text, err := json.Marshal(inner.Interface())
		if err != nil {
			f.t.Fatalf("%s: %v", path, err)
		}
		f.read(v.Addr().Interface(), string(text))
	default:
		f.fillKind(v, path)
	}
}

func (f *filler) fillKind(v reflect.Value, path string) {
	n := number(path)
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n%100 + 1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(n%100 + 1))
	case reflect.Float64:
		v.SetFloat(float64(n%80) + 0.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), path+"[0]")
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key, path+" key")
		f.fill(value, path+" value")
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), path)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[terminal49.Resource]() { // Type is set when it is written
			v.Set(reflect.ValueOf(terminal49.Resource{ID: id(path), AsOf: time.Date(2026, time.June, 1, 2, 3, 4, 0, time.UTC)}))
			return
		}
		for field, at := range v.Fields() {
			if field.IsExported() {
				f.fill(at, path+"."+field.Name)
			}
		}
	}
}

func (f *filler) read(into any, text string) {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		f.t.Fatalf("%T: %v", into, err)
	}
}

// number returns a number for a path.
func number(path string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(path)) //nolint:errcheck // a hash does not fail
	return h.Sum32()
}

// id returns an id for a path.
func id(path string) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", number(path), number(path+"'"))
}

// dump adds a line for each value that can be read of v and is not zero.
func dump(add func(path, value string), v reflect.Value, path string) {
	if !v.IsValid() || v.IsZero() && v.Kind() != reflect.Struct {
		return
	}
	if text, leaf := leafText(v); leaf {
		if text != "" {
			add(path, text)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		dump(add, v.Elem(), path)
	case reflect.Struct:
		exported := 0
		for field, at := range v.Fields() {
			if field.IsExported() {
				exported++
				dump(add, at, path+"."+field.Name)
			}
		}
		if exported == 0 {
			dumpMethods(add, v, path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			dump(add, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			dump(add, value, fmt.Sprintf("%s[%v]", path, key))
		}
	default:
		add(path, fmt.Sprintf("%#v", v.Interface()))
	}
}

// dumpMethods adds what the methods of a value without exported fields return.
func dumpMethods(add func(path, value string), v reflect.Value, path string) {
	at := reflect.New(v.Type())
	at.Elem().Set(v)
	for method, of := range at.Methods() {
		if of.Type().NumIn() > 0 || of.Type().NumOut() > 0 && of.Type().Out(0) == v.Type() || slices.Contains([]string{"Reveal", "Raw", "MarshalJSON", "MarshalText", "LogValue", "String", "GoString", "SplitGeoJSON", "ByType", "Currencies"}, method.Name) {
			continue
		}
		for i, result := range of.Call(nil) {
			dump(add, result, fmt.Sprintf("%s.%s()%s", path, method.Name, map[bool]string{true: fmt.Sprint(i)}[i > 0]))
		}
	}
}

// leafText returns the text of a value that is not dumped by its fields, "" for a zero one.
func leafText(v reflect.Value) (text string, leaf bool) {
	name := v.Type().Name()
	switch value := v.Interface().(type) {
	case terminal49.Time, terminal49.Date, decimal.Decimal, time.Time, json.RawMessage, terminal49.CustomFieldValue:
		if z, ok := value.(interface{ IsZero() bool }); ok && z.IsZero() {
			return "", true
		}
		data, err := json.Marshal(value)
		return string(data) + map[bool]string{true: fmt.Sprint(err)}[err != nil], true
	}
	if strings.HasPrefix(name, "Opt[") || strings.HasPrefix(name, "ToOne[") || strings.HasPrefix(name, "ToMany[") {
		if v.IsZero() {
			return "", true
		}
		data, err := json.Marshal(v.Interface())
		return string(data) + map[bool]string{true: fmt.Sprint(err)}[err != nil], true
	}
	return "", false
}
