package worker

import (
	"errors"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// spent reports whether a worker is to be replaced after a compile that ended
// with err.
func (w *worker) spent(c Config, err error) bool {
	if w.jobs++; w.jobs >= c.Jobs {
		return true
	}
	var refused *nvrtc.CompileError
	if errors.As(err, &refused) && (refused.Result == nvrtc.InternalError || refused.Result == nvrtc.OutOfMemory || strings.Contains(refused.Log, "catastrophic error: out of memory")) {
		return true
	}
	var resident int64
	w.used, resident = w.process.Usage()
	return w.used >= c.CPU || resident > c.Resident
}
