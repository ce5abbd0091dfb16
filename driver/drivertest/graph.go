package drivertest

import "github.com/purecuda/purecuda/driver"

// A graph is what was captured: work to do again.
type graph struct {
	work []func() driver.Result
}
