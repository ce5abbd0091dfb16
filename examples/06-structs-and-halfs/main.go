// Structs-and-halfs passes a struct by value, from a Go struct with the same
// layout, and works on arrays of half precision.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

// The kernel needs no header: the halfs are taken apart by hand, so that it
// compiles where only libnvrtc is installed. With CUDA's headers beside it,
// cuda_fp16.h is found without an option.
const source = `
struct Wave {
    float  amplitude;
    double frequency;   // 4 bytes of padding before it, in C and in Go
    short  harmonics;
    bool   square;
};

__device__ float widen(unsigned short h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h)); return f; }
__device__ unsigned short narrow(float f) { unsigned short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f)); return h; }

extern "C" __global__ void wave(Wave w, const unsigned short *in, unsigned short *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 1; k <= w.harmonics; k += w.square ? 2 : 1)
        sum += w.amplitude / k * sin(k * w.frequency * widen(in[i]));
    out[i] = narrow(sum);
}`

// Wave is the kernel's struct. A Go struct may be passed where its fields lie
// at the offsets that C gives them; int, uint and pointers are refused.
type Wave struct {
	Amplitude float32
	Frequency float64
	Harmonics int16
	Square    bool
}

const signature = "struct Wave w, const __half *in, __half *out, int n"

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	dev, err := rtc.OpenAny()
	if err != nil {
		return err
	}
	defer dev.Close()
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
	if err != nil {
		return err
	}
	defer mod.Close()
	wave, err := mod.Kernel("wave", signature)
	if err != nil {
		return err
	}

	in := make([]rtc.Half, 8)
	for i := range in {
		in[i] = rtc.HalfOf(float64(i) / 8)
	}
	x, err := rtc.FromSlice(dev, in)
	if err != nil {
		return err
	}
	y, err := rtc.Zeros[rtc.Half](dev, len(in))
	if err != nil {
		return err
	}
	square := Wave{Amplitude: 1.27, Frequency: 6.283185307179586, Harmonics: 15, Square: true}
	if err := wave.Launch(dev, rtc.Dim(1), rtc.Dim(32), 0, square, x, y, len(in)); err != nil {
		return err
	}
	out, err := rtc.ToSlice[rtc.Half](y)
	if err != nil {
		return err
	}
	for i, h := range out {
		fmt.Fprintf(w, "wave(%.3f) = %.3f\n", in[i].Float64(), h.Float64())
	}
	return nil
}
