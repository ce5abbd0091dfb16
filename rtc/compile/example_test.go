package compile_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

func Example() {
	// In place of NVRTC, so that the example runs everywhere; a Config without
	// one opens the machine's.
	compiler, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 12, Minor: 8}}))
	if err != nil {
		log.Fatal(err)
	}
	service := compile.NewService(compile.Config{
		Compiler: compiler,
		Store:    cache.NewMemory(cache.MemoryConfig{}),
		Timeout:  5 * time.Second,
	})
	defer service.Close()

	ctx := context.Background()
	jobs, err := service.Batch(ctx, compile.Request{
		Source: `extern "C" __global__ void one(float *x) { *x = 1; }`,
		Name:   "one.cu",
	}, nvrtc.Real(8, 0), nvrtc.Real(9, 0), nvrtc.Virtual(9, 0))
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range jobs {
		result, err := job.Wait(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Entry.Arch, result.Entry.Kind)
	}
	// Output:
	// sm_80 CUBIN
	// sm_90 CUBIN
	// compute_90 PTX
}
