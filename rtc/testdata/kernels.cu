// The source of kernels.ptx and kernels.cubin: NVRTC 12.4, -arch=sm_90 --std=c++17, exports twice<float>, twice<double>,
// &ns::counter.
__constant__ float table[4];
namespace ns { __device__ int counter; }
extern "C" __global__ void axpy(const float *x, float *y, float alpha, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n) y[i] += alpha * x[i] + table[i & 3];
}
extern "C" __global__ void none() { atomicAdd(&ns::counter, 1); }
extern "C" __global__ void bounded(int *out) { *out = 1; }
template <typename T> __global__ void twice(const T *in, T *out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
