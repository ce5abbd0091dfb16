package main

// A layer is a folder with all below it, but for folders that are layers of their own.
type layer struct {
	path    string   // below the module's root
	uses    []string // other layers its packages may import; "*" is every layer
	modules []string // other modules its packages may import
	unsafe  []string // files (patterns) that may import unsafe besides generated and test files
	never   []string // layers it must not reach even through others
}

const (
	purego   = "github.com/ebitengine/purego"
	demangle = "github.com/ianlancetaylor/demangle"
	testify  = "github.com/stretchr/testify"
	toml     = "github.com/pelletier/go-toml/v2"
	redis    = "github.com/redis/go-redis/v9"
)

// layers is the order of the library, lowest first. Imports point down only.
var layers = []layer{
	{path: "dl", modules: []string{purego}, unsafe: []string{"*.go"}},
	{path: "dl/mkapi"},
	{path: "abi/ptx"},
	{path: "abi", uses: []string{"abi/ptx"}, modules: []string{demangle}, unsafe: []string{"buffer.go", "structplan.go"}},
	{path: "nvrtc", uses: []string{"dl"}},
	{path: "nvrtc/nvrtctest", uses: []string{"dl", "nvrtc"}, unsafe: []string{"*.go"}},
	{path: "driver", uses: []string{"dl"}, unsafe: []string{"launch.go", "words.go"}},
	{path: "driver/jitlink", uses: []string{"dl"}, unsafe: []string{"words.go"}},
	{path: "driver/internal/callee", unsafe: []string{"words.go"}},
	{path: "driver/drivertest", uses: []string{"dl", "driver", "driver/internal/callee"}, unsafe: []string{"*.go"}},
	{path: "driver/sim", uses: []string{"dl", "driver", "driver/internal/callee", "abi/ptx"}, unsafe: []string{"entry*.go", "atomic*.go", "gpu.go"}},

	{path: "rtc/child/jail", unsafe: []string{"landlock_linux.go", "privileges_linux.go", "seccomp_linux.go"}},
	{path: "rtc/child", uses: []string{"rtc/child/jail"}, unsafe: []string{"limits_linux.go", "job_windows.go"}},
	{path: "rtc/cache"},
	// A module of its own, as is the command: only who imports it has Redis in the build.
	{path: "rtc/cache/rediscache", uses: []string{"rtc/cache"}, modules: []string{redis}},
	// A compile worker never loads libcuda.
	{path: "rtc/compile", uses: []string{"dl", "nvrtc", "abi", "abi/ptx", "rtc/cache", "rtc/child", "rtc/child/jail"}, never: []string{"driver"}},
	// Only who imports it has a TOML parser in the build.
	{path: "rtc/compile/settings", uses: []string{"dl", "rtc/cache", "rtc/compile"}, modules: []string{toml}},
	{path: "rtc", uses: []string{"dl", "nvrtc", "driver", "driver/sim", "abi", "abi/ptx", "rtc/cache", "rtc/compile"},
		unsafe: []string{"copy.go"}}, // the bytes of a []T, seen in one place
	{path: "rtc/graph", uses: []string{"dl", "driver", "abi", "abi/ptx", "rtc"}},
	{path: "rtc/diag", uses: []string{"dl", "nvrtc", "driver", "driver/sim", "abi", "abi/ptx", "rtc", "rtc/cache", "rtc/compile", "rtc/graph"}},
	{path: "rtc/plugin", uses: []string{"dl", "nvrtc", "driver", "abi", "abi/ptx", "rtc", "rtc/cache", "rtc/child", "rtc/child/jail", "rtc/compile", "rtc/diag", "rtc/graph"}},

	{path: "rtc/cmd/purecuda", uses: []string{"*"}, modules: []string{redis}},
	{path: "examples", uses: []string{"*"}},
	{path: "ci", uses: []string{"*"}},
	// A module of its own: a bare GET of Redis is measured beside the cache's.
	{path: "ci/benchmark", uses: []string{"*"}, modules: []string{redis}},
}

// Test files may import every layer, testify and unsafe.
var testModules = []string{testify}
