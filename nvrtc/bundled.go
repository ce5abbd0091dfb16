package nvrtc

import (
	"fmt"
	"path/filepath"

	"github.com/purecuda/purecuda/dl"
)

// BundledHeaders describes the CUDA headers that an NVRTC carries inside its
// builtins library.
//
// Safe for concurrent use after it is made; its fields must not change.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#bundled-headers. Since CUDA 13.3.
type BundledHeaders struct {
	Available    bool       // false: this NVRTC was built without them
	Version      dl.Version // of the toolkit that the headers are from
	Files        int        // how many there are
	Compressed   int64      // bytes inside the library
	Uncompressed int64      // bytes on disk, about
}

// bundledInfo is nvrtcBundledHeadersInfo.
type bundledInfo struct {
	available                        int32
	_                                int32
	compressedSize, uncompressedSize uint64
	cudaVersionMajor                 int32
	cudaVersionMinor                 int32
	numFiles                         uint32
	_                                uint32
}

// BundledHeaders says which headers this NVRTC carries. Before CUDA 13.3 it
// gives an *UnsupportedError. Safe for concurrent use.
func (c *Compiler) BundledHeaders() (BundledHeaders, error) {
	info, text := new(bundledInfo), new(uintptr)
	if err := c.api.getBundledHeadersInfo(info, text); err != nil {
		return BundledHeaders{}, bundledError("bundled headers", err, text)
	}
	return BundledHeaders{
		Available:    info.available != 0,
		Version:      dl.Version{Major: int(info.cudaVersionMajor), Minor: int(info.cudaVersionMinor)},
		Files:        int(info.numFiles),
		Compressed:   int64(info.compressedSize),
		Uncompressed: int64(info.uncompressedSize),
	}, nil
}

// The flags of nvrtcInstallBundledHeaders.
const (
	installOverwrite = 1 // NVRTC_INSTALL_HEADERS_FORCE_OVERWRITE
	installNoWait    = 2 // NVRTC_INSTALL_HEADERS_NO_WAIT
)

// InstallConfig says how InstallBundledHeaders works. The zero InstallConfig
// leaves a folder alone that already has this version's headers, and waits for
// another process that is writing it.
//
// Safe for concurrent use after it is made; its fields must not change.
type InstallConfig struct {
	Overwrite bool // empty the folder first: everything in it goes
	NoWait    bool // give an error that matches Busy rather than wait
}

// InstallBundledHeaders writes the bundled headers to the folder, which it
// makes if needed, and returns the folders to give to the compiler with -I.
// Before CUDA 13.3 it gives an *UnsupportedError. Safe for concurrent use, also
// between processes: NVRTC locks the folder.
func (c *Compiler) InstallBundledHeaders(folder string, config InstallConfig) ([]string, error) {
	path, err := cText("folder", folder)
	if err != nil {
		return nil, fmt.Errorf("nvrtc: install bundled headers: %w", err)
	}
	var flags uint32
	if config.Overwrite {
		flags |= installOverwrite
	}
	if config.NoWait {
		flags |= installNoWait
	}
	text := new(uintptr)
	if err := c.api.installBundledHeaders(&path[0], flags, text); err != nil {
		return nil, bundledError("install bundled headers in "+folder, err, text)
	}
	return []string{folder, filepath.Join(folder, "cccl")}, nil
}

// RemoveBundledHeaders removes the folder with everything in it, whoever put it
// there: give it a folder of InstallBundledHeaders only. Before CUDA 13.3 it
// gives an *UnsupportedError. Safe for concurrent use.
func (c *Compiler) RemoveBundledHeaders(folder string) error {
	path, err := cText("folder", folder)
	if err != nil {
		return fmt.Errorf("nvrtc: remove bundled headers: %w", err)
	}
	text := new(uintptr)
	if err := c.api.removeBundledHeaders(&path[0], text); err != nil {
		return bundledError("remove bundled headers in "+folder, err, text)
	}
	return nil
}

// bundledError adds NVRTC's own words, which it keeps per thread, so that they
// may be another call's when this goroutine has moved: they are a help only.
func bundledError(what string, err error, text *uintptr) error {
	if s := dl.GoString(*text); s != "" {
		return fmt.Errorf("nvrtc: %s: %w: %s", what, err, s)
	}
	return fmt.Errorf("nvrtc: %s: %w", what, err)
}
