// Package compile compiles CUDA C++ as a service: once for all who ask for the
// same, never twice at the same time, stopped when asked, and kept in a cache.
//
//	service := compile.NewService(compile.Config{Store: store, MaxThreads: 4, Timeout: 5 * time.Second})
//	defer service.Close()
//
//	job, err := service.Submit(ctx, compile.Request{Source: source, Name: "k.cu", Options: options})
//	result, err := job.Wait(ctx)
//	image := result.Entry.Image // a cubin, or PTX
//
// It gives NVRTC the options as they are. Package rtc, which adds what they
// leave open, compiles by a Service of its own, or by the one that a
// rtc.ModuleConfig names.
//
// # Keys
//
// What is kept is found again by a key: the SHA-256 of the source, its name, the
// options in their canonical form, exports, headers in memory, NVRTC's version
// and build, the variable NVRTC_APPEND_FLAGS, and every header on disk that NVRTC
// may read, by its content. To find those the source is searched for includes,
// in all spellings and whatever #if is around them, and each is looked for where
// NVRTC would. Places where there was no file are part of the key, so that one
// put there later is seen. Headers are read once, and again when the file system
// says that they changed. Those that a compile can't read, since it runs behind walls,
// don't exist for its key either.
//
// A header on disk may include by a macro, as those of Thrust and CUB do: each #define
// of it that NVRTC may come by is followed.
//
// Some requests have no key: those that include by a macro themselves, ask __has_include by
// a macro, write the time, or have options that read and write files or are not
// known here. They are compiled each time, and Result.Uncached says why;
// Request.Extra can stand for what the key can't see. Errors are not kept. Words that
// macros put together are not seen: one who makes __TIME__ of __TI##ME__ gets the time of the
// first compile.
//
// Warm fills the cache beforehand and Lookup asks it alone; what rtc.NewModule
// will ask for, rtc.ModuleConfig's Request says.
//
// # Jobs
//
// A Job is one request. Requests for the same at the same time share one
// compile; if the Service's store can lock, as cache.Disk can, that holds between
// processes. A job that is cancelled ends at once, and the compile with the last
// job that wants it. In this process NVRTC can be stopped from CUDA 12.8; before,
// an unwanted compile goes on and keeps one of its compiler's threads until it
// ends. Config.Runner runs compiles elsewhere, or with Precompiled in less time
// where many sources include the same large headers.
package compile
