package rtc_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// TestNilAndZero calls every method on nil and on the zero value: none panics, and the errors don't call the zero value nil.
func TestNilAndZero(t *testing.T) {
	type none = []reflect.Value
	ctx := reflect.TypeFor[context.Context]()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[*rtc.Array](), reflect.TypeFor[*rtc.Device](), reflect.TypeFor[*rtc.Event](), reflect.TypeFor[*rtc.HostBuffer[int32]](),
		reflect.TypeFor[*rtc.Kernel](), reflect.TypeFor[*rtc.Prepared](),
		reflect.TypeFor[*rtc.Module](), reflect.TypeFor[*rtc.Scope](), reflect.TypeFor[*rtc.Stream](), reflect.TypeFor[*rtc.Work](), reflect.TypeFor[*rtc.Rtc](),
	} {
		for name, v := range map[string]reflect.Value{"nil": reflect.Zero(typ), "zero": reflect.New(typ.Elem())} {
			for i := range typ.NumMethod() {
				m := typ.Method(i)
				in, given := none{v}, true
				for j := 1; j < m.Type.NumIn() && !(m.Type.IsVariadic() && j == m.Type.NumIn()-1); j++ {
					if m.Type.In(j) == ctx {
						in = append(in, reflect.ValueOf(t.Context()))
					} else {
						in = append(in, reflect.Zero(m.Type.In(j)))
						given = given && in[j].Kind() != reflect.Pointer && in[j].Kind() != reflect.Interface
					}
				}
				var out none
				if !assert.NotPanics(t, func() { out = m.Func.Call(in) }, "%s %v: %s", name, typ, m.Name) {
					continue
				}
				for _, o := range out {
					if err, ok := o.Interface().(error); ok && name == "zero" && given {
						assert.NotContains(t, err.Error(), "is nil", "%v: %s", typ, m.Name)
					}
				}
			}
		}
	}
}

// TestZeroAtWork: zero values of Module and Driver are refused where all else is right.
func TestZeroAtWork(t *testing.T) {
	dev := simulated(t)
	none := new(rtc.Module)
	_, err := none.Global(dev, "x", rtc.Int32, 1)
	require.ErrorContains(t, err, "the module was not made by NewModule or LoadModule")
	require.ErrorContains(t, none.Preload(t.Context(), dev), "the module was not made by NewModule or LoadModule")
	_, err = none.Kernel("k", "")
	require.ErrorContains(t, err, "the module was not made by NewModule or LoadModule")
	require.NoError(t, none.Close())
	_, err = rtc.OpenWith(rtc.OpenConfig{Driver: new(driver.Driver)})
	require.EqualError(t, err, "rtc: open device 0: driver: device 0: the Driver was not made by Open or Bind")
}

func TestHealthOfClosed(t *testing.T) {
	dev := simulated(t)
	require.NoError(t, dev.Health())
	require.NoError(t, dev.Close())
	require.ErrorIs(t, dev.Health(), rtc.ErrClosed)
	require.EqualError(t, dev.Health(), "rtc: health: device 0 is closed")
	require.EqualError(t, (*rtc.Device)(nil).Health(), "rtc: health: the device is nil")
	require.EqualError(t, new(rtc.Device).Health(), "rtc: health: the Device was not made by this package")
}

// TestNilWork: what is wrong is told, with a stream that is right.
func TestNilWork(t *testing.T) {
	s := simulated(t).Stream()
	require.EqualError(t, (*rtc.Work)(nil).Enqueue(s, nil), "rtc: enqueue work: the work is nil")
	require.EqualError(t, new(rtc.Work).Enqueue(s, nil), "rtc: enqueue work: the Work was not made by this package")
	w, err := rtc.NewWork(s.Device(), nil, nil)
	require.NoError(t, err)
	require.EqualError(t, w.Enqueue(s, nil), "rtc: enqueue work: the function is nil")
	require.ErrorContains(t, s.Copy(new(rtc.HostBuffer[int32]), new(rtc.Array)), "rtc: copy: the HostBuffer was not made by this package")
	require.EqualError(t, s.Copy((*rtc.Array)(nil), (*rtc.Array)(nil)), "rtc: copy: the array is nil")
}

func TestZeroStreamAtLaunch(t *testing.T) {
	dev := simulated(t)
	none := kernel(t, kernels(t), "none", "")
	run, err := none.Prepare(dev, rtc.Dim(1), rtc.Dim(1), 0)
	require.NoError(t, err)
	for s, why := range map[*rtc.Stream]string{nil: "the stream is nil", {}: "the Stream was not made by this package"} {
		require.EqualError(t, none.Enqueue(s, rtc.Dim(1), rtc.Dim(1), 0), "rtc: enqueue none: "+why)
		require.EqualError(t, run.Enqueue(s), "rtc: enqueue none: "+why)
	}
}
