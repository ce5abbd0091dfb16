// Uses of memory that nobody wrote, and code that looks as if it had them. See planted_test.go for the lines that begin with //!.
// in has 1024 words that the host wrote, of half only the first 512; out has 1024 that nobody did.

struct Padded { char c; int i; double d; short s; };
struct __align__(16) Three { int a, b, c; };
struct Bits { unsigned a : 4, b : 12, c : 16; };

//! uninitialised
extern "C" __global__ void read_output(int *in, int *out, int *half, int n) {
	int i = threadIdx.x;
	out[i] += in[i]; // FAULT
}

//! uninitialised block=512
extern "C" __global__ void beyond_what_was_copied(int *in, int *out, int *half, int n) {
	int i = threadIdx.x + 256;
	if (half[i] > 3) // FAULT
		out[i] = 1;
}

//! uninitialised
extern "C" __global__ void shared_half_filled(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t % 2 == 0)
		s[t] = in[t];
	__syncthreads();
	out[t] = 3 * s[t ^ 1]; // FAULT
}

//! uninitialised shared=512
extern "C" __global__ void dynamic_shared(int *in, int *out, int *half, int n) {
	extern __shared__ float d[];
	int t = threadIdx.x;
	d[t] = in[t];
	__syncthreads();
	out[t] = d[t] + d[t + 64]; // FAULT
}

//! uninitialised
extern "C" __global__ void local_array(int *in, int *out, int *half, int n) {
	int a[32];
	for (int k = 0; k < n % 20; k++) // n is 64: 4 of them
		a[k] = in[k];
	out[threadIdx.x] = a[in[threadIdx.x] % 32] + 1; // FAULT
}

//! uninitialised block=1
extern "C" __global__ void from_malloc(int *in, int *out, int *half, int n) {
	int *p = (int *)malloc(64);
	if (!p)
		return;
	p[n % 16 + 1] = 5;
	out[0] = p[n % 16] * 2; // FAULT
	free(p);
}

//! uninitialised
extern "C" __global__ void as_index(int *in, int *out, int *half, int n) {
	__shared__ int at[64];
	if (threadIdx.x < 60)
		at[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = in[at[threadIdx.x]]; // FAULT
}

//! uninitialised
extern "C" __global__ void copied_out(float *in, float *out, int *half, int n) {
	__shared__ float s[64];
	if (threadIdx.x != 40)
		s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x]; // FAULT
}

//! uninitialised
extern "C" __global__ void integer_copied_out(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	if (threadIdx.x != 40)
		s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x]; // FAULT
}

__device__ __forceinline__ int doubled(const int *p, int i) {
	return p[i] * 2; // FAULT
}

//! uninitialised inlined=1
extern "C" __global__ void in_inlined(int *in, int *out, int *half, int n) {
	int i = threadIdx.x;
	if (i == 3)
		out[100] = 0;
	half[i] = 1 + doubled(half, i + n * 8); // INLINED
}

//! uninitialised
extern "C" __global__ void counter(int *in, int *out, int *half, int n) {
	__shared__ int count;
	if (in[threadIdx.x] % 2)
		atomicAdd(&count, 1); // FAULT
	__syncthreads();
	out[threadIdx.x] = count;
}

//! uninitialised
extern "C" __global__ void histogram_not_cleared(int *in, unsigned *out, int *half, int n) {
	atomicAdd(&out[in[threadIdx.x] % 8], 1u); // FAULT
}

//! uninitialised
extern "C" __global__ void forgotten_field(int *in, Padded *out, int *half, int n) {
	__shared__ Padded s[64];
	int t = threadIdx.x;
	s[t].c = 1;
	s[t].d = in[t];
	s[t].s = 2;
	__syncthreads();
	out[t].i = s[t ^ 1].i + 7; // FAULT
}

//! uninitialised
extern "C" __global__ void number_of_doubles(int *in, double *out, int *half, int n) {
	double sum = 0;
	for (int k = 0; k < 8; k++)
		sum += out[k + threadIdx.x]; // FAULT
	half[threadIdx.x] = sum;
}

//! uninitialised block=32
extern "C" __global__ void through_shuffle(int *in, int *out, int *half, int n) {
	__shared__ int s[32];
	if (threadIdx.x < 31)
		s[threadIdx.x] = 1;
	__syncwarp();
	int v = s[threadIdx.x]; // FAULT
	out[threadIdx.x] = __shfl_xor_sync(~0u, v, 1);
}

//! uninitialised
extern "C" __global__ void one_branch(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < 32)
		s[t] = in[t];
	__syncthreads();
	int v = t < 40 ? s[t] : 0; // FAULT
	out[t] = v + 1;
}

//! uninitialised
extern "C" __global__ void one_byte_missing(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	unsigned char *b = (unsigned char *)&s[threadIdx.x];
	b[0] = 1, b[1] = 2, b[3] = 4;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x] + 1; // FAULT
}

//! uninitialised block=1
extern "C" __global__ void freed_and_given_again(int *in, int *out, int *half, int n) {
	int *p = (int *)malloc(256);
	for (int k = 0; k < 64; k++)
		p[k] = k;
	free(p);
	int *q = (int *)malloc(256);
	out[0] = q[n / 2] - 3; // FAULT
}

//! uninitialised
extern "C" __global__ void copied_then_used(int *in, Three *out, int *half, int n) {
	__shared__ Three s[64];
	int t = threadIdx.x;
	s[t].a = 1, s[t].b = 2;
	__syncthreads();
	out[t] = s[t ^ 1];
	__syncthreads();
	half[t] = out[t].c + 1; // FAULT
}

