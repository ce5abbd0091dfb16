package driver_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// Every launch that a driver answers with no more than "invalid value" is
// refused before, with what is wrong, and never reaches it.
func TestLaunchErrors(t *testing.T) {
	one := driver.Dim(1)
	for _, test := range []struct {
		kernel string
		config driver.LaunchConfig
		params int
		cc     int // of the device; 0: 90
		code   driver.Result
		want   string
	}{
		{"empty", driver.LaunchConfig{Block: one}, 0, 0, driver.InvalidValue, "grid (0, 0, 0): x is 0, at least 1"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(1, 1, 0), Block: one}, 0, 0, driver.InvalidValue, "grid (1, 1, 0): z is 0"},
		{"empty", driver.LaunchConfig{Grid: one, Block: driver.Dim(1, 0)}, 0, 0, driver.InvalidValue, "block (1, 0, 1): y is 0"},
		{"empty", driver.LaunchConfig{Grid: one, Block: driver.Dim(1025)}, 0, 0, driver.InvalidValue, "block (1025, 1, 1): x is 1025, at most 1024 on device 0 (Test GPU sm_90)"},
		{"empty", driver.LaunchConfig{Grid: one, Block: driver.Dim(1, 1, 65)}, 0, 0, driver.InvalidValue, "z is 65, at most 64"},
		{"empty", driver.LaunchConfig{Grid: one, Block: driver.Dim(32, 33)}, 0, 0, driver.InvalidValue, "block (32, 33, 1) has 1056 threads, at most 1024"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(1 << 31), Block: one}, 0, 0, driver.InvalidValue, "x is 2147483648, at most 2147483647"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(1, 65536), Block: one}, 0, 0, driver.InvalidValue, "y is 65536, at most 65535"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(1, 1, 65536), Block: one}, 0, 0, driver.InvalidValue, "z is 65536, at most 65535"},
		{"bounded", driver.LaunchConfig{Grid: one, Block: driver.Dim(65)}, 0, 0, driver.InvalidValue, "has 65 threads, at most 64 for this kernel"},
		{"fat", driver.LaunchConfig{Grid: one, Block: driver.Dim(512)}, 0, 0, driver.LaunchOutOfResources,
			"512 threads of 255 registers: 131072 registers a block, at most 65536 on device 0 (Test GPU sm_90) (so at most 256 threads)"},
		{"empty", driver.LaunchConfig{Grid: one, Block: one, SharedMem: 227<<10 + 1}, 0, 0, driver.InvalidValue, "232449 bytes of shared memory a block (232449 dynamic, 0 static), at most 232448"},
		{"static", driver.LaunchConfig{Grid: one, Block: one, SharedMem: 227 << 10}, 0, 0, driver.InvalidValue, "232448 dynamic, 4096 static"},
		{"empty", driver.LaunchConfig{Grid: one, Block: one, SharedMem: 48<<10 + 1}, 0, 61, driver.InvalidValue, "at most 49152"},
		{"scale", driver.LaunchConfig{Grid: one, Block: one}, 3, 0, driver.InvalidValue, "3 arguments given, the kernel has 4 parameters"},
		{"scale", driver.LaunchConfig{Grid: one, Block: one}, 5, 0, driver.InvalidValue, "5 arguments given"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(300), Block: driver.Dim(1024), Cooperative: true}, 0, 0, driver.CooperativeLaunchTooLarge,
			"grid (300, 1, 1) has 300 blocks, at most 264 can run at once (2 on each of 132 multiprocessors)"},
		{"empty", driver.LaunchConfig{Grid: one, Block: one, Cooperative: true}, 0, 52, driver.NotSupported, "has no cooperative launches"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(10), Block: one, Cluster: driver.Dim(4)}, 0, 0, driver.InvalidValue, "x is 10, not a multiple of 4, as cluster (4, 1, 1) wants"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(32), Block: one, Cluster: driver.Dim(16)}, 0, 0, driver.InvalidClusterSize, "16 blocks, at most 8 unless Function.AllowLargeClusters"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(32), Block: one, Cluster: driver.Dim(32)}, 0, 0, driver.InvalidClusterSize, "32 blocks, at most 16"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(4), Block: one, Cluster: driver.Dim3{X: 2}}, 0, 0, driver.InvalidValue, "cluster (2, 0, 0): y is 0"},
		{"empty", driver.LaunchConfig{Grid: driver.Dim(4), Block: one, Cluster: driver.Dim(2)}, 0, 86, driver.NotSupported, "has no clusters"},
		{"clustered", driver.LaunchConfig{Grid: driver.Dim(4), Block: one, Cluster: driver.Dim(2)}, 0, 0, driver.InvalidClusterSize, "cluster (2, 1, 1) asked for, the kernel was compiled for (4, 1, 1)"},
		{"clustered", driver.LaunchConfig{Grid: driver.Dim(6), Block: one}, 0, 0, driver.InvalidValue, "x is 6, not a multiple of 4"},
	} {
		t.Run(test.want, func(t *testing.T) {
			if test.cc == 0 {
				test.cc = 90
			}
			d, double := bind(t, drivertest.Config{Devices: []drivertest.Device{{Major: test.cc / 10, Minor: test.cc % 10}}})
			double.Describe("fat", func(f *drivertest.Function) { f.Registers, f.MaxThreads = 255, 256 })
			double.Describe("static", func(f *drivertest.Function) { f.Shared = 4096 })
			double.Describe("clustered", func(f *drivertest.Function) { f.Cluster = [3]int{4, 1, 1} })
			c := open(t, d)
			m := load(t, c, kernels+".visible .entry fat() { ret; }\n.visible .entry static() { ret; }\n.visible .entry clustered() { ret; }\n")
			_, err := function(t, m, test.kernel).Prepare(test.config, make([]unsafe.Pointer, test.params))
			require.ErrorIs(t, err, test.code)
			require.ErrorContains(t, err, "driver: launch "+test.kernel+": ")
			require.ErrorContains(t, err, test.want)
			require.Empty(t, double.Launches())
			require.NoError(t, c.Health())
		})
	}
}

