// Races in shared memory, and code that looks as if it had them. See planted_test.go for the lines that begin with //!. Where the line of either
// access may be reported both are marked.

//! race
extern "C" __global__ void no_barrier(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	out[t] = s[(t + 1) % 64]; // FAULT
}

//! race block=256
extern "C" __global__ void reduction_without_barrier(float *in, float *out, int *half, int n) {
	__shared__ float s[256];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	for (int k = 128; k > 0; k >>= 1) {
		if (t < k)
			s[t] += s[t + k]; // FAULT
	}
	__syncthreads();
	if (t == 0)
		out[0] = s[0];
}

//! race
extern "C" __global__ void read_then_overwritten(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	int v = s[63 - t]; // FAULT
	s[t] = v + 1;      // FAULT
	__syncthreads();
	out[t] = s[t];
}

//! race
extern "C" __global__ void all_write(int *in, int *out, int *half, int n) {
	__shared__ int s;
	s = threadIdx.x; // FAULT
	__syncthreads();
	out[threadIdx.x] = s;
}

//! race
extern "C" __global__ void all_write_the_same(int *in, int *out, int *half, int n) {
	__shared__ int found;
	if (threadIdx.x == 0)
		found = 0;
	__syncthreads();
	if (in[threadIdx.x] % 3)
		found = 1; // FAULT
	__syncthreads();
	out[threadIdx.x] = found;
}

//! race block=128
extern "C" __global__ void wrong_buffer(int *in, int *out, int *half, int n) {
	__shared__ int s[2][128];
	int t = threadIdx.x, sum = 0;
	s[0][t] = in[t];
	__syncthreads();
	for (int k = 0; k < 4; k++) {
		s[k & 1][t] = in[t + k]; // FAULT
		sum += s[k & 1][127 - t]; // FAULT
		__syncthreads();
	}
	out[t] = sum;
}

//! race block=128
extern "C" __global__ void histogram_read_early(int *in, int *out, int *half, int n) {
	__shared__ int bins[8];
	int t = threadIdx.x;
	if (t < 8)
		bins[t] = 0;
	__syncthreads();
	atomicAdd(&bins[in[t] % 8], 1); // FAULT
	if (t < 8)
		out[t] = bins[t]; // FAULT
}

//! race block=128
extern "C" __global__ void barrier_for_half(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t]; // FAULT
	if (t < 64)
		asm volatile("bar.sync 1, 64;" ::: "memory");
	else
		asm volatile("bar.sync 2, 64;" ::: "memory");
	out[t] = s[127 - t]; // FAULT
}

//! race
extern "C" __global__ void byte_in_a_word(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	((char *)s)[t] = 1; // FAULT
	out[t] = s[t];      // FAULT
}

//! race block=128
extern "C" __global__ void barrier_once_a_round(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x, sum = 0;
	for (int k = 0; k < 4; k++) {
		s[t] = in[t + k]; // FAULT
		__syncthreads();
		sum += s[(t + 40) % 128]; // FAULT
	}
	out[t] = sum;
}

//! race block=128
extern "C" __global__ void arrives_too_early(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t >= 64) {
		asm volatile("bar.arrive 1, 128;" ::: "memory");
		s[t - 64] = in[t]; // FAULT
	} else {
		asm volatile("bar.sync 1, 128;" ::: "memory");
		out[t] = s[t]; // FAULT
	}
}

//! race
extern "C" __global__ void flag_without_fence(int *in, int *out, int *half, int n) {
	__shared__ int data;
	__shared__ volatile int flag;
	int t = threadIdx.x;
	if (t == 0)
		flag = 0;
	__syncthreads();
	if (t == 0) {
		data = in[5]; // FAULT
		flag = 1;
	} else if (t == 40) {
		while (flag == 0)
			;
		out[0] = data; // FAULT
	}
}

//! clean block=256
extern "C" __global__ void clean_reduction(float *in, float *out, int *half, int n) {
	__shared__ float s[256];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	for (int k = 128; k > 0; k >>= 1) {
		if (t < k)
			s[t] += s[t + k];
		__syncthreads();
	}
	if (t == 0)
		out[0] = s[0];
}

//! clean block=96
extern "C" __global__ void clean_early_return(int *in, int *out, int *half, int n) {
	__shared__ int s[96];
	int t = threadIdx.x;
	s[t] = in[t];
	if (t >= 70)
		return;
	__syncthreads();
	out[t] = s[t + 26];
}

