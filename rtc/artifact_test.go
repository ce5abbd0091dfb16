package rtc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
)

// Machine code runs on its own capability and on later ones of its generation;
// elsewhere the driver compiles the PTX.
func TestImageForDevice(t *testing.T) {
	for _, c := range []struct {
		arch   string // "": not known
		device int
		cubin  bool
	}{
		{"sm_80", 80, true},
		{"sm_80", 86, true},
		{"sm_80", 90, false},
		{"sm_86", 80, false},
		{"sm_90a", 90, true},
		{"sm_100a", 103, false},
		{"sm_100", 103, true},
		{"sm_120", 100, false},
		{"", 70, true},
	} {
		a := &artifact{ptx: "ptx", cubin: []byte("cubin")}
		if c.arch != "" {
			var err error
			a.arch, err = nvrtc.ParseArch(c.arch)
			require.NoError(t, err)
		}
		dev := &Device{major: c.device / 10, minor: c.device % 10}
		want := map[bool]string{true: "cubin", false: "ptx"}[c.cubin]
		assert.Equal(t, want, string(a.image(dev)), "%s on %d", c.arch, c.device)
		a.ptx = ""
		assert.Equal(t, "cubin", string(a.image(dev)), "there is nothing else")
	}
	assert.Equal(t, "ptx", string((&artifact{ptx: "ptx"}).image(&Device{})))
	assert.Equal(t, "ptx", string((&artifact{ptx: "ptx", cubin: []byte("object"), relocatable: true}).image(&Device{})))
}

func TestRelocatable(t *testing.T) {
	for _, c := range []struct {
		options []string
		want    bool
	}{
		{nil, false},
		{[]string{"-rdc=true"}, true},
		{[]string{"-rdc", "true"}, true},
		{[]string{"--relocatable-device-code=false"}, false},
		{[]string{"-dc"}, true},
		{[]string{"-I", "-dc"}, false},
	} {
		assert.Equal(t, c.want, relocatable(nvrtc.ParseOptions(c.options)), c.options)
	}
}
