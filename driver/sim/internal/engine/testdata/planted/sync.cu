// Barriers that go on without some of their threads, shuffles from lanes that take no part, and code that looks as if it had them. See
// planted_test.go for the lines that begin with //!.

//! sync block=128
extern "C" __global__ void returns_before_the_barrier(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t >= 100)
		return;
	out[t] = in[t];
	__syncthreads(); // FAULT
	half[t] = out[99 - t];
}

//! sync block=128
extern "C" __global__ void barrier_in_half_a_block(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	if (t < 64) {
		s[t] += s[t + 64];
		__syncthreads(); // FAULT
		out[t] = s[63 - t];
	}
}

//! sync block=64
extern "C" __global__ void odd_and_even_lanes(int *in, int *out, int *half, int n) {
	if (threadIdx.x % 2)
		__syncthreads(); // FAULT
	else
		__syncthreads(); // FAULT
	out[threadIdx.x] = 1;
}

//! sync block=128
extern "C" __global__ void odd_and_even_warps(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t / 32 % 2) {
		out[t] = in[t];
		__syncthreads(); // FAULT
	} else {
		out[t] = 2;
		__syncthreads(); // FAULT
		out[t] += half[0];
	}
}

//! sync block=64
extern "C" __global__ void loops_of_different_lengths(int *in, int *out, int *half, int n) {
	for (int k = 0; k < in[threadIdx.x] % 3; k++)
		__syncthreads(); // FAULT
}

//! sync block=64
extern "C" __global__ void named_barrier_for_half_a_warp(int *in, int *out, int *half, int n) {
	if (threadIdx.x < 32 || threadIdx.x % 2) {
		if (threadIdx.x == 40)
			return;
		if (threadIdx.x != 45)
			asm volatile("bar.sync 2, 32;" ::: "memory"); // FAULT
		out[threadIdx.x] = 1;
	}
}

//! sync block=40
extern "C" __global__ void shuffle_in_a_short_warp(int *in, int *out, int *half, int n) {
	int v = in[threadIdx.x];
	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(~0u, v, d); // FAULT
	if (threadIdx.x % 32 == 0)
		out[threadIdx.x / 32] = v;
}

//! sync block=64
extern "C" __global__ void shuffle_from_who_has_left(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t >= 50)
		return;
	out[t] = __shfl_xor_sync(~0u, in[t], 16); // FAULT
}

//! sync block=32
extern "C" __global__ void shuffle_from_outside_its_mask(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t < 20)
		out[t] = __shfl_down_sync(0xfffff, in[t], 1); // FAULT
}

//! sync block=32
extern "C" __global__ void lane_outside_its_mask(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	out[t] = __ballot_sync(in[n] ? 0xffff : ~0u, t & 1); // FAULT
}

//! clean block=128
extern "C" __global__ void clean_all_reach_it(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t];
	for (int k = 64; k > 0; k /= 2) {
		__syncthreads();
		if (t < k)
			s[t] += s[t + k];
	}
	if (t >= 100)
		return;
	out[t] = t;
}

//! clean block=100
extern "C" __global__ void clean_short_block(int *in, int *out, int *half, int n) {
	__shared__ int s[100];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	out[t] = s[99 - t];
}

//! clean block=128
extern "C" __global__ void clean_same_for_all(int *in, int *out, int *half, int n) {
	if (n == 64)
		__syncthreads();
	else
		__syncthreads();
	out[threadIdx.x] = 1;
}

//! clean block=128
extern "C" __global__ void clean_barrier_of_two_warps(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t >= 96)
		return;
	if (t < 32)
		asm volatile("bar.arrive 1, 64;" ::: "memory");
	else if (t < 64)
		asm volatile("bar.sync 1, 64;" ::: "memory");
	out[t] = in[t];
}

//! clean block=64
extern "C" __global__ void clean_each_lane_by_itself(int *in, int *out, int *half, int n) {
	if (threadIdx.x % 2)
		asm volatile("barrier.sync 0;" ::: "memory");
	else
		asm volatile("barrier.sync 0;" ::: "memory");
	out[threadIdx.x] = 1;
}

//! clean block=40
extern "C" __global__ void clean_segments_of_a_short_warp(int *in, int *out, int *half, int n) {
	int v = in[threadIdx.x];
	for (int d = 4; d > 0; d /= 2)
		v += __shfl_down_sync(~0u, v, d, 8);
	out[threadIdx.x] = v;
}

//! clean block=64
extern "C" __global__ void clean_votes_of_who_is_left(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	if (t >= 50)
		return;
	__syncwarp();
	out[t] = __ballot_sync(~0u, t & 1) + __popc(__match_any_sync(~0u, t / 8));
}

//! clean block=64
extern "C" __global__ void clean_sum_of_a_warp(int *in, int *out, int *half, int n) {
	int v = in[threadIdx.x];
	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(~0u, v, d);
	out[threadIdx.x] = __shfl_sync(~0u, v, 0);
}
