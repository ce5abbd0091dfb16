// Fractal draws a part of the Mandelbrot set with the GPU, a thread a pixel, and
// writes it as a PNG file: fractal.png, or the file named as argument.
package main

import (
	"fmt"
	"image"
	"image/png"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

const source = `
// The colour of how smoothly a point escaped: three waves, out of step.
__device__ uchar4 colour(float t) {
    float r = 0.5f + 0.5f * __cosf(3.0f + t * 0.15f);
    float g = 0.5f + 0.5f * __cosf(3.6f + t * 0.15f);
    float b = 0.5f + 0.5f * __cosf(4.4f + t * 0.15f);
    return make_uchar4(255 * r, 255 * g, 255 * b, 255);
}

extern "C" __global__ void mandelbrot(uchar4 *pixels, int width, int height,
                                      double2 centre, double scale, int limit) {
    int px = threadIdx.x + blockIdx.x * blockDim.x;
    int py = threadIdx.y + blockIdx.y * blockDim.y;
    if (px >= width || py >= height) return;

    float sum[4] = {0, 0, 0, 0};
    for (int sample = 0; sample < 4; sample++) { // 2 by 2 points a pixel
        double cx = centre.x + (px + 0.25 + 0.5 * (sample & 1) - 0.5 * width) * scale;
        double cy = centre.y - (py + 0.25 + 0.5 * (sample >> 1) - 0.5 * height) * scale;
        double x = 0, y = 0;
        int n = 0;
        for (; n < limit && x * x + y * y < 256; n++) {
            double t = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = t;
        }
        if (n < limit) {
            float smooth = n + 1 - __log2f(0.5f * __log2f((float)(x * x + y * y)));
            uchar4 c = colour(smooth);
            sum[0] += c.x; sum[1] += c.y; sum[2] += c.z;
        }
    }
    pixels[py * width + px] = make_uchar4(sum[0] / 4, sum[1] / 4, sum[2] / 4, 255);
}`

func main() {
	file := "fractal.png"
	if len(os.Args) > 1 {
		file = os.Args[1]
	}
	if err := run(file, 1280, 720); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("wrote", file)
}

func run(file string, width, height int) error {
	dev, err := rtc.OpenAny()
	if err != nil {
		return err
	}
	defer dev.Close()
	picture, err := draw(dev, width, height)
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := png.Encode(f, picture); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func draw(dev *rtc.Device, width, height int) (*image.NRGBA, error) {
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{Name: "fractal.cu"})
	if err != nil {
		return nil, err
	}
	defer mod.Close()
	mandelbrot, err := mod.Kernel("mandelbrot", "uchar4 *pixels, int width, int height, double2 centre, double scale, int limit")
	if err != nil {
		return nil, err
	}
	pixels, err := rtc.NewArray(dev, rtc.Uint8, height, width, 4)
	if err != nil {
		return nil, err
	}
	defer pixels.Close()

	centre := [2]float64{-0.743643135, 0.131825963}
	scale := 0.0035 / float64(width) // of a pixel
	block := rtc.Dim(16, 16)
	grid := rtc.Dim((width+15)/16, (height+15)/16)
	if err := mandelbrot.Launch(dev, grid, block, 0, pixels, width, height, centre, scale, 4000); err != nil {
		return nil, err
	}
	rgba, err := rtc.ToSlice[uint8](pixels)
	if err != nil {
		return nil, err
	}
	return &image.NRGBA{Pix: rgba, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}, nil
}
