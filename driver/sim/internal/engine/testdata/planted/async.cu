// Asynchronous copies, mbarriers, matrices and calls: faults and code that looks as if it had them. See planted_test.go for the lines that
// begin with //!.

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void copy4(void *to, const void *from) {
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory"); // FAULT
}

//! race block=128 inlined=1
extern "C" __global__ void copy_not_waited_for(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = 0;
	__syncthreads();
	copy4(&s[t], &in[t]); // INLINED
	__syncthreads();
	int v = s[t ^ 1];
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = v + s[t];
}

//! uninitialised block=32
extern "C" __global__ void copy_never_waited_for(int *in, int *out, int *half, int n) {
	__shared__ int s[32];
	int t = threadIdx.x;
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[t])), "l"(&in[t]) : "memory");
	asm volatile("cp.async.commit_group;" ::: "memory");
	__syncwarp();
	out[t] = s[t] + 1; // FAULT
}

//! uninitialised block=32
extern "C" __global__ void copy_of_what_nobody_wrote(int *in, int *out, int *half, int n) {
	__shared__ int s[32];
	int t = threadIdx.x;
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[t])), "l"(&half[t + 500]) : "memory");
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = s[t] + 1; // FAULT
}

//! race block=64
extern "C" __global__ void one_group_too_few(int *in, int *out, int *half, int n) {
	__shared__ int s[2][64];
	int t = threadIdx.x;
	s[0][t] = s[1][t] = 0;
	__syncthreads();
	for (int k = 0; k < 2; k++) {
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[k][t])), "l"(&in[t + k]) : "memory"); // FAULT
		asm volatile("cp.async.commit_group;" ::: "memory");
	}
	asm volatile("cp.async.wait_group 1;" ::: "memory");
	__syncthreads();
	int v = s[0][t ^ 1] + s[1][t ^ 1];
	asm volatile("cp.async.wait_group 0;" ::: "memory");
	out[t] = v;
}

__device__ __forceinline__ void arrive(unsigned long long *bar) {
	unsigned long long state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(bar)) : "memory");
}

__device__ __forceinline__ void wait(unsigned long long *bar, int parity) {
	int done;
	do
		asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
	while (!done);
}

//! race block=64
extern "C" __global__ void mbarrier_not_waited_for(int *in, int *out, int *half, int n) {
	__shared__ unsigned long long bar;
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(&bar)) : "memory");
	__syncthreads();
	s[t] = in[t]; // FAULT
	arrive(&bar);
	out[t] = s[t ^ 32]; // FAULT
}

//! race block=64
extern "C" __global__ void mbarrier_not_ready(int *in, int *out, int *half, int n) {
	__shared__ unsigned long long bar;
	int t = threadIdx.x;
	if (t == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(&bar)) : "memory"); // FAULT
	__syncwarp(); // not enough for the other warp
	unsigned long long state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(&bar)) : "memory"); // FAULT
	out[t] = 1;
}

//! uninitialised block=32
extern "C" __global__ void matrix_not_filled(int *in, int *out, int *half, int n) {
	__shared__ __align__(16) int s[32];
	int t = threadIdx.x, r;
	if (t < 24)
		s[t] = in[t];
	__syncwarp();
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&s[t % 8 * 4])) : "memory"); // FAULT
	out[t] = r;
}

//! race block=64
extern "C" __global__ void matrix_of_another_warp(int *in, int *out, int *half, int n) {
	__shared__ __align__(16) int s[64];
	int t = threadIdx.x, r;
	s[t] = in[t]; // FAULT
	__syncwarp();
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&s[(t % 8 * 4 + 32) % 64])) : "memory"); // FAULT
	out[t] = r;
}

__device__ __noinline__ void fill(int *p, int v) {
	*p = v; // FAULT
}

__device__ __noinline__ int first_of(const int *p) {
	return p[0]; // FAULT
}

//! race block=64
extern "C" __global__ void in_functions(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	fill(&s[t], in[t]);
	out[t] = first_of(&s[63 - t]);
}

__device__ __noinline__ int recursive(int depth, int *p) {
	int a[8];
	a[depth % 8] = *p;
	if (depth > 0)
		a[(depth + 1) % 8] = recursive(depth - 1, &a[depth % 8]);
	return a[depth % 8] + a[(depth + 1) % 8]; // FAULT
}

//! uninitialised block=32
extern "C" __global__ void in_a_recursion(int *in, int *out, int *half, int n) {
	out[threadIdx.x] = recursive(in[threadIdx.x] % 5, in);
}

//! clean block=128
extern "C" __global__ void clean_pipeline(int *in, int *out, int *half, int n) {
	__shared__ int s[2][128];
	int t = threadIdx.x, sum = 0;
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[0][t])), "l"(&in[t]) : "memory");
	asm volatile("cp.async.commit_group;" ::: "memory");
	for (int k = 0; k < 5; k++) {
		if (k < 4)
			asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[~k & 1][t])), "l"(&in[t + k]) : "memory");
		asm volatile("cp.async.commit_group;" ::: "memory");
		asm volatile("cp.async.wait_group 1;" ::: "memory");
		__syncthreads();
		sum += s[k & 1][127 - t];
		__syncthreads();
	}
	out[t] = sum;
}

//! clean block=64
extern "C" __global__ void clean_zero_filled(int *in, int *out, int *half, int n) {
	__shared__ __align__(16) int s[4 * 64];
	int t = threadIdx.x;
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at(&s[4 * t])), "l"(&in[4 * t]), "r"(t < 50 ? 16 : 0) : "memory");
	asm volatile("cp.async.wait_all;" ::: "memory");
	__syncthreads();
	out[t] = s[4 * (63 - t) + 1] + 1;
}

//! clean block=96
extern "C" __global__ void clean_mbarrier(int *in, int *out, int *half, int n) {
	__shared__ unsigned long long full, empty;
	__shared__ int s[32];
	int t = threadIdx.x;
	if (t == 0) {
		asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at(&full)) : "memory");
		asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(&empty)) : "memory");
	}
	__syncthreads();
	for (int k = 0; k < 4; k++) {
		if (t < 32) {
			if (k > 0)
				wait(&empty, ~k & 1);
			s[t] = in[t + k];
			arrive(&full);
		} else {
			wait(&full, k & 1);
			out[t + 96 * k] = s[t % 32] + s[31 - t % 32];
			arrive(&empty);
		}
	}
}

//! clean block=64
extern "C" __global__ void clean_copies_by_mbarrier(int *in, int *out, int *half, int n) {
	__shared__ unsigned long long bar;
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at(&bar)) : "memory");
	__syncthreads();
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&s[t])), "l"(&in[t]) : "memory");
	asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
	wait(&bar, 0);
	out[t] = s[63 - t] + 1;
}

//! clean block=32
extern "C" __global__ void clean_matrix(int *in, int *out, int *half, int n) {
	__shared__ __align__(16) int s[32];
	int t = threadIdx.x, r;
	s[t] = in[t];
	__syncwarp();
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(&s[t % 8 * 4])) : "memory");
	out[t] = r;
}

//! clean block=64
extern "C" __global__ void clean_functions(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	fill(&s[t], in[t]);
	__syncthreads();
	out[t] = first_of(&s[63 - t]);
}