//! uninitialised
extern "C" __global__ void struct_copied_out(int *in, Three *out, int *half, int n) {
	__shared__ Three s[64];
	int t = threadIdx.x;
	if (t < 50)
		s[t].a = 1, s[t].b = 2;
	__syncthreads();
	out[t] = s[t ^ 1]; // FAULT
}

//! uninitialised block=1
extern "C" __global__ void printed(int *in, int *out, int *half, int n) {
	printf("%d %d\n", in[0], half[n * 8 + 1]); // FAULT
}

//! clean
extern "C" __global__ void clean_padding(int *in, Padded *out, int *half, int n) {
	__shared__ Padded s[64];
	int t = threadIdx.x % 40;
	Padded p;
	p.c = 1, p.i = in[t], p.d = 2, p.s = 3;
	if (threadIdx.x < 40)
		s[t] = p;
	__syncthreads();
	if (threadIdx.x < 40)
		out[t] = s[39 - t];
	__syncthreads();
	half[threadIdx.x] = out[t].i + out[t].c;
}

//! clean
extern "C" __global__ void clean_padding_vector(int *in, Three *out, int *half, int n) {
	__shared__ Three s[64];
	int t = threadIdx.x;
	s[t].a = 1, s[t].b = 2, s[t].c = in[t];
	__syncthreads();
	out[t] = s[t ^ 1];
	Three mine = out[t];
	half[t] = mine.a + mine.b + mine.c;
}

//! clean
extern "C" __global__ void clean_only_what_is_read(int *in, int *out, int *half, int n) {
	__shared__ int s[1024];
	int t = threadIdx.x;
	s[16 * t] = in[t];
	__syncthreads();
	out[t] = s[16 * (63 - t)] + half[t + 448];
}

//! clean
extern "C" __global__ void clean_loaded_early(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < 32)
		s[t] = in[t];
	__syncthreads();
	int v = s[t];
	out[t] = t < 32 ? v : -1;
}

//! clean
extern "C" __global__ void clean_bit_fields(int *in, Bits *out, int *half, int n) {
	__shared__ Bits s[64];
	int t = threadIdx.x;
	s[t].a = t;
	s[t].b = in[t];
	__syncthreads();
	out[t].c = s[t ^ 1].b + s[t ^ 1].a;
	half[t] = out[t].c;
}

//! clean
extern "C" __global__ void clean_bytes_of_a_struct(int *in, int *out, int *half, int n) {
	__shared__ Padded s[2];
	if (threadIdx.x == 0) {
		s[0].c = 1, s[0].i = 2, s[0].d = 3, s[0].s = 4;
	}
	__syncthreads();
	if (threadIdx.x < sizeof(Padded))
		((char *)&s[1])[threadIdx.x] = ((char *)&s[0])[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = s[1].i + s[1].s;
}

//! clean
extern "C" __global__ void clean_exchanged(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	atomicExch(&s[threadIdx.x], in[threadIdx.x]);
	__syncthreads();
	atomicAdd(&s[threadIdx.x ^ 1], 4);
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x] + 1;
}

//! clean
extern "C" __global__ void clean_bytes_then_word(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	unsigned char *b = (unsigned char *)s;
	for (int k = 0; k < 4; k++)
		b[threadIdx.x + 64 * k] = in[k];
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x] + 1;
}

__device__ int zeroed[64];
__device__ float4 table[8];

//! clean
extern "C" __global__ void clean_module_variables(int *in, int *out, int *half, int n) {
	zeroed[threadIdx.x] += in[threadIdx.x];
	out[threadIdx.x] = zeroed[threadIdx.x] + table[threadIdx.x % 8].z;
}

//! clean shared=1024
extern "C" __global__ void clean_filled_by_loop(int *in, int *out, int *half, int n) {
	extern __shared__ float d[];
	for (int k = threadIdx.x; k < 256; k += blockDim.x)
		d[k] = in[k];
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 256; k += 64)
		sum += d[k + threadIdx.x];
	out[threadIdx.x] = sum;
}

//! clean
extern "C" __global__ void clean_local_array(int *in, int *out, int *half, int n) {
	int a[32];
	for (int k = 0; k < 32; k++)
		a[in[k] % 32] = k;
	int sum = 0;
	for (int k = 0; k < in[threadIdx.x] % 32; k++)
		sum += a[k];
	out[threadIdx.x] = sum;
}

//! clean block=8
extern "C" __global__ void clean_malloc(int *in, int *out, int *half, int n) {
	int *p = (int *)malloc(4 * n);
	memset(p, 0, 4 * n);
	p[threadIdx.x] += in[threadIdx.x];
	out[threadIdx.x] = p[0] + p[7];
	free(p);
}

//! clean block=256 grid=4
extern "C" __global__ void clean_tail(int *in, int *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < 8 * n)
		out[i] = half[i] * 2;
}

//! clean
extern "C" __global__ void clean_float3_in_float4(float *in, float4 *out, float *half, int n) {
	int t = threadIdx.x;
	out[t].x = in[t], out[t].y = 1, out[t].z = 2;
	__syncthreads();
	float4 v = out[63 - t];
	half[t] = v.x + v.y + v.z;
}

struct Pair { int first; char second; };

__device__ __noinline__ int sum_of(Pair p, const Pair *q) { return p.first + p.second + q->first; }

//! clean
extern "C" __global__ void clean_passed_by_value(int *in, int *out, int *half, int n) {
	Pair p, q;
	p.first = in[threadIdx.x], p.second = 3;
	q.first = 4;
	out[threadIdx.x] = sum_of(p, &q);
}

//! clean block=1
extern "C" __global__ void clean_printed(int *in, int *out, int *half, int n) {
	printf("%d %s %f %c\n", in[3], "text", 2.5, 'x');
}
