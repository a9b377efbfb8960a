package state

import (
	"reflect"
	"slices"
)

// Copy returns a table for reading that later changes do not affect.
func (t *Table[T]) Copy() Table[T] {
	c := Table[T]{Rows: make(map[string]*T, len(t.Rows)), Order: slices.Clone(t.Order), Made: t.Made,
		Changed: slices.Clone(t.Changed), Removed: slices.Clone(t.Removed)}
	for id, row := range t.Rows {
		if row == nil {
			c.Rows[id] = nil // a removed one
			continue
		}
		own := *row
		detach(reflect.ValueOf(&own).Elem())
		c.Rows[id] = &own
	}
	return c
}

// detach copies what a value refers to and a test could change in place. Bytes are files, which do
// not change.
func detach(v reflect.Value) {
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			detach(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
		}
	case reflect.Slice:
		detachSlice(v)
	case reflect.Map:
		detachMap(v)
	}
}

func detachSlice(v reflect.Value) {
	if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
		return
	}
	own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(own, v)
	v.Set(own)
	for i := range own.Len() {
		detach(own.Index(i))
	}
}

func detachMap(v reflect.Value) {
	if v.IsNil() {
		return
	}
	own := reflect.MakeMapWithSize(v.Type(), v.Len())
	for _, key := range v.MapKeys() {
		own.SetMapIndex(key, v.MapIndex(key))
	}
	v.Set(own)
}
