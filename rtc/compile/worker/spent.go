package worker

import (
	"time"

	"github.com/purecuda/purecuda/nvrtc"
)

// startCPU is more than a worker takes to begin. A worker is replaced so early that
// the system, which bounds its whole life, leaves each compile what it may have.
const (
	startCPU = 5 * time.Second
	spareCPU = 5 * time.Second
)

func (c Config) lifeCPU() time.Duration { return 2*c.CPU + startCPU + spareCPU }

// spent reports whether a worker is to be replaced after a compile that ended
// with err.
func (w *worker) spent(c Config, err error) bool {
	if w.jobs++; w.jobs >= c.Jobs {
		return true
	}
	if refused, hungry := starved(err); hungry || refused != nil && refused.Result == nvrtc.InternalError {
		return true
	}
	var resident int64
	w.used, resident = w.process.Usage()
	return w.used >= c.CPU+startCPU || resident > c.Resident
}
