package dl

// A Spec says what a library is called, version by version and platform by
// platform, and where it is looked for. The zero Spec finds nothing.
//
// Safe for concurrent use.
type Spec struct {
	title    string   // what people call it
	variable string   // the environment variable that names its file or folder
	linux    naming   // lib….so.N
	windows  naming   // ….dll
	wheels   []string // its folders below site-packages, on Linux
	wheelsW  []string // the same on Windows
	driver   bool     // it belongs to the driver: toolkits and wheels have only stand-ins
	beside   string   // the stem of the library that it opens by bare name, on Linux
	besideW  string   // the same on Windows
	install  install
}

// The libraries that purecuda uses.
var (
	// NVRTC is the compiler from CUDA C++ to PTX and machine code.
	NVRTC = Spec{
		title:    "NVRTC",
		variable: "PURECUDA_NVRTC",
		linux:    naming{stem: "libnvrtc", names: nvrtcLinux},
		windows:  naming{stem: "nvrtc64", names: nvrtcWindows},
		wheels:   []string{"nvidia/cu[0-9]*/lib", "nvidia/cuda_nvrtc/lib"},
		wheelsW:  []string{`nvidia\cu[0-9]*\bin\x86_64`, `nvidia\cu[0-9]*\bin\x64`, `nvidia\cu[0-9]*\bin`, `nvidia\cuda_nvrtc\bin`},
		beside:   "libnvrtc-builtins",
		besideW:  "nvrtc-builtins64",
		install: install{
			debian:  "libnvrtc12 or libnvrtc11.2 (non-free), or nvidia-cuda-toolkit",
			wheel:   "nvidia-cuda-nvrtc (CUDA 13) or nvidia-cuda-nvrtc-cu12",
			windows: "the CUDA toolkit",
		},
	}
	// CUDA is the driver API: libcuda.so.1, nvcuda.dll.
	CUDA = Spec{
		title:    "the CUDA driver",
		variable: "PURECUDA_CUDA",
		linux:    naming{stem: "libcuda", names: func() []string { return []string{"libcuda.so.1"} }},
		windows:  naming{stem: "nvcuda", names: func() []string { return []string{"nvcuda.dll"} }},
		driver:   true,
		install: install{
			debian:  "libcuda1 (non-free), together with the NVIDIA driver",
			windows: "the NVIDIA driver",
		},
	}
	// NVJitLink links PTX, cubins and LTO IR.
	NVJitLink = Spec{
		title:    "nvJitLink",
		variable: "PURECUDA_NVJITLINK",
		linux:    naming{stem: "libnvJitLink", names: nvJitLinkLinux},
		windows:  naming{stem: "nvJitLink", names: nvJitLinkWindows},
		wheels:   []string{"nvidia/cu[0-9]*/lib", "nvidia/nvjitlink/lib"},
		wheelsW:  []string{`nvidia\cu[0-9]*\bin\x86_64`, `nvidia\cu[0-9]*\bin\x64`, `nvidia\cu[0-9]*\bin`, `nvidia\nvjitlink\bin`},
		install: install{
			debian:  "libnvjitlink12 (non-free)",
			wheel:   "nvidia-nvjitlink (CUDA 13) or nvidia-nvjitlink-cu12",
			windows: "the CUDA toolkit, 12.0 or later",
		},
	}
)

// String is what people call the library.
func (s Spec) String() string { return s.title }

// Variable is the environment variable that names the library's file or the
// folder it lies in.
func (s Spec) Variable() string { return s.variable }
