package nvrtc

import (
	"errors"
	"fmt"
)

// PCHHeapSize is the size in bytes of the heap for precompiled headers, one for
// the process. Since CUDA 12.8. Safe for concurrent use.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#precompiled-headers-cuda-12-8.
func (c *Compiler) PCHHeapSize() (uint64, error) {
	n := new(uint64)
	if err := c.api.getPCHHeapSize(n); err != nil {
		return 0, fmt.Errorf("nvrtc: PCH heap size: %w", err)
	}
	return *n, nil
}

// SetPCHHeapSize sets the size in bytes of the heap for precompiled headers,
// for all later compiles of the process. Since CUDA 12.8. Safe for concurrent
// use.
func (c *Compiler) SetPCHHeapSize(size uint64) error {
	if err := c.api.setPCHHeapSize(size); err != nil {
		return fmt.Errorf("nvrtc: set PCH heap size %d: %w", size, err)
	}
	return nil
}

// PCHCreateStatus says how the last compile fared at making a precompiled
// header: Success, NoPCHCreateAttempted, PCHCreateHeapExhausted (see
// PCHHeapSizeRequired) or PCHCreate. Since CUDA 12.8.
//
// Precompiled headers are files that NVRTC writes without locking: two
// compiles that share --pch-dir can crash the process.
func (p *Program) PCHCreateStatus() (Result, error) {
	status := Success
	err := p.use("PCH create status", func() error {
		err := p.c.api.getPCHCreateStatus(p.handle)
		var call *CallError
		if errors.As(err, &call) {
			switch call.Result {
			case NoPCHCreateAttempted, PCHCreateHeapExhausted, PCHCreate:
				status = call.Result
				return nil
			}
		}
		return err
	})
	return status, err
}

// PCHHeapSizeRequired is the size in bytes that the heap for precompiled
// headers must have for this program. Since CUDA 12.8.
func (p *Program) PCHHeapSizeRequired() (uint64, error) {
	n := new(uint64)
	err := p.use("PCH heap size required", func() error { return p.c.api.getPCHHeapSizeRequired(p.handle, n) })
	return *n, err
}
