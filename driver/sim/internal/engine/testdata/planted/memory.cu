// Accesses to memory that is not there or not so, and code that looks as if it had them. See planted_test.go for the lines that begin with //!.

//! illegal block=128 grid=10
extern "C" __global__ void past_the_end(int *in, int *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	out[i] = in[i]; // FAULT
}

//! illegal
extern "C" __global__ void before_the_begin(int *in, int *out, int *half, int n) {
	out[threadIdx.x] = in[(int)threadIdx.x - 1]; // FAULT
}

//! illegal block=1
extern "C" __global__ void null_pointer(int *in, int *out, int *half, int n) {
	int *p = (int *)(long long)in[0];
	out[0] = p[2]; // FAULT
}

//! illegal shared=128
extern "C" __global__ void shared_past_the_end(int *in, int *out, int *half, int n) {
	extern __shared__ int d[];
	d[threadIdx.x] = 1; // FAULT
	__syncthreads();
	out[threadIdx.x] = d[0];
}

//! illegal block=1
extern "C" __global__ void after_free(int *in, int *out, int *half, int n) {
	int *p = (int *)malloc(64);
	p[3] = 1;
	free(p);
	out[0] = p[3]; // FAULT
}

//! illegal block=1
extern "C" __global__ void freed_twice(int *in, int *out, int *half, int n) {
	int *p = (int *)malloc(64);
	p[3] = in[0];
	out[0] = p[3];
	free(p);
	free(p); // FAULT
}

//! illegal freed=half
extern "C" __global__ void freed_by_the_host(int *in, int *out, int *half, int n) {
	out[threadIdx.x] = half[threadIdx.x]; // FAULT
}

//! misaligned
extern "C" __global__ void float4_at_a_word(float *in, float *out, int *half, int n) {
	float4 v = *(float4 *)&in[threadIdx.x + 1]; // FAULT
	out[threadIdx.x] = v.x + v.w;
}

//! misaligned
extern "C" __global__ void word_at_a_byte(char *in, int *out, int *half, int n) {
	out[threadIdx.x] = *(int *)(in + threadIdx.x); // FAULT
}

//! misaligned
extern "C" __global__ void shared_misaligned(int *in, int *out, int *half, int n) {
	__shared__ char s[256];
	*(short *)&s[in[threadIdx.x] + threadIdx.x + 1] = 1; // FAULT
	__syncthreads();
	out[threadIdx.x] = s[0];
}

__device__ __forceinline__ float at(const float *p, int i) {
	return p[i]; // FAULT
}

__device__ __forceinline__ float around(const float *p, int i) {
	return at(p, i) + 1; // INLINED
}

//! illegal inlined=2
extern "C" __global__ void in_inlined_twice(float *in, float *out, int *half, int n) {
	out[threadIdx.x] = around(in, threadIdx.x + n * 16 - 8); // INLINED
}

__device__ __noinline__ void store(int *p, int v) {
	*p = v; // FAULT
}

//! illegal
extern "C" __global__ void in_a_function(int *in, int *out, int *half, int n) {
	store(out + 1024 - threadIdx.x, in[threadIdx.x]);
}

//! illegal
extern "C" __global__ void atomic_past_the_end(int *in, int *out, int *half, int n) {
	atomicAdd(out + 16 * n + threadIdx.x / 63, 1); // FAULT
}

//! clean block=128 grid=10
extern "C" __global__ void clean_guarded(int *in, int *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < 1024)
		out[i] = in[i];
}

//! clean block=128 grid=2
extern "C" __global__ void clean_last_element(int *in, int4 *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	out[i] = ((int4 *)in)[255 - i];
}

//! clean
extern "C" __global__ void clean_back_from_the_end(int *in, int *out, int *half, int n) {
	int *end = in + 1024;
	out[threadIdx.x] = end[-1 - (int)threadIdx.x];
}

//! clean
extern "C" __global__ void clean_null_is_not_read(int *in, int *out, int *half, int n) {
	int *p = threadIdx.x < 32 ? in : 0;
	out[threadIdx.x] = p ? p[threadIdx.x] : 0;
}

//! clean block=32
extern "C" __global__ void clean_malloc_and_free(int *in, int *out, int *half, int n) {
	int *p = (int *)malloc(64);
	for (int k = 0; k < 16; k++)
		p[k] = in[k];
	out[threadIdx.x] = p[threadIdx.x % 16];
	free(p);
	free(0);
}

//! clean
extern "C" __global__ void clean_halves_of_a_float4(float *in, float2 *out, int *half, int n) {
	out[threadIdx.x] = *(float2 *)&in[2 * threadIdx.x + 2];
}
