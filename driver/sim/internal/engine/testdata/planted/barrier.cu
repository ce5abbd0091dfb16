// Barriers that part of a block never reaches and loops that never end, and code that looks as if it had them. See planted_test.go for the
// lines that begin with //!.

__device__ volatile int flag;
__device__ int lock;

//! deadlock block=128
extern "C" __global__ void too_few(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t < 64)
		asm volatile("bar.sync 3, 128;" ::: "memory"); // FAULT
	else
		out[t] = 1;
}

//! deadlock block=96
extern "C" __global__ void different_barriers(int *in, int *out, int *half, int n) {
	if (threadIdx.x < 32)
		asm volatile("bar.sync 1;" ::: "memory"); // FAULT
	else
		__syncthreads();
	out[threadIdx.x] = 1;
}

//! deadlock block=64
extern "C" __global__ void warp_waits_for_lanes_at_the_barrier(int *in, int *out, int *half, int n) {
	if (threadIdx.x % 2)
		__syncwarp(); // FAULT
	else
		__syncthreads(); // FAULT
	out[threadIdx.x] = 1;
}

//! deadlock block=32
extern "C" __global__ void shuffle_of_lanes_elsewhere(int *in, int *out, int *half, int n) {
	int v = in[threadIdx.x];
	if (threadIdx.x < 20)
		v = __shfl_down_sync(~0u, v, 1); // FAULT
	else
		__syncthreads(); // FAULT
	out[threadIdx.x] = v;
}

//! deadlock block=128
extern "C" __global__ void producer_comes_once(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t >= 64) {
		s[t - 64] = in[t];
		asm volatile("bar.arrive 1, 128;" ::: "memory");
	} else {
		for (int k = 0; k < n / 32; k++) { // n is 64
			asm volatile("bar.sync 1, 128;" ::: "memory"); // FAULT
			out[t] = s[t] + k;
		}
	}
}

//! endless block=64
extern "C" __global__ void waits_behind_the_barrier(int *in, int *out, int *half, int n) {
	if (threadIdx.x == 0) {
		__syncthreads();
		flag = 1;
	} else {
		while (flag == 0) // FAULT
			;
		__syncthreads();
	}
}

//! endless block=32
extern "C" __global__ void never_ends(int *in, int *out, int *half, int n) {
	volatile int *p = out;
	for (int i = 1; i != 0; i += 2) // FAULT
		p[threadIdx.x] = i; // FAULT
}

//! endless block=32
extern "C" __global__ void steps_over_its_end(int *in, int *out, int *half, int n) {
	float x = 0;
	while (x != 1) { // FAULT
		x += 0.1f; // FAULT
		half[threadIdx.x] = x; // FAULT
	}
}

//! endless block=32
extern "C" __global__ void lock_taken_twice(int *in, int *out, int *half, int n) {
	if (threadIdx.x == 0)
		for (int k = 0; k < 2; k++)
			while (atomicCAS(&lock, 0, 1) != 0) // FAULT
				;
}

//! endless block=1 grid=2
extern "C" __global__ void waits_for_nobody(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0)
		while (flag != 7) // FAULT
			;
	flag = 1;
}

//! endless block=128
extern "C" __global__ void barriers_for_ever(int *in, int *out, int *half, int n) {
	do
		__syncthreads(); // FAULT
	while (flag == 0); // FAULT
}

//! clean block=128
extern "C" __global__ void clean_the_others_have_ended(int *in, int *out, int *half, int n) {
	if (threadIdx.x < 40)
		__syncthreads();
	else
		return;
	__syncthreads();
	out[threadIdx.x] = 1;
}

//! clean block=128
extern "C" __global__ void clean_odd_and_even(int *in, int *out, int *half, int n) {
	if (threadIdx.x % 2)
		__syncthreads();
	else
		__syncthreads();
	out[threadIdx.x] = 1;
}

//! clean block=128
extern "C" __global__ void clean_different_rounds(int *in, int *out, int *half, int n) {
	for (int k = 0; k < threadIdx.x / 32; k++)
		__syncthreads();
}

//! clean block=128
extern "C" __global__ void clean_lanes_meet_apart(int *in, int *out, int *half, int n) {
	int v = in[threadIdx.x];
	if (threadIdx.x % 32 < 20)
		v = __shfl_down_sync(0xfffff, v, 1);
	else
		v = __shfl_down_sync(0xfff00000, v, 1);
	__syncthreads();
	out[threadIdx.x] = v;
}

//! clean block=64
extern "C" __global__ void clean_lane_waits_for_lane(int *in, int *out, int *half, int n) {
	if (threadIdx.x == 7)
		flag = 1;
	else
		while (flag == 0)
			;
	__syncthreads();
	out[threadIdx.x] = 1;
}

//! clean block=64
extern "C" __global__ void clean_long_loop(int *in, int *out, int *half, int n) {
	unsigned x = threadIdx.x;
	for (int k = 0; k < 3000; k++)
		x = x * 1664525 + in[k % 64];
	out[threadIdx.x] = x;
}
