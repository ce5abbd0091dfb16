//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// BenchmarkAXPY compares a compile in a worker with one in this process, and with
// a message that has no work in it.
func BenchmarkAXPY(b *testing.B) {
	for _, v := range []dl.Version{{Major: 11, Minor: 8}, {Major: 12, Minor: 4}} {
		b.Run(v.String(), func(b *testing.B) {
			c := nvrtctest.Real(b, v)
			r := &compile.Request{Compiler: c, Source: axpy, Name: "axpy.cu", Options: []string{"--gpu-architecture=compute_70"}}
			p := newPool(b, worker.Config{Workers: 1})
			for name, runner := range map[string]compile.Runner{"process": compile.InProcess{}, "worker": p} {
				_, err := runner.Run(context.Background(), r)
				require.NoError(b, err)
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						if _, err := runner.Run(context.Background(), r); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
			b.Run("nothing", func(b *testing.B) {
				for b.Loop() {
					if err := p.Ping(context.Background(), c); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
