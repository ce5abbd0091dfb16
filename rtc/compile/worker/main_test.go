package worker_test

import (
	"testing"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	m.Run()
}
