// A libcuda without a GPU, to measure what stands above the driver, and to try the benchmark where there is none.
// Memory is the host's and streams are always idle. If the environment has SEED, every launch runs axpy with it, whatever
// the function; else it runs nothing. STUB_SPIN is the nanoseconds that a launch takes. STUB_COLD is the KiB of data, and
// as many of code, that a launch and a wait each go through, as a real driver does: what the caller had in the processor's
// caches is gone then, if it is more than they hold.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cuda.h"

static int64_t spin;
static size_t cold;
static volatile char *data;
static void (*code)(void);
static float seed;
static int runs;
static __thread void *current;

// chill makes the data, and the code, which is jumps from a line to the next (x86) and a return.
static int chill(int result) {
    unsigned char *p = mmap(NULL, cold + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || !(data = calloc(1, cold))) return 2;
    for (size_t i = 0; i < cold; i += 64) p[i] = 0xeb, p[i + 1] = 62;
    p[cold] = 0xc3;
    if (mprotect(p, cold + 1, PROT_READ | PROT_EXEC)) return 2;
#ifdef __x86_64__
    code = (void (*)(void))p;
#endif
    return result;
}

static void go_through(void) {
    for (size_t i = 0; i < cold; i += 64) data[i]++;
    if (code) code();
}

int cuInit(unsigned flags) {
    const char *s = getenv("STUB_SPIN"), *k = getenv("SEED");
    spin = s ? atoll(s) : 0;
    runs = k != NULL;
    seed = k ? (float)atoi(k) : 0;
    cold = getenv("STUB_COLD") ? (size_t)atoi(getenv("STUB_COLD")) << 10 : 0;
    return cold ? chill((int)flags) : (int)flags;
}
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetErrorString(int error, const char **text) { return *text = error ? "an error" : "no error", 0; }
int cuGetErrorName(int error, const char **name) { return *name = error ? "CUDA_ERROR_STUB" : "CUDA_SUCCESS", 0; }
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int size, int device) { return strncpy(name, "stub", (size_t)size), device; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
    case 75: *value = 9; break;              // compute capability
    case 76: *value = 0; break;
    case 10: *value = 32; break;             // warp size
    case 16: *value = 132; break;            // multiprocessors
    case 8: case 97: *value = 48 << 10; break; // shared memory
    default: *value = 1 << 16;
    }
    return device;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &seed, device; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxSetCurrent(void *context) { return current = context, 0; }
int cuCtxGetCurrent(void **context) { return *context = current, 0; }
int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values) {
    (void)options, (void)values;
    *module = malloc(1);
    return image ? (int)n * 0 : 1;
}
int cuModuleUnload(void *module) { return free(module), 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) { return *function = module, name[0] == 0; }
int cuFuncGetAttribute(int *value, int attribute, void *function) {
    (void)function;
    *value = attribute == 0 ? 1024 : attribute == 4 ? 16 : attribute == 8 ? 48 << 10 : 0;
    return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) { return (void)function, (void)attribute, (void)value, 0; }
int cuFuncGetParamInfo(void *function, size_t i, size_t *offset, size_t *size) {
    static const size_t offsets[] = {0, 8, 16, 20}, sizes[] = {8, 8, 4, 4};
    (void)function;
    if (i > 3) return 1;
    return *offset = offsets[i], *size = sizes[i], 0;
}
int cuMemAlloc_v2(uint64_t *address, size_t size) { return *address = (uint64_t)(uintptr_t)calloc(1, size), 0; }
int cuMemFree_v2(uint64_t address) { return free((void *)(uintptr_t)address), 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream) {
    return (void)stream, memcpy((void *)(uintptr_t)to, from, size), 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream) {
    return (void)stream, memcpy(to, (void *)(uintptr_t)from, size), 0;
}
int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t size, void *stream) {
    return (void)stream, memset((void *)(uintptr_t)to, byte, size), 0;
}
int cuMemsetD32Async(uint64_t to, unsigned word, size_t count, void *stream) {
    uint32_t *w = (uint32_t *)(uintptr_t)to;
    for (size_t i = 0; i < count; i++) w[i] = word;
    return (void)stream, 0;
}
int cuStreamCreate(void **stream, unsigned flags) { return *stream = malloc(flags + 1), 0; }
int cuStreamDestroy_v2(void *stream) { return free(stream), 0; }
int cuStreamSynchronize(void *stream) { return (void)stream, go_through(), 0; }
int cuStreamQuery(void *stream) { return (void)stream, 0; }
int cuEventCreate(void **event, unsigned flags) { return *event = malloc(flags + 1), 0; }
int cuEventDestroy_v2(void *event) { return free(event), 0; }
int cuEventRecord(void *event, void *stream) { return (void)event, (void)stream, 0; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return (void)event, (void)stream, (int)flags; }
int cuEventSynchronize(void *event) { return (void)event, go_through(), 0; }
int cuEventQuery(void *event) { return (void)event, 0; }
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **params, void **extra) {
    (void)function, (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    go_through();
    if (spin) {
        int64_t end = now() + spin;
        while (now() < end) {
        }
    }
    if (runs) {
        const float *x = *(const float **)params[0];
        float *y = *(float **)params[1], alpha = *(float *)params[2];
        int n = *(int *)params[3];
        for (int i = 0; i < n && i < (int)(gx * bx); i++) y[i] += alpha * x[i] + seed;
    }
    return 0;
}
