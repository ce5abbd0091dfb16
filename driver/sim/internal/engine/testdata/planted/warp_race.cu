// Races between lanes of a warp in shared memory, and code that looks as if it had them. See planted_test.go for the lines that begin with //!.

//! race block=32
extern "C" __global__ void warp_in_lockstep(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	s[t + 32] = 0;
	__syncwarp();
	s[t] += s[t + 16]; // FAULT
	s[t] += s[t + 8];  // FAULT
	out[t] = s[t];
}

//! race block=32
extern "C" __global__ void warp_in_lockstep_volatile(int *in, int *out, int *half, int n) {
	__shared__ int a[64];
	volatile int *s = a;
	int t = threadIdx.x;
	s[t] = in[t];
	s[t + 32] = 0;
	__syncwarp();
	s[t] += s[t + 16]; // FAULT
	s[t] += s[t + 8];  // FAULT
	out[t] = s[t];
}

//! race block=128
extern "C" __global__ void syncwarp_across_warps(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t]; // FAULT
	__syncwarp();
	out[t] = s[t ^ 32]; // FAULT
}

//! race block=32
extern "C" __global__ void syncwarp_of_others(int *in, int *out, int *half, int n) {
	__shared__ int s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	if (t < 16)
		__syncwarp(0xffff);
	else
		__syncwarp(0xffff0000);
	out[t] = s[t ^ 16]; // FAULT
}

//! race block=32
extern "C" __global__ void shuffle_is_no_barrier(int *in, int *out, int *half, int n) {
	__shared__ int s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	int v = __shfl_xor_sync(~0u, in[t], 1);
	out[t] = s[t ^ 1] + v; // FAULT
}

//! clean block=32
extern "C" __global__ void clean_syncwarp(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	s[t + 32] = 0;
	__syncwarp();
	for (int k = 16; k > 0; k >>= 1) {
		int v = s[t + k];
		__syncwarp();
		s[t] += v;
		__syncwarp();
	}
	out[t] = s[t];
}

//! clean block=64
extern "C" __global__ void clean_halves_of_a_warp(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	unsigned mask = t & 16 ? 0xffff0000 : 0xffff;
	s[t] = in[t];
	__syncwarp(mask);
	int v = s[t ^ 8];
	__syncwarp(mask);
	s[t] = v;
	__syncthreads();
	out[t] = s[63 - t];
}
