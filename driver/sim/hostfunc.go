package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// A hostWork calls a function of the program.
type hostWork struct{ callback, data uintptr }

func (*hostWork) kind() driver.NodeKind { return driver.HostNode }

func (w *hostWork) run(moment) (span, *fault) {
	dl.InvokeCallback(w.callback, w.data)
	return hostFuncCost, nil
}
