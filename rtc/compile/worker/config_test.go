package worker_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// TestConfigIsChecked has every number that can't be meant refused, by its name.
func TestConfigIsChecked(t *testing.T) {
	for want, c := range map[string]worker.Config{
		"Workers is -1, less than 0":  {Workers: -1},
		"Memory is -2, less than 0":   {Memory: -2},
		"Stack is -3, less than 0":    {Stack: -3},
		"CPU is -1s, less than 0":     {CPU: -time.Second},
		"Input is -7, less than 0":    {Input: -7},
		"Output is -4, less than 0":   {Output: -4},
		"Jobs is -5, less than 0":     {Jobs: -5},
		"Resident is -6, less than 0": {Resident: -6},
		"Idle is -1ns, less than 0":   {Idle: -1},
		"Memory is 67108863, less than 67108864 (64 MiB), which a worker needs": {Memory: 64<<20 - 1},
		"Stack is 1, less than 1048576 (1 MiB), which a worker needs":           {Stack: 1},
		"Stack is 1048575, less than 1048576 (1 MiB), which a worker needs":     {Stack: 1<<20 - 1},
	} {
		_, err := worker.NewPool(c)
		assert.EqualError(t, err, "worker: new pool: Config."+want)
	}
	_, err := worker.NewPool(worker.Config{Read: []string{".", ""}})
	assert.EqualError(t, err, "worker: new pool: Config.Read[1] is empty")
	_, err = worker.NewPool(worker.Config{Workers: -1, Stack: 1})
	require.ErrorContains(t, err, "Config.Workers is -1")
	require.ErrorContains(t, err, "Config.Stack is 1,", "all that is wrong is told")
}
