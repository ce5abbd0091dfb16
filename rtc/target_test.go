package rtc

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

func playing(t *testing.T, major, minor int, archs ...int) *nvrtc.Compiler {
	t.Helper()
	fake := nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: major, Minor: minor}, Archs: archs})
	c, err := nvrtc.Bind(fake)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, c.Close())
		fake.Check(t)
	})
	return c
}

func TestChooseTarget(t *testing.T) {
	for _, c := range []struct {
		name         string
		nvrtc        [2]int
		archs        []int
		device       int // 0: none
		want, refuse string
	}{
		{name: "its own machine code", nvrtc: [2]int{12, 4}, device: 90, want: "sm_90"},
		{name: "three digits", nvrtc: [2]int{12, 8}, device: 120, want: "sm_120"},
		{name: "before 11.1 there is none", nvrtc: [2]int{11, 0}, device: 80, want: "compute_80"},
		{name: "from 11.1 there is", nvrtc: [2]int{11, 1}, device: 80, want: "sm_80"},
		{name: "8.0", nvrtc: [2]int{8, 0}, device: 61, want: "compute_61"},
		{name: "a device newer than the compiler", nvrtc: [2]int{11, 1}, device: 90, want: "compute_86"},
		{name: "much newer", nvrtc: [2]int{7, 0}, device: 120, want: "compute_53"},
		{name: "between", nvrtc: [2]int{12, 4}, archs: []int{80, 86, 90}, device: 87, want: "compute_86"},
		{name: "older than all", nvrtc: [2]int{13, 3}, device: 70, refuse: "compute capability 7.0) is too old for this NVRTC: /nvrtctest/libnvrtc.so.13.3 (CUDA 13.3) compiles for compute_75,"},
		{name: "no device", nvrtc: [2]int{12, 4}, archs: []int{90, 52, 80}, want: "compute_90"},
		{name: "no device, before it can be asked", nvrtc: [2]int{10, 2}, want: "compute_75"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dev *Device
			if c.device != 0 {
				dev = &Device{major: c.device / 10, minor: c.device % 10, name: "GPU"}
			}
			got, err := chooseTarget(playing(t, c.nvrtc[0], c.nvrtc[1], c.archs...), dev)
			if c.refuse != "" {
				assert.ErrorContains(t, err, c.refuse)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got.String())
		})
	}
}

func TestUserTarget(t *testing.T) {
	for _, c := range []struct {
		options []string
		want    string // "": none given
	}{
		{nil, ""},
		{[]string{"-I", "-arch=sm_70"}, ""}, // a folder of that name
		{[]string{"-Ifolder/-arch=sm_70", "-Darch=sm_70"}, ""},
		{[]string{"-arch=sm_70"}, "sm_70"},
		{[]string{"--gpu-architecture=compute_70"}, "compute_70"},
		{[]string{"-G", "-arch", "sm_70"}, "sm_70"},
		{[]string{"--gpu-architecture", " sm_70 "}, "sm_70"},
		{[]string{"  -arch=sm_90a\t"}, "sm_90a"},
		{[]string{"-arch=compute_100f"}, "compute_100f"},
	} {
		got, given, err := userTarget(playing(t, 12, 4), nvrtc.ParseOptions(c.options))
		require.NoError(t, err, c.options)
		assert.Equal(t, c.want != "", given, c.options)
		assert.Equal(t, c.want, got.String(), c.options)
	}
	for _, options := range [][]string{{"-lineinfo", "-arch=sm_70"}, {"-lineinfo", "-arch", "sm_70"}, {"-lineinfo", " --gpu-architecture=sm_70 "}} {
		for _, v := range [][2]int{{7, 0}, {7, 5}, {8, 0}, {10, 2}, {11, 0}} {
			_, _, err := userTarget(playing(t, v[0], v[1]), nvrtc.ParseOptions(options))
			var u *dl.UnsupportedError
			require.ErrorAs(t, err, &u)
			assert.Equal(t, dl.Version{Major: 11, Minor: 1}, u.Since)
			assert.Equal(t, dl.Version{Major: v[0], Minor: v[1]}, u.Have)
			assert.ErrorIs(t, err, errors.ErrUnsupported)
			assert.ErrorContains(t, err, "options[1], sm_70, asks for machine code: write compute_70 instead: SASS (sm_70) needs CUDA 11.1; ")
		}
	}
}

func TestWithDefaults(t *testing.T) {
	for _, c := range []struct {
		nvrtc [2]int
		given []string
		want  []string
	}{
		{[2]int{12, 4}, nil, []string{"--gpu-architecture=sm_90", "--std=c++17"}},
		{[2]int{11, 0}, nil, []string{"--gpu-architecture=sm_90", "--std=c++17"}},
		{[2]int{10, 2}, nil, []string{"--gpu-architecture=sm_90", "--std=c++14"}},
		{[2]int{9, 0}, nil, []string{"--gpu-architecture=sm_90", "--std=c++14"}},
		{[2]int{8, 0}, nil, []string{"--gpu-architecture=sm_90", "--std=c++11"}},
		{[2]int{12, 4}, []string{"-std=c++20"}, []string{"-std=c++20", "--gpu-architecture=sm_90"}},
		{[2]int{12, 4}, []string{" --std=c++20", "-arch", "sm_80"}, []string{" --std=c++20", "-arch", "sm_80"}},
		{[2]int{12, 4}, []string{"-Dstd=x", "-I", "-std=c++20"}, []string{"-Dstd=x", "-I", "-std=c++20", "--gpu-architecture=sm_90", "--std=c++17"}},
	} {
		given := slices.Clone(c.given)
		got := withDefaults(playing(t, c.nvrtc[0], c.nvrtc[1]), c.given, nvrtc.Real(9, 0), []string{"/a b"})
		assert.Equal(t, append(slices.Clone(c.want), "--include-path=/a b"), got, "%v", c.given)
		assert.Equal(t, given, c.given, "the caller's are as they were")
	}
}

func TestDangling(t *testing.T) {
	for _, options := range [][]string{nil, {"-G"}, {"-arch=sm_80"}, {"-arch", "sm_80"}, {"-I", "dir"}, {"-Idir"}, {"-std="}, {"what"}, {""}, {"-I", "-I"}} {
		assert.NoError(t, dangling(options), options)
	}
	for _, options := range [][]string{{"-G", "-I"}, {"-G", " -arch "}, {"-G", "--define-macro"}, {"-D"}} {
		assert.ErrorContains(t, dangling(options), "has no value", options)
	}
	assert.EqualError(t, dangling([]string{"-G", "-I"}), `options[1], "-I", has no value`)
}
