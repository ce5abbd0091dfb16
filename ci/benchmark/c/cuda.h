// The few declarations of CUDA's that the benchmark needs, so that it builds where there is no toolkit.
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef int (*cuInit_t)(unsigned);
typedef int (*cuDeviceGet_t)(int *, int);
typedef int (*cuDeviceGetAttribute_t)(int *, int, int);
typedef int (*cuDevicePrimaryCtxRetain_t)(void **, int);
typedef int (*cuCtxSetCurrent_t)(void *);
typedef int (*cuCtxGetCurrent_t)(void **);
typedef int (*cuModuleLoadDataEx_t)(void **, const void *, unsigned, int *, void **);
typedef int (*cuModuleGetFunction_t)(void **, void *, const char *);
typedef int (*cuMemAlloc_t)(uint64_t *, size_t);
typedef int (*cuMemcpyHtoDAsync_t)(uint64_t, const void *, size_t, void *);
typedef int (*cuMemcpyDtoHAsync_t)(void *, uint64_t, size_t, void *);
typedef int (*cuStreamCreate_t)(void **, unsigned);
typedef int (*cuStreamSynchronize_t)(void *);
typedef int (*cuEventRecord_t)(void *, void *);
typedef int (*cuStreamWaitEvent_t)(void *, void *, unsigned);
typedef int (*cuEventSynchronize_t)(void *);
typedef int (*cuLaunchKernel_t)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
typedef int (*cuMemcpyPeerAsync_t)(uint64_t, void *, uint64_t, void *, size_t, void *);
typedef int (*cuGraphCreate_t)(void **, unsigned);
typedef int (*cuGraphInstantiateWithFlags_t)(void **, void *, unsigned long long);
typedef int (*cuGraphLaunch_t)(void *, void *);

// CUDA_KERNEL_NODE_PARAMS_v2, of CUDA 12.
typedef struct {
    void *function;
    unsigned grid[3], block[3], shared;
    void **params, **extra;
    void *kernel, *context;
} node_params;
typedef int (*cuGraphAddKernelNode_t)(void **, void *, void *const *, size_t, const node_params *);
typedef int (*cuGraphExecKernelNodeSetParams_t)(void *, void *, const node_params *);
typedef int (*nvrtcCreateProgram_t)(void **, const char *, const char *, int, const char *const *, const char *const *);
typedef int (*nvrtcCompileProgram_t)(void *, int, const char *const *);
typedef int (*nvrtcGetCUBINSize_t)(void *, size_t *);
typedef int (*nvrtcGetCUBIN_t)(void *, char *);
typedef int (*nvrtcDestroyProgram_t)(void **);

// The kernel's source, NUL-terminated, from the file AXPY.
__asm__(".pushsection .rodata\n"
        "axpy_source: .incbin \"" AXPY "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char axpy_source[] __attribute__((visibility("hidden")));

static inline int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
