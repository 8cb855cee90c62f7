package report

import (
	"reflect"
	"time"
)

var timeType = reflect.TypeFor[time.Time]()

// mapStrings gives a deep copy of v in which f was applied to every string. Strings of a named type (verdicts, codes,
// tiers) are words of ours and stay as they are, as do the keys of maps. A new field of a result is covered by itself.
func mapStrings[T any](v T, f func(string) string) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	copyMapped(out, reflect.ValueOf(&v).Elem(), f)
	return out.Interface().(T)
}

func copyMapped(dst, src reflect.Value, f func(string) string) {
	switch src.Kind() {
	case reflect.String:
		if src.Type() == reflect.TypeFor[string]() {
			dst.SetString(f(src.String()))
			return
		}
		dst.Set(src)
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			copyMapped(dst.Elem(), src.Elem(), f)
		}
	case reflect.Slice:
		if !src.IsNil() {
			dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
			for i := range src.Len() {
				copyMapped(dst.Index(i), src.Index(i), f)
			}
		}
	case reflect.Map:
		if !src.IsNil() {
			dst.Set(reflect.MakeMapWithSize(src.Type(), src.Len()))
			for k, v := range src.Seq2() {
				mapped := reflect.New(src.Type().Elem()).Elem()
				copyMapped(mapped, v, f)
				dst.SetMapIndex(k, mapped)
			}
		}
	case reflect.Struct:
		if src.Type() == timeType {
			dst.Set(src)
			return
		}
		for i := range src.NumField() {
			copyMapped(dst.Field(i), src.Field(i), f)
		}
	default:
		dst.Set(src)
	}
}
