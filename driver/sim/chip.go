package sim

// A chip is what devices of a compute capability have, as NVIDIA publishes it: the limits of the capability, from the CUDA
// programming guide, and the figures of one GPU of it.
type chip struct {
	cc      int // 90 for 9.0
	gpu     string
	sms     int // multiprocessors
	clock   int // kHz, boost
	l2      int // bytes
	bus     int // bits to the memory
	threads int // of a multiprocessor, at once
	blocks  int // of a multiprocessor, at once
	shared  int // bytes of a multiprocessor
	optIn   int // bytes of a block, when asked for
	unit    int // bytes by which shared memory is given to a block
}

// chips are in the order of their compute capability.
var chips = [...]chip{
	{50, "GTX 750 Ti", 5, 1085000, 2 << 20, 128, 2048, 32, 64 << 10, 48 << 10, 256},
	{52, "GTX Titan X", 24, 1075000, 3 << 20, 384, 2048, 32, 96 << 10, 48 << 10, 256},
	{53, "Tegra X1", 2, 998000, 256 << 10, 64, 2048, 32, 64 << 10, 48 << 10, 256},
	{60, "Tesla P100", 56, 1480500, 4 << 20, 4096, 2048, 32, 64 << 10, 48 << 10, 256},
	{61, "GTX 1080 Ti", 28, 1582000, 2816 << 10, 352, 2048, 32, 96 << 10, 48 << 10, 256},
	{62, "Tegra X2", 2, 1300000, 512 << 10, 128, 2048, 32, 64 << 10, 48 << 10, 256},
	{70, "Tesla V100", 80, 1530000, 6 << 20, 4096, 2048, 32, 96 << 10, 96 << 10, 256},
	{72, "Xavier", 8, 1377000, 512 << 10, 256, 2048, 32, 96 << 10, 96 << 10, 256},
	{75, "Tesla T4", 40, 1590000, 4 << 20, 256, 1024, 16, 64 << 10, 64 << 10, 256},
	{80, "A100", 108, 1410000, 40 << 20, 5120, 2048, 32, 164 << 10, 163 << 10, 128},
	{86, "RTX 3090", 82, 1695000, 6 << 20, 384, 1536, 16, 100 << 10, 99 << 10, 128},
	{87, "Orin", 16, 1300000, 4 << 20, 256, 1536, 16, 164 << 10, 163 << 10, 128},
	{89, "RTX 4090", 128, 2520000, 72 << 20, 384, 1536, 24, 100 << 10, 99 << 10, 128},
	{90, "H100", 132, 1980000, 50 << 20, 5120, 2048, 32, 228 << 10, 227 << 10, 128},
	{100, "B200", 148, 1965000, 126 << 20, 8192, 2048, 32, 228 << 10, 227 << 10, 128},
	{120, "RTX 5090", 170, 2407000, 96 << 20, 512, 1536, 24, 100 << 10, 99 << 10, 128},
}

// chipFor is that of the highest compute capability that is not above cc.
func chipFor(cc int) *chip {
	found := &chips[0]
	for i := range chips {
		if chips[i].cc <= cc {
			found = &chips[i]
		}
	}
	return found
}

// reserved is the shared memory that the system takes of each block, in bytes.
func (c *chip) reserved() int {
	if c.cc >= 80 {
		return 1 << 10
	}
	return 0
}
