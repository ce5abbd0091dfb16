package nvrtctest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// An NVRTC whose compiles end as the test wants.
func Example() {
	fake := nvrtctest.New(nvrtctest.Config{
		Version: dl.Version{Major: 11, Minor: 8},
		Compile: func(c *nvrtctest.Compile) {
			c.Result, c.Log = nvrtc.Compilation, c.Name+"(3): error: expected a \";\"\n"
		},
	})
	compiler, err := nvrtc.Bind(fake)
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := compiler.NewProgram("…", nvrtc.ProgramConfig{Name: "k.cu"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer program.Close()
	fmt.Println(program.Compile(context.Background(), "-w"))
	fmt.Println(fake.Compiles()[0].Options, fake.Live())
	// Output:
	// nvrtc: compile: k.cu(3): error: expected a ";"
	// [-w] 1
}

// failures is a test that Check fails.
type failures []string

func (f *failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	*f = append(*f, fmt.Sprintf(format, args...))
}

func call(t *testing.T, n *nvrtctest.NVRTC, symbol string, args ...uintptr) nvrtc.Result {
	f, err := n.Lookup(symbol)
	require.NoError(t, err)
	return nvrtc.Result(f.Call(args...))
}

func TestMisuseIsSeen(t *testing.T) {
	n := nvrtctest.New(nvrtctest.Config{})
	handle, empty := new(uintptr), []byte{0}
	text := uintptr(unsafe.Pointer(&empty[0]))
	at := uintptr(unsafe.Pointer(handle))
	require.Equal(t, nvrtc.Success, call(t, n, "nvrtcCreateProgram", at, text, text, 0, 0, 0))
	var f failures
	n.Check(&f)
	assert.Equal(t, failures{"nvrtctest: 1 programs were not closed"}, f)
	gone := *handle
	require.Equal(t, nvrtc.Success, call(t, n, "nvrtcDestroyProgram", at))
	assert.Zero(t, *handle)
	assert.Equal(t, nvrtc.InvalidProgram, call(t, n, "nvrtcCompileProgram", gone, 0, 0))
	assert.Equal(t, nvrtc.InvalidProgram, call(t, n, "nvrtcDestroyProgram", uintptr(unsafe.Pointer(&gone))))
	f = nil
	n.Check(&f)
	assert.Equal(t, failures{"nvrtctest: nvrtcCompileProgram of a program that is not there", "nvrtctest: nvrtcDestroyProgram of a program that is not there"}, f)
	assert.Equal(t, nvrtc.InvalidInput, call(t, n, "nvrtcCreateProgram", at, 0, text, 0, 0, 0))
}

func TestCallbackMustHoldToItsWord(t *testing.T) {
	answers := []uintptr{1, 0}
	callback := dl.NewCallback(2, func([]uintptr) uintptr {
		a := answers[0]
		answers = answers[1:]
		return a
	})
	n := nvrtctest.New(nvrtctest.Config{Compile: func(c *nvrtctest.Compile) { c.Stopped() }})
	handle, empty := new(uintptr), []byte{0}
	text := uintptr(unsafe.Pointer(&empty[0]))
	require.Equal(t, nvrtc.Success, call(t, n, "nvrtcCreateProgram", uintptr(unsafe.Pointer(handle)), text, text, 0, 0, 0))
	f, err := n.Lookup("nvrtcSetFlowCallback")
	require.NoError(t, err)
	word, err := callback.For(&f)
	require.NoError(t, err)
	require.Equal(t, nvrtc.Success, nvrtc.Result(f.Call(*handle, word, 0)))
	call(t, n, "nvrtcCompileProgram", *handle, 0, 0)
	assert.Equal(t, []string{"a flow callback that had said stop said go on"}, n.Misuses())
}

func TestLookup(t *testing.T) {
	n := nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 12}, Lacks: []string{"nvrtcGetPTX"}, Path: "/here"})
	for _, symbol := range []string{"nvrtcGetPTX", "nvrtcSetFlowCallback", "nvrtcNoSuchThing"} {
		_, err := n.Lookup(symbol)
		assert.ErrorIs(t, err, dl.ErrNoSymbol)
		var missing *dl.SymbolError
		require.True(t, errors.As(err, &missing))
		assert.Equal(t, "/here", missing.Path)
	}
}

func TestLower(t *testing.T) {
	for export, want := range map[string]string{"k": "k", "&cc": "cc", "one<float>": "_Z3oneIfE", "two< int , __half >": "_Z3twoIi6__halfE", "v<My>": "_Z1vI2MyE"} {
		assert.Equal(t, want, nvrtctest.Lower(export))
	}
}