//! clean block=128
extern "C" __global__ void clean_double_buffer(int *in, int *out, int *half, int n) {
	__shared__ int s[2][128];
	int t = threadIdx.x, sum = 0;
	s[0][t] = in[t];
	__syncthreads();
	for (int k = 0; k < 5; k++) {
		s[~k & 1][t] = in[t + k];
		sum += s[k & 1][127 - t];
		__syncthreads();
	}
	out[t] = sum;
}

//! clean block=128 grid=3
extern "C" __global__ void clean_histogram(int *in, int *out, int *half, int n) {
	__shared__ int bins[8];
	int t = threadIdx.x;
	if (t < 8)
		bins[t] = 0;
	__syncthreads();
	atomicAdd(&bins[in[t] % 8], 1);
	__syncthreads();
	if (t < 8)
		atomicExch(&out[t], bins[t]);
}

//! clean block=128
extern "C" __global__ void clean_producers(int *in, int *out, int *half, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	for (int k = 0; k < 3; k++) {
		if (t >= 64) {
			s[t - 64] = in[t + k];
			asm volatile("bar.arrive 1, 128;" ::: "memory");
			asm volatile("bar.sync 2, 128;" ::: "memory");
		} else {
			asm volatile("bar.sync 1, 128;" ::: "memory");
			out[t + 64 * k] = s[63 - t];
			asm volatile("bar.arrive 2, 128;" ::: "memory");
		}
	}
}

//! clean block=128
extern "C" __global__ void clean_pairs_of_warps(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x, pair = t / 64 + 1;
	s[t] = in[t];
	asm volatile("bar.sync %0, 64;" ::"r"(pair) : "memory");
	int v = s[t ^ 63];
	asm volatile("bar.sync %0, 64;" ::"r"(pair) : "memory");
	s[t] = v;
	__syncthreads();
	out[t] = s[127 - t];
}

//! clean block=128
extern "C" __global__ void clean_scan(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	for (int k = 1; k < 128; k <<= 1) {
		int v = t >= k ? s[t - k] : 0;
		__syncthreads();
		s[t] += v;
		__syncthreads();
	}
	out[t] = s[t];
}

//! clean block=128
extern "C" __global__ void clean_neighbour_bytes(int *in, int *out, int *half, int n) {
	__shared__ char s[128];
	int t = threadIdx.x;
	s[t] = in[t];
	s[t] += 1;
	__syncthreads();
	out[t] = s[127 - t];
}

//! clean block=128
extern "C" __global__ void clean_one_writes_all_read(int *in, int *out, int *half, int n) {
	__shared__ int s;
	int t = threadIdx.x, sum = 0;
	for (int k = 0; k < 10; k++) {
		if (t == 13 * k % 128)
			s = in[k];
		__syncthreads();
		sum += s;
		__syncthreads();
	}
	out[t] = sum;
}

//! clean block=128
extern "C" __global__ void clean_flag(int *in, int *out, int *half, int n) {
	__shared__ int data;
	__shared__ volatile int flag;
	int t = threadIdx.x;
	if (t == 0)
		flag = 0;
	__syncthreads();
	if (t == 0) {
		data = in[5];
		__threadfence_block();
		flag = 1;
	} else if (t >= 64) {
		while (flag == 0)
			;
		__threadfence_block();
		out[t] = data;
	}
}

//! clean block=128
extern "C" __global__ void clean_lock_in_block(int *in, int *out, int *half, int n) {
	__shared__ int lock, sum;
	int t = threadIdx.x;
	if (t == 0)
		lock = 0, sum = 0;
	__syncthreads();
	for (bool done = false; !done;) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			sum += in[t];
			__threadfence_block();
			atomicExch(&lock, 0);
			done = true;
		}
	}
	__syncthreads();
	out[t] = sum;
}

//! clean block=1024
extern "C" __global__ void clean_transpose(float *in, float *out, int *half, int n) {
	__shared__ float tile[32][33];
	int x = threadIdx.x % 32, y = threadIdx.x / 32;
	tile[y][x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = tile[x][y];
}

//! clean block=128
extern "C" __global__ void clean_parts_apart(int *in, int *out, int *half, int n) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = in[t];
	s[t] *= 3;
	if (t < 64)
		__syncthreads(); // another place, the same barrier
	else
		__syncthreads();
	out[t] = s[t ^ 64];
}
