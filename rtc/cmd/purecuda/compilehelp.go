package main

const compileHelp = `Usage: purecuda compile [flags] FILE.cu… [-- NVRTC options]

Compiles CUDA C++ as rtc.NewModule does, each source for each architecture, and writes
the results. What was compiled before comes from the cache. "-" is standard input.
Flags and files stand in any order.

What to compile
  -arch LIST      architectures: sm_90 for machine code, compute_80 for PTX, native for
                  that of CUDA device 0; with commas between, or given several times.
                  Default: the newest compute_XY that NVRTC has
  -e EXPR         an export: a kernel or variable that is a template, overloaded or in a
                  namespace, as in -e 'axpy<float>'; may be given several times
  -name NAME      the program's name, which is part of the cache's key, and whose folder
                  is the first for #include "…". Default: FILE. A program that gives
                  rtc.NewModule no name has kernel.cu
  -extra TEXT     stands for what the cache can't see (rtc.ModuleConfig.CacheExtra)
  NVRTC's options are taken as they are: -I dir, -DX=1, -std=c++20, -lineinfo, -G,
  -use_fast_math, -maxrregcount=64, -dlto … One that is not known here goes after --

What to write
  -o PATH         a file; a folder, which must be there; or - for standard output.
                  Default: FILE's name in the working directory (of standard input:
                  standard output), as in k.ptx, or k.sm_80.cubin where there are several
                  architectures. A file is written whole or not at all
  -ptx            PTX, also for sm_XY
  -cubin          machine code; refuses compute_XY
  -warm           no files: only the cache is filled
  -list           nothing is compiled: says what the cache has
  -json           a report on standard output, for programs
  -v              a line for each result on standard error

How
  -cache STORE    a folder or a URL (redis://…) in place of the user's cache; off for none
  -config FILE    TOML with [compiler] and [cache], as of package rtc/compile/settings;
                  its "disk:" without a folder is where PURECUDA_CACHE says, or off
  -fresh          compiles what is cached, too
  -isolated       in child processes, whose memory and time are bounded: a source that
                  crashes NVRTC ends no other's compile, and -timeout and Ctrl-C stop
                  every NVRTC at once (from 12.8 they do so without). On Linux 5.13 or
                  later a source can read CUDA's headers, its own folder and those of -I alone
  -j N            compiles at one time. Default: one for each processor
  -timeout TIME   the most that a compile may take, as in 5s

Warnings and errors go to standard error as FILE:LINE:COLUMN: error: TEXT.

Exit status: 0 all was compiled; 1 a source is at fault, or took too long; 2 the command
line is, an option that NVRTC refuses, or a FILE that can't be read; 3 the machine lacks
something: NVRTC, a version of it that can do this, room for the output. Of several, the highest.

Examples:
  purecuda compile -arch sm_80,sm_90 -o build/ kernels/*.cu
  purecuda compile -e 'axpy<float>' -o - axpy.cu
  purecuda compile -warm -cache ./kernels -name kernel.cu -arch sm_90 axpy.cu
  purecuda cache export kernels.cache ./kernels     # for go:embed and cache.LoadArchive
`
