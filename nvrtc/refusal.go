package nvrtc

import (
	"maps"
	"slices"
)

// Refusal is the *CompileError of a compile that ended with result and this log
// somewhere else, such as in another process, with an NVRTC like this one. It is
// the error that Program.Compile would have given here.
func (c *Compiler) Refusal(source string, config ProgramConfig, options []string, result Result, log string) *CompileError {
	p := &Program{c: c, name: config.Name, exports: config.Exports, headers: slices.Sorted(maps.Keys(config.Headers)), src: append([]byte(source), 0)}
	for _, h := range p.headers {
		p.texts = append(p.texts, append([]byte(config.Headers[h]), 0))
	}
	return p.refusal(slices.Clone(options), log, result)
}
