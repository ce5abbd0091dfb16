package rtc

import (
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

// chooseTarget picks the architecture to compile for:
//
//   - a device that the compiler knows: its own machine code, sm_XY, where the
//     compiler can make it (CUDA 11.1), else PTX for it;
//   - a device that is newer than the compiler: PTX for the newest
//     architecture that the compiler knows, which the driver goes on to compile;
//   - a simulated device, which runs PTX alone: PTX of its capability or the
//     nearest below;
//   - no device: the newest PTX.
//
// A device older than all that the compiler knows is an error.
func chooseTarget(c *nvrtc.Compiler, dev *Device) (nvrtc.Arch, error) {
	known := c.KnownArchs()
	if len(known) == 0 {
		return nvrtc.Arch{}, fmt.Errorf("%s (CUDA %v) lists no architecture", c.Path(), c.Version())
	}
	newest := known[len(known)-1]
	if dev == nil {
		return newest, nil
	}
	// What a device runs: PTX of its own capability or any lower one.
	device := nvrtc.Virtual(dev.major, dev.minor)
	best := nvrtc.Arch{}
	for _, a := range known {
		if a.Number() <= device.Number() {
			best = a
		}
	}
	if best.IsZero() {
		return best, fmt.Errorf("%v is too old for this NVRTC: %s (CUDA %v) compiles for %s", dev, c.Path(), c.Version(), archList(known))
	}
	if best == device && c.Features().CUBIN && !dev.Simulated() {
		return nvrtc.Real(dev.major, dev.minor), nil
	}
	return best, nil
}

func archList(archs []nvrtc.Arch) string {
	s := ""
	for i, a := range archs {
		if i > 0 {
			s += ", "
		}
		s += a.String()
	}
	return s
}

// userTarget is the architecture that options ask for, if they do.
func userTarget(c *nvrtc.Compiler, options nvrtc.OptionList) (arch nvrtc.Arch, given bool, err error) {
	asked, given := options.Find("--gpu-architecture")
	if !given {
		return nvrtc.Arch{}, false, nil
	}
	arch, ok := options.Arch()
	if !ok {
		return nvrtc.Arch{}, true, nil // NVRTC has the words for it
	}
	if arch.Kind == nvrtc.RealArch && !c.Features().CUBIN {
		virtual := arch
		virtual.Kind = nvrtc.VirtualArch
		return arch, true, fmt.Errorf("options[%d], %s, asks for machine code: write %s instead: %w", asked.Index, arch, virtual,
			&dl.UnsupportedError{Feature: "SASS (" + arch.String() + ")", Since: dl.Version{Major: 11, Minor: 1}, Have: c.Version(), Path: c.Path()})
	}
	return arch, true, nil
}

// defaultStd is the C++ dialect that goes with a compiler, since NVRTC 11's own
// is C++03.
func defaultStd(v dl.Version) string {
	switch {
	case v.AtLeast(11, 0):
		return "c++17"
	case v.AtLeast(9, 0):
		return "c++14"
	}
	return "c++11"
}

// dangling finds an option at the end that lacks its value: what is put behind
// would be taken for it.
func dangling(options []string) error {
	given := nvrtc.ParseOptions(append(slices.Clone(options), "x"))
	if n := len(given); n > 0 && len(given[n-1].Args) == 2 {
		return fmt.Errorf("options[%d], %q, has no value", given[n-1].Index, given[n-1].Args[0])
	}
	return nil
}

// withDefaults is the user's options and, where they leave it open, behind
// them: the architecture, the C++ dialect, and the folders, which are those of
// the headers that belong to this NVRTC. It is all that this package adds to what NVRTC is told.
func withDefaults(c *nvrtc.Compiler, options []string, arch nvrtc.Arch, folders []string) []string {
	given := nvrtc.ParseOptions(options)
	all := slices.Clone(options)
	if _, ok := given.Find("--gpu-architecture"); !ok {
		all = append(all, "--gpu-architecture="+arch.String())
	}
	if _, ok := given.Find("--std"); !ok {
		all = append(all, "--std="+defaultStd(c.Version()))
	}
	for _, f := range folders {
		all = append(all, "--include-path="+f)
	}
	return all
}

// CompileOptions is what MXNet's mx.util.get_rtc_compile_opts gives for a
// device: one option, the architecture that NewModule would choose for it. For
// an H200 and a current NVRTC that is "--gpu-architecture=sm_90": machine code.
// It is compute_XY, PTX, if NVRTC is older than CUDA 11.1, and that of the
// newest architecture it knows if the device is newer; for a simulated device
// it is always compute_XY. NVRTC is the machine's,
// as for a ModuleConfig without Compiler. A device older than all that it
// compiles for is an error. NewModule needs none of this: what its options
// leave open it chooses in the same way.
func CompileOptions(dev *Device) ([]string, error) {
	if err := dev.use(); err != nil {
		return nil, fmt.Errorf("rtc: compile options: %w", err)
	}
	c, err := machineCompiler.get()
	if err != nil {
		return nil, fmt.Errorf("rtc: compile options: %w", err)
	}
	arch, err := chooseTarget(c, dev)
	if err != nil {
		return nil, fmt.Errorf("rtc: compile options: %w", err)
	}
	return []string{"--gpu-architecture=" + arch.String()}, nil
}
