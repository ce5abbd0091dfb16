//go:build linux && (amd64 || arm64)

package worker_test

import (
	"os"
	"testing"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "liar" {
		lying(os.Args[2])
	}
	worker.SetRunner(guest{}) // in workers; it compiles what isn't an attack
	worker.Main()
	m.Run()
}
