// Package dl finds and opens shared libraries at run time and calls their
// functions from Go without cgo. It knows no CUDA function: packages nvrtc and
// driver declare theirs (see [Table]) and bind them to any [Resolver].
//
// # The search
//
// [Spec.Open] looks for a library in these places, in this order. Within a step
// the newest version is tried first; among equals, and for the driver always,
// the order of the table.
//
//	step                 Linux                                            Windows
//	path given           the file, or what the folder has, itself or      the same
//	                     as a toolkit's root; nothing else
//	environment variable PURECUDA_NVRTC, PURECUDA_CUDA,                   the same
//	                     PURECUDA_NVJITLINK: a file, a folder, or a
//	                     toolkit's root, as CUDA_PATH below
//	already loaded       the process's memory map                         GetModuleHandle
//	Python environment   VIRTUAL_ENV, CONDA_PREFIX: NVIDIA's wheels       …\site-packages\nvidia\cu13\bin\x86_64,
//	                     (nvidia/cu13/lib, nvidia/cuda_nvrtc/lib),        cuda_nvrtc\bin; Library\bin, Library\bin\x64
//	                     conda's lib and targets/…/lib
//	CUDA_PATH            CUDA_PATH, CUDA_HOME: lib64, lib,                CUDA_PATH, CUDA_HOME, CUDA_PATH_V…:
//	                     targets/…/lib                                    bin, bin\x64
//	system's loader      LD_LIBRARY_PATH, ld.so.cache, and then           PATH, and then by name:
//	                     by name: libnvrtc.so.19 … 7.0                    nvrtc64_190_0.dll … 70
//	usual folder         /usr/local/cuda*, /opt/cuda, the                 Program Files\NVIDIA GPU Computing Toolkit
//	                     distribution's, WSL's, other Pythons'
//
// The driver's libcuda.so.1 (nvcuda.dll) belongs to the kernel's driver, so for
// it Python environments and toolkits are left out, and of the usual folders
// those of drivers remain: a toolkit has but a stub of it, or a library for
// another kernel driver. What lies in a folder called stubs is never taken
// unless a path or the variable leads there.
//
// A file's header is read before the system's loader sees it: a library for
// another processor, of 32 bits, or cut short is refused with that reason (the
// loader would crash the process over the last). One bad candidate never ends
// the search. [Library.Source] says which step found a library,
// [Library.Refused] what was passed over before, and [NotFoundError] lists all
// that was tried.
//
// NVRTC opens its builtins by a bare name. Those beside it are opened with it,
// so that it finds its own.
//
// # Calling
//
// [Func] calls a C function, or a Go function in its place. Integers and
// pointers go in, a word comes out.
package dl
