package sim

import (
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// The options that make a difference here (CUjit_option).
const (
	jitMaxRegisters = 0  // CU_JIT_MAX_REGISTERS: looked at, no more
	jitInfoLog      = 3  // CU_JIT_INFO_LOG_BUFFER
	jitInfoLogSize  = 4  // CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: the size, then what was written
	jitErrorLog     = 5  // CU_JIT_ERROR_LOG_BUFFER
	jitErrorLogSize = 6  // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
	jitVerbose      = 12 // CU_JIT_LOG_VERBOSE
	jitOptions      = 64 // more than there are
)

// A jit is the options of a compilation: two buffers for logs, of the caller's.
type jit struct {
	info, error         []byte
	infoSize, errorSize *uintptr
	verbose             bool
}

// readJIT reads n options and their values.
func readJIT(n, options, values uintptr) (*jit, driver.Result) {
	j := &jit{}
	switch {
	case uint32(n) == 0:
		return j, driver.Success
	case options == 0 || values == 0:
		return nil, driver.InvalidValue
	}
	names, words := callee.Slice[int32](options, int(uint32(n))), callee.Slice[uintptr](values, int(uint32(n)))
	var info, failed uintptr
	for i, o := range names {
		switch o {
		case jitMaxRegisters:
			if uint32(words[i]) == 0 {
				return nil, driver.InvalidValue
			}
		case jitInfoLog:
			info = words[i]
		case jitInfoLogSize:
			j.infoSize = &words[i]
		case jitErrorLog:
			failed = words[i]
		case jitErrorLogSize:
			j.errorSize = &words[i]
		case jitVerbose:
			j.verbose = int32(words[i]) != 0
		default:
			if o < 0 || o >= jitOptions {
				return nil, driver.InvalidValue
			}
		}
	}
	if info != 0 && j.infoSize != nil {
		j.info = dl.Memory(info, int(uint32(*j.infoSize)))
	}
	if failed != 0 && j.errorSize != nil {
		j.error = dl.Memory(failed, int(uint32(*j.errorSize)))
	}
	return j, driver.Success
}

// refused writes why into the log of errors.
func (j *jit) refused(no *refusal) { write(j.error, j.errorSize, no.text) }

// loaded writes what there is to say of a module that was loaded, for who wants to hear it.
func (j *jit) loaded(d *Driver, m *module) {
	var b strings.Builder
	if j.verbose {
		for _, h := range m.order {
			k := d.functions[h].k
			fmt.Fprintf(&b, "sim: kernel %s: about %d registers, %d bytes of shared memory, %d bytes of local memory, %d bytes of parameters\n",
				k.Name, k.Registers, k.SharedBytes, k.LocalBytes, k.ParamBytes)
		}
	}
	write(j.info, j.infoSize, b.String())
}

// write fills a log, as far as it goes, and says how much that was.
func write(log []byte, size *uintptr, text string) {
	if len(log) == 0 {
		return
	}
	n := copy(log[:len(log)-1], text)
	log[n] = 0
	*size = uintptr(n)
}
