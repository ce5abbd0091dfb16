//go:build linux && (amd64 || arm64)

package worker_test

import (
	"testing"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func TestMain(m *testing.M) {
	worker.SetRunner(guest{}) // in workers; it compiles what isn't an attack
	worker.Main()
	m.Run()
}
