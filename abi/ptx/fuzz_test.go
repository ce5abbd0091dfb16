package ptx_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// strip zeroes the line numbers below v, so that trees of differently laid out texts compare equal.
func strip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			strip(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Line", "End":
				v.Field(i).SetInt(0)
			default:
				strip(v.Field(i))
			}
		}
	}
}

// roundTrip checks what Print promises.
func roundTrip(t *testing.T, text string) {
	m, err := ptx.Parse(text)
	if err != nil {
		var syntax *ptx.SyntaxError
		require.ErrorAs(t, err, &syntax)
		require.Nil(t, m)
		lines := strings.Split(text, "\n")
		require.True(t, syntax.Line >= 1 && syntax.Line <= len(lines), "line %d of %d", syntax.Line, len(lines))
		require.True(t, syntax.Column >= 1 && syntax.Column <= len(lines[syntax.Line-1])+1, "column %d", syntax.Column)
		return
	}
	printed := m.Print()
	again, err := ptx.Parse(printed)
	if err != nil {
		if strings.Contains(err.Error(), "bytes of text") && errors.As(err, new(*ptx.SyntaxError)) {
			return
		}
		require.NoError(t, err, "%s", printed)
	}
	require.Equal(t, printed, again.Print(), "not canonical")
	strip(reflect.ValueOf(m))
	strip(reflect.ValueOf(again))
	if !reflect.DeepEqual(m, again) {
		require.Equal(t, m, again, "%s", printed)
	}
	for _, k := range m.Entries() {
		end := int64(0)
		for i := range k.Params {
			p := &k.Params[i]
			require.Zero(t, p.Offset%int64(p.Align()))
			require.GreaterOrEqual(t, p.Offset, end)
			end = p.Offset + p.Size()
		}
		require.Equal(t, end, k.ParamBytes())
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range corpus(f) {
		if len(s.text) < 2500 && s.archive == "nvrtc-12.4-compute_90a" {
			f.Add(s.text)
		}
	}
	for _, s := range features {
		f.Add(s.text())
	}
	for _, e := range constantExpressions {
		f.Add(head + ".global .u64 v = " + e + ";\n")
	}
	for _, e := range syntaxErrors {
		f.Add(e.text)
	}
	f.Fuzz(roundTrip)
}
