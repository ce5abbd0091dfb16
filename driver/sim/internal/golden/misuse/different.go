package misuse

import "strings"

// A Reason is why the simulated driver answers some calls otherwise than a real one.
//
// Safe for concurrent use after it is made; its fields must not change.
type Reason struct {
	Text  string   // a sentence of driver/sim/EXACT.md
	Calls []string // beginnings of names
}

// Different are the reasons that there are.
//
// Safe for concurrent use.
func Different() []Reason {
	return []Reason{
		{"Handles that were destroyed, or are of another kind, are INVALID_HANDLE or INVALID_VALUE: libcuda looks at what lies there, and gives CONTEXT_IS_DESTROYED, INVALID_CONTEXT, success or a crash.", []string{
			"streams of a destroyed context", "destroyed stream", "destroyed event", "destroyed library", "destroyed graph: its node", "destroyed pool", "handles of other kinds",
		}},
		{"A library that cannot be used is refused when it is loaded, where the log can say why; libcuda takes anything and refuses it when a kernel is asked for.", []string{
			"library: empty", "library: garbage", "library: cut", "library: version 99.9", "library: no such instruction",
		}},
		{"Instructions are not refused for a `.target` or `.version` that is too old for them, as long as the device has them.", []string{
			"no module: an instruction of sm_90", "no module: an instruction of version 7.0",
		}},
		{"A module that uses an `.extern` variable which nothing defines is refused.", []string{"no module: an extern variable"}},
		{"Static shared memory over 48 KiB is refused, as NVIDIA's assembler does; the driver takes PTX with more.", []string{"no module: more shared memory than without asking"}},
		{"Memory is not allocated and freed in graphs: cuMemAllocAsync in a capture is STREAM_CAPTURE_UNSUPPORTED.", []string{"during a capture: allocation in the stream", "during a capture: allocation and free in the stream"}},
		{"A mapping has to lie in one reserved range.", []string{"mapping: partly reserved", "mapping: unmapped"}},
	}
}

// ReasonFor is the text of the reason for a call to differ, "" if there is none.
//
// Safe for concurrent use.
func ReasonFor(c Call) string {
	for _, r := range Different() {
		for _, name := range r.Calls {
			if c.Name == name || strings.HasPrefix(c.Name, name+":") {
				return r.Text
			}
		}
	}
	return ""
}
