// Package settings reads how to compile from a TOML file.
//
//	[compiler]
//	max_threads = 4      # compiles at one time; 0 or left out: GOMAXPROCS
//	queue_size = 100     # that wait for their turn; 0 or left out: 100
//	timeout_ms = 5000    # of running; 0 or left out: none
//	when_full = "wait"   # or "refuse": Submit gives compile.ErrQueueFull
//	precompiled_headers = "1GiB" # for files of them, see compile.Precompiled; left out: none; not with workers
//	workers = 2          # child processes that compile, see package worker; 0 or left out: none
//	isolation = "auto"   # of workers; or "required", or "off"
//	memory_limit = "1GiB" # of a worker
//	read = ["/opt/app/include"] # folders that sources may include, where workers are isolated
//
//	[cache]
//	tiers = ["memory:", "disk:"] # the fastest first, as for cache.Open; [] keeps nothing
//
// The variable PURECUDA_CACHE says where a disk is that names no folder, as in
// "disk:?size=1GiB", and leaves it out if it is "off"; "disk:///var/cache/kernels" is
// where the file says.
//
// A key that is not known, in this very spelling, or has a value that can't be, is an
// error that says in which line. Folders of read must begin at the root. It is a package of its own so that only who uses it has a TOML
// parser in his program.
package settings
