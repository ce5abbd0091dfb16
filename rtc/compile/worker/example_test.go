package worker_test

import (
	"context"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func Example() {
	worker.Main() // the first line of main

	pool, err := worker.NewPool(worker.Config{Workers: 2, Memory: 1 << 30})
	if err != nil {
		fmt.Println(err)
		return
	}
	service := compile.NewService(compile.Config{Runner: pool, Timeout: 5 * time.Second})
	defer service.Close() // it closes the pool

	job, err := service.Submit(context.Background(), compile.Request{
		Source: `extern "C" __global__ void k(int *x) { *x = 1; }`, Name: "k.cu", Options: []string{"--gpu-architecture=sm_80"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := job.Wait(context.Background())
	if err != nil {
		fmt.Println(err) // a *nvrtc.CompileError, or a *worker.CrashError
		return
	}
	fmt.Println(len(result.Entry.Image), "bytes")
}
