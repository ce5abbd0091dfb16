package driver

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/dl"
)

// A jitOption is a CUjit_option.
type jitOption int32

const (
	jitMaxRegisters      jitOption = 0  // CU_JIT_MAX_REGISTERS
	jitInfoLogBuffer     jitOption = 3  // CU_JIT_INFO_LOG_BUFFER
	jitInfoLogBufferSize jitOption = 4  // CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES
	jitErrorBuffer       jitOption = 5  // CU_JIT_ERROR_LOG_BUFFER
	jitErrorBufferSize   jitOption = 6  // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
	jitOptimization      jitOption = 7  // CU_JIT_OPTIMIZATION_LEVEL
	jitDebugInfo         jitOption = 11 // CU_JIT_GENERATE_DEBUG_INFO
	jitLogVerbose        jitOption = 12 // CU_JIT_LOG_VERBOSE
	jitLineInfo          jitOption = 13 // CU_JIT_GENERATE_LINE_INFO
)

// A LoadConfig says how PTX is compiled when it is loaded or linked. The zero
// value is the driver's defaults. It makes no difference to a cubin.
//
// Safe for concurrent use after it is made; its fields must not change.
type LoadConfig struct {
	MaxRegisters int  // the most registers of a thread; 0: as many as it wants
	Unoptimized  bool // optimisation level 0 rather than 4
	DebugInfo    bool // for cuda-gdb; also turns optimisation off
	LineInfo     bool // line numbers, for profilers
	Verbose      bool // say more in the log: registers and memory of each kernel
}

const jitLogSize = 16 << 10

// A jitRun is one compilation of PTX by the driver, with its two logs.
type jitRun struct {
	options     jitOptions
	info, error []byte
}

func (c *LoadConfig) run() *jitRun {
	r := &jitRun{}
	r.info = r.options.buffer(jitInfoLogBuffer, jitInfoLogBufferSize, jitLogSize)
	r.error = r.options.buffer(jitErrorBuffer, jitErrorBufferSize, jitLogSize)
	if c.MaxRegisters > 0 {
		r.options.add(jitMaxRegisters, uintptr(c.MaxRegisters))
	}
	if c.Unoptimized {
		r.options.add(jitOptimization, 0)
	}
	for _, o := range []struct {
		on     bool
		option jitOption
	}{{c.DebugInfo, jitDebugInfo}, {c.LineInfo, jitLineInfo}, {c.Verbose, jitLogVerbose}} {
		if o.on {
			r.options.add(o.option, 1)
		}
	}
	return r
}

// log is the driver's messages, those about errors first.
func (r *jitRun) log() string {
	var parts []string
	for _, b := range [][]byte{r.error, r.info} {
		if s := strings.TrimSpace(cstring(b)); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

var (
	ptxVersionLine = regexp.MustCompile(`(?m)^\s*\.version\s+(\d+)\.(\d+)`)
	ptxTargetLine  = regexp.MustCompile(`(?m)^\s*\.target\s+(\w+)`)
)

// ptxHeader is what PTX says of itself; ok is false for what isn't PTX.
func ptxHeader(image []byte) (version, target string, ok bool) {
	if len(image) > 4096 { // the header stands behind a comment of a few lines
		image = image[:4096]
	}
	if bytes.IndexByte(bytes.TrimRight(image, "\x00"), 0) >= 0 {
		return "", "", false
	}
	v := ptxVersionLine.FindSubmatch(image)
	if v == nil {
		return "", "", false
	}
	if t := ptxTargetLine.FindSubmatch(image); t != nil {
		target = string(t[1])
	}
	return string(v[1]) + "." + string(v[2]), target, true
}

// ptxRelease is the CUDA release that a version of PTX came with.
func ptxRelease(version string) dl.Version {
	major, minor, _ := strings.Cut(version, ".")
	a, _ := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	switch {
	case a >= 7:
		return dl.Version{Major: a + 4, Minor: b}
	case a == 6 && b >= 3:
		return dl.Version{Major: 10, Minor: b - 3}
	case a == 6:
		return dl.Version{Major: 9, Minor: b}
	case a == 5:
		return dl.Version{Major: 8, Minor: b}
	}
	return dl.Version{}
}