// Every launch that passes the checks must be one that the driver takes.
func TestLaunchEdges(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Describe("clustered", func(f *drivertest.Function) { f.Cluster = [3]int{4, 1, 1} })
	c := open(t, d)
	m := load(t, c, kernels+".visible .entry clustered() { ret; }\n")
	s, empty := stream(t, c), function(t, m, "empty")
	for _, config := range []driver.LaunchConfig{
		{Grid: driver.Dim(1<<31 - 1), Block: driver.Dim(1024)},
		{Grid: driver.Dim(1, 65535, 65535), Block: driver.Dim(1, 16, 64)},
		{Grid: driver.Dim(1), Block: driver.Dim(1), SharedMem: 48 << 10},
		{Grid: driver.Dim(1), Block: driver.Dim(1), SharedMem: 48<<10 + 1},
		{Grid: driver.Dim(1), Block: driver.Dim(1), SharedMem: 227 << 10},
		{Grid: driver.Dim(264), Block: driver.Dim(1024), Cooperative: true},
		{Grid: driver.Dim(8), Block: driver.Dim(1), Cluster: driver.Dim(8)},
		{Grid: driver.Dim(8), Block: driver.Dim(1), Cluster: driver.Dim(2), Cooperative: true, Priority: -3, Programmatic: true},
	} {
		require.NoError(t, prepare(t, empty, config).Enqueue(s), "%+v", config)
	}
	last := double.Launches()[len(double.Launches())-1]
	require.Equal(t, [3]uint32{2, 1, 1}, last.Cluster)
	require.True(t, last.Cooperative)
	require.Equal(t, int32(-3), last.Priority)
	require.Equal(t, uint32(1), last.Attributes[6][0], "programmatic stream serialization")

	require.NoError(t, empty.AllowLargeClusters())
	require.NoError(t, prepare(t, empty, driver.LaunchConfig{Grid: driver.Dim(16), Block: driver.Dim(1), Cluster: driver.Dim(16)}).Enqueue(s))

	// What is compiled in is not said again.
	clustered := function(t, m, "clustered")
	require.NoError(t, prepare(t, clustered, driver.LaunchConfig{Grid: driver.Dim(4), Block: driver.Dim(1), Cluster: driver.Dim(4)}).Enqueue(s))
	require.Zero(t, double.Launches()[len(double.Launches())-1].Cluster)
}

// B47: the shared memory allowed is raised when it must be, and never lowered.
func TestSharedMemoryIsOnlyRaised(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Describe("empty", func(f *drivertest.Function) { f.Shared = 1 })
	c := open(t, d)
	s, f := stream(t, c), function(t, load(t, c, kernels), "empty")
	launch := func(n uint32) {
		t.Helper()
		require.NoError(t, prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1), SharedMem: n}).Enqueue(s))
	}
	launch(48<<10 - 1)
	require.Zero(t, double.Called("cuFuncSetAttribute"))
	launch(48 << 10) // with the one static byte just over the limit
	require.Equal(t, 1, double.Called("cuFuncSetAttribute"))
	big := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1), SharedMem: 100 << 10})
	launch(64)
	launch(60 << 10)
	require.NoError(t, big.Enqueue(s), "a smaller launch lowered what a bigger one needs")
	require.Equal(t, 2, double.Called("cuFuncSetAttribute"))
}

// The reason that a driver gives after the checks is told with the launch's own data.
func TestLaunchRefusedByDriver(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s, f := stream(t, c), function(t, load(t, c, kernels), "empty")
	l := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(3), Block: driver.Dim(64)})
	double.Fail("cuLaunchKernelEx", driver.LaunchOutOfResources, 1)
	err := l.Enqueue(s)
	require.ErrorIs(t, err, driver.LaunchOutOfResources)
	require.EqualError(t, err, "driver: launch empty: grid (3, 1, 1), block (64, 1, 1), 0 bytes of dynamic shared memory; "+
		"the kernel uses 32 registers a thread and 0 bytes of static shared memory: launch out of resources (cuLaunchKernelEx: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)")
	var e *driver.Error
	require.True(t, errors.As(err, &e))
	require.False(t, e.Fatal())
	require.NoError(t, l.Enqueue(s))
}
