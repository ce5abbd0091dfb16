// Races in global memory, and code that looks as if it had them. See planted_test.go for the lines that begin with //!.

__device__ unsigned count;
__device__ int lock, other_lock, ready;
__device__ volatile int go, arrived;

//! race grid=2
extern "C" __global__ void blocks_write(int *in, int *out, int *half, int n) {
	out[threadIdx.x] = blockIdx.x; // FAULT
}

//! race grid=4
extern "C" __global__ void one_block_writes(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0)
		out[threadIdx.x] = 5; // FAULT
	else
		half[threadIdx.x + 64 * blockIdx.x] = out[threadIdx.x] + 1; // FAULT
}

//! race grid=4
extern "C" __global__ void last_block_without_fence(int *in, int *out, int *half, int n) {
	__shared__ bool last;
	if (threadIdx.x == 0) {
		out[blockIdx.x] = in[blockIdx.x]; // FAULT
		last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x < 4)
		half[threadIdx.x] = out[threadIdx.x] + 1; // FAULT
}

//! race grid=4
extern "C" __global__ void fence_of_one_thread_only(int *in, int *out, int *half, int n) {
	__shared__ bool last;
	out[threadIdx.x + 64 * blockIdx.x] = in[threadIdx.x]; // FAULT
	if (threadIdx.x == 0) { // no barrier before: the other threads' writes are not covered
		__threadfence();
		last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last)
		half[threadIdx.x] = out[threadIdx.x] + out[threadIdx.x + 64]; // FAULT
}

//! race grid=4 block=1
extern "C" __global__ void lock_without_fence(int *in, int *out, int *half, int n) {
	while (atomicCAS(&lock, 0, 1) != 0)
		;
	half[0] += in[blockIdx.x]; // FAULT
	atomicExch(&lock, 0);
}

//! race grid=2 block=1
extern "C" __global__ void two_locks(int *in, int *out, int *half, int n) {
	int *mine = blockIdx.x ? &lock : &other_lock;
	while (atomicCAS(mine, 0, 1) != 0)
		;
	half[0] += in[blockIdx.x]; // FAULT
	__threadfence();
	atomicExch(mine, 0);
}

//! race block=128
extern "C" __global__ void neighbours_through_global(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	out[t] = in[t];
	half[t] = out[(t + 1) % 128] + 1; // FAULT
}

//! race grid=2
extern "C" __global__ void fence_of_the_block(int *in, int *out, int *half, int n) {
	__shared__ bool last;
	if (threadIdx.x == 0) {
		out[blockIdx.x] = in[blockIdx.x]; // FAULT
		__threadfence_block();
		last = atomicInc(&count, 1) == 1;
	}
	__syncthreads();
	if (last && threadIdx.x < 2)
		half[threadIdx.x] = out[threadIdx.x] + 1; // FAULT
}

//! race grid=2
extern "C" __global__ void plain_and_atomic(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0)
		atomicAdd(&half[threadIdx.x], 1); // FAULT
	else
		half[threadIdx.x] = 0; // FAULT
}

//! race grid=2 block=1
extern "C" __global__ void plain_flag(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0) {
		out[0] = 5;
		__threadfence();
		ready = 1; // FAULT
	} else if (*(volatile int *)&ready) { // FAULT
		half[0] = out[0];
	}
}

//! race grid=2 block=1
extern "C" __global__ void fence_after_the_flag(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0) {
		out[0] = 5; // FAULT
		atomicExch(&ready, 1);
		__threadfence();
	} else {
		while (atomicAdd(&ready, 0) == 0)
			;
		half[0] = out[0] + 1; // FAULT
	}
}

//! race grid=2 block=1
extern "C" __global__ void more_after_the_fence(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0) {
		out[0] = 5;
		__threadfence();
		out[1] = 6; // FAULT
		atomicExch(&ready, 1);
	} else {
		while (atomicAdd(&ready, 0) == 0)
			;
		half[0] = out[0] + out[1]; // FAULT
	}
}

//! race grid=4
extern "C" __global__ void stencil_in_place(int *in, int *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	int v = half[i] + half[i + 1];
	__syncthreads();
	half[i] = v; // FAULT
}

//! race grid=2 block=32
extern "C" __global__ void bits_of_a_word(int *in, int *out, int *half, int n) {
	if (threadIdx.x % 2)
		half[threadIdx.x / 4] |= 1 << threadIdx.x % 4; // FAULT
}

//! race grid=2 block=1
extern "C" __global__ void volatile_without_fence(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0) {
		out[0] = 5; // FAULT
		go = 1;
	} else {
		while (go == 0)
			;
		__threadfence();
		half[0] = out[0] + 1; // FAULT
	}
}

//! race grid=2 block=64
extern "C" __global__ void release_of_the_block(int *in, int *out, int *half, int n) {
	if (threadIdx.x > 0)
		return;
	if (blockIdx.x == 0) {
		out[0] = 5; // FAULT
		asm volatile("st.release.cta.global.u32 [%0], 1;" ::"l"(&ready) : "memory");
	} else {
		int v;
		do
			asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(&ready) : "memory");
		while (!v);
		half[0] = out[0] + 1; // FAULT
	}
}

//! clean grid=8
extern "C" __global__ void clean_last_block(int *in, int *out, int *half, int n) {
	__shared__ bool last;
	if (threadIdx.x == 0) {
		out[blockIdx.x] = in[blockIdx.x];
		__threadfence();
		last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		if (threadIdx.x < 8)
			half[threadIdx.x] = out[threadIdx.x] + 1;
		if (threadIdx.x == 0)
			count = 0;
	}
}

