// Iterations until a point escapes: what BenchmarkMandelbrot runs beside a Go loop.
extern "C" __global__ void mandelbrot(int *out, int width, float x0, float y0, float scale, int limit) {
    int px = threadIdx.x + blockIdx.x * blockDim.x, py = threadIdx.y + blockIdx.y * blockDim.y;
    float cx = x0 + px * scale, cy = y0 + py * scale, x = 0, y = 0;
    int n = 0;
    while (n < limit && x * x + y * y < 4) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    out[py * width + px] = n;
}
