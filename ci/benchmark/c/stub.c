// A libcuda without a GPU, to measure what stands above the driver, and to try the benchmark where there is none.
// Memory is the host's and streams are always idle. If the environment has SEED, every launch runs axpy with it, whatever
// the function; else it runs nothing. STUB_SPIN is the nanoseconds that a launch takes. STUB_COLD is the KiB of data, and
// as many of code, that a launch and a wait each go through, as a real driver does: what the caller had in the processor's
// caches is gone then, if it is more than they hold. STUB_DEVICES is how many devices there are, else one. A launch of a graph
// takes as long as a launch, however many kernels it has.
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
static char contexts[8];

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
int cuDeviceGetCount(int *count) {
    const char *n = getenv("STUB_DEVICES");
    return *count = n ? atoi(n) : 1, 0;
}
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int size, int device) { return (void)device, strncpy(name, "stub", (size_t)size), 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    switch (attribute) {
    case 75: *value = 9; break;              // compute capability
    case 76: *value = 0; break;
    case 10: *value = 32; break;             // warp size
    case 16: *value = 132; break;            // multiprocessors
    case 8: case 97: *value = 48 << 10; break; // shared memory
    default: *value = 1 << 16;
    }
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &contexts[device], 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return (void)device, 0; }
int cuDeviceCanAccessPeer(int *can, int device, int other) { return *can = device != other, 0; }
int cuCtxEnablePeerAccess(void *context, unsigned flags) { return (void)context, (int)flags; }
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
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void *stream) {
    return (void)stream, memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, size), 0;
}
int cuMemcpyPeerAsync(uint64_t to, void *to_context, uint64_t from, void *from_context, size_t size, void *stream) {
    (void)stream;
    if (to_context == from_context) return 1;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, size);
    return 0;
}

// axpy_args are the arguments of a kernel.
typedef struct {
    const float *x;
    float *y, alpha;
    int n;
} axpy_args;

static axpy_args read_args(void **params) {
    return (axpy_args){*(const float **)params[0], *(float **)params[1], *(float *)params[2], *(int *)params[3]};
}
static void run(const axpy_args *a, unsigned threads) {
    for (int i = 0; i < a->n && i < (int)threads; i++) a->y[i] += a->alpha * a->x[i] + seed;
}
static void take_time(void) {
    go_through();
    if (spin) {
        int64_t end = now() + spin;
        while (now() < end) {
        }
    }
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **params, void **extra) {
    (void)function, (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    take_time();
    if (runs) {
        axpy_args a = read_args(params);
        run(&a, gx * bx);
    }
    return 0;
}

// A graph is a list of kernels, which is run in the order in which they were added. One that is ready is a copy; its nodes are named by
// those of the graph that it was made from.
typedef struct {
    axpy_args args;
    unsigned threads;
    int place;
} node;
typedef struct {
    int count;
    node *nodes[1000];
} graph;

int cuGraphCreate(void **g, unsigned flags) { return *g = calloc(1, sizeof(graph)), (int)flags; }
int cuGraphAddKernelNode_v2(void **n, void *in, void *const *after, size_t count, const node_params *p) {
    graph *g = in;
    if (g->count == 1000 || (count && !after[0])) return 1;
    node *made = malloc(sizeof *made);
    *made = (node){read_args(p->params), p->grid[0] * p->block[0], g->count};
    g->nodes[g->count++] = *n = made;
    return 0;
}
int cuGraphInstantiateWithFlags(void **exec, void *from, unsigned long long flags) {
    graph *g = from, *x = malloc(sizeof *x);
    *x = *g;
    for (int i = 0; i < x->count; i++) *(x->nodes[i] = malloc(sizeof(node))) = *g->nodes[i];
    return *exec = x, (int)flags;
}
int cuGraphExecKernelNodeSetParams_v2(void *exec, void *n, const node_params *p) {
    node *changed = ((graph *)exec)->nodes[((node *)n)->place];
    return changed->args = read_args(p->params), changed->threads = p->grid[0] * p->block[0], 0;
}
int cuGraphLaunch(void *exec, void *stream) {
    graph *x = exec;
    (void)stream;
    take_time();
    for (int i = 0; runs && i < x->count; i++) run(&x->nodes[i]->args, x->nodes[i]->threads);
    return 0;
}
int cuGraphDestroy(void *in) {
    graph *g = in;
    for (int i = 0; i < g->count; i++) free(g->nodes[i]);
    return free(g), 0;
}
int cuGraphExecDestroy(void *exec) { return cuGraphDestroy(exec); }