//! clean grid=8 block=128
extern "C" __global__ void clean_last_block_of_all_threads(int *in, int *out, int *half, int n) {
	__shared__ bool last;
	out[threadIdx.x + 128 * blockIdx.x] = in[threadIdx.x];
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		last = atomicAdd(&count, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		int sum = 0;
		for (int k = 0; k < 8; k++)
			sum += out[threadIdx.x + 128 * k];
		half[threadIdx.x] = sum;
	}
}

//! clean grid=4 block=64
extern "C" __global__ void clean_each_thread_counts(int *in, int *out, int *half, int n) {
	out[threadIdx.x + 64 * blockIdx.x] = in[threadIdx.x];
	__threadfence();
	if (atomicAdd(&count, 1) == gridDim.x * blockDim.x - 1) {
		int sum = 0;
		for (int k = 0; k < 256; k++)
			sum += out[k];
		half[0] = sum;
	}
}

//! clean grid=4 block=64
extern "C" __global__ void clean_lock(int *in, int *out, int *half, int n) {
	for (bool done = false; !done;) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			half[0] += in[threadIdx.x];
			half[threadIdx.x % 7 + 1] += 1;
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
	}
}

//! clean grid=4 block=32
extern "C" __global__ void clean_lock_of_a_block(int *in, int *out, int *half, int n) {
	if (threadIdx.x == 0)
		while (atomicCAS(&lock, 0, 1) != 0)
			;
	__syncthreads();
	half[threadIdx.x] += in[threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicExch(&lock, 0);
	}
}

//! clean grid=4 block=1
extern "C" __global__ void clean_tickets(int *in, int *out, int *half, int n) {
	unsigned mine = atomicAdd(&count, 1);
	while (*(volatile int *)&ready != mine)
		;
	__threadfence();
	half[0] += in[blockIdx.x];
	__threadfence();
	*(volatile int *)&ready = mine + 1;
}

//! clean grid=2 block=1
extern "C" __global__ void clean_flag_by_exchange(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0) {
		out[0] = 5;
		__threadfence();
		atomicExch(&ready, 1);
	} else {
		while (atomicAdd(&ready, 0) == 0)
			;
		half[0] = out[0] + 1;
	}
}

//! clean grid=2 block=64
extern "C" __global__ void clean_release_acquire(int *in, int *out, int *half, int n) {
	if (blockIdx.x == 0) {
		out[threadIdx.x] = 5;
		__syncthreads();
		if (threadIdx.x == 0)
			asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(&ready) : "memory");
	} else {
		if (threadIdx.x == 0) {
			int v;
			do
				asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(&ready) : "memory");
			while (!v);
		}
		__syncthreads();
		half[threadIdx.x] = out[63 - threadIdx.x] + 1;
	}
}

//! clean grid=4 block=64 cooperative=1
extern "C" __global__ void clean_grid_barrier(int *in, int *out, int *half, int n) {
	for (int round = 1; round <= 3; round++) {
		int b = (blockIdx.x + round) % gridDim.x;
		out[64 * b + threadIdx.x] = round + in[threadIdx.x];
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			atomicAdd((int *)&arrived, 1);
			while (arrived < round * gridDim.x)
				;
			__threadfence();
		}
		__syncthreads();
		half[64 * blockIdx.x + threadIdx.x] = out[64 * ((b + 1) % gridDim.x) + 63 - threadIdx.x];
		__syncthreads();
		if (threadIdx.x == 0) {
			__threadfence();
			atomicAdd((int *)&go, 1);
			while (go < round * gridDim.x)
				;
			__threadfence();
		}
		__syncthreads();
	}
}

//! clean grid=8 block=100
extern "C" __global__ void clean_apart(int *in, int *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	out[i] = in[i] + in[0] + in[1023 - i];
}

//! clean grid=8 block=100
extern "C" __global__ void clean_neighbour_bytes(int *in, char *out, int *half, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	out[i] = in[i];
	out[i] += 1;
}

//! clean grid=8 block=100
extern "C" __global__ void clean_atomics(int *in, int *out, int *half, int n) {
	atomicAdd(&half[threadIdx.x % 10], 1);
	if (atomicMax(&half[20], threadIdx.x) > 98)
		atomicExch(&half[21], 1);
}

//! clean block=128
extern "C" __global__ void clean_through_global(int *in, int *out, int *half, int n) {
	int t = threadIdx.x;
	for (int k = 0; k < 3; k++) {
		out[t] = in[t] + k;
		__syncthreads();
		half[t] = out[(t + 1) % 128] + 1;
		__syncthreads();
	}
}

//! clean grid=4 block=64
extern "C" __global__ void clean_work_queue(int *in, int *out, int *half, int n) {
	__shared__ int next;
	for (;;) {
		if (threadIdx.x == 0)
			next = atomicAdd(&count, 1);
		__syncthreads();
		int mine = next;
		__syncthreads();
		if (mine >= 12)
			return;
		out[64 * mine + threadIdx.x] = in[threadIdx.x];
	}
}

//! clean grid=4 block=32
extern "C" __global__ void clean_warp_releases(int *in, int *out, int *half, int n) {
	out[threadIdx.x + 32 * blockIdx.x] = in[threadIdx.x];
	__syncwarp();
	unsigned old = 0;
	if (threadIdx.x == 0) {
		__threadfence();
		old = atomicAdd(&count, 1);
	}
	old = __shfl_sync(~0u, old, 0);
	__syncwarp();
	if (old == gridDim.x - 1)
		half[threadIdx.x] = out[threadIdx.x] + out[96 + threadIdx.x];
}
