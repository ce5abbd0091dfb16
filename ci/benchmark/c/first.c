// A C program from its start to the result of its first kernel: first LIBCUDA LIBNVRTC SEED.
// It writes "ok" and the microseconds of its steps.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "cuda.h"

static void *open_library(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return handle;
}

static void *find(void *library, const char *name) {
    void *f = dlsym(library, name);
    if (!f) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return f;
}

static void check(int result, const char *what) {
    if (result) {
        fprintf(stderr, "%s: error %d\n", what, result);
        exit(1);
    }
}

#define FIND(library, name) name##_t name = (name##_t)find(library, #name)
#define FIND_AS(library, name, symbol) name##_t name = (name##_t)find(library, symbol)
#define DO(call) check(call, #call)

enum { N = 1000, THREADS = 256 };

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "first LIBCUDA LIBNVRTC SEED\n");
        return 2;
    }
    int seed = atoi(argv[3]);
    int64_t start = now();

    void *cuda = open_library(argv[1]);
    FIND(cuda, cuInit);
    FIND(cuda, cuDeviceGet);
    FIND(cuda, cuDeviceGetAttribute);
    FIND(cuda, cuDevicePrimaryCtxRetain);
    FIND(cuda, cuCtxSetCurrent);
    FIND(cuda, cuStreamCreate);
    int device, major, minor;
    void *context, *stream;
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuDeviceGetAttribute(&major, 75, device)); // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    DO(cuDeviceGetAttribute(&minor, 76, device)); // ..._MINOR
    DO(cuDevicePrimaryCtxRetain(&context, device));
    DO(cuCtxSetCurrent(context));
    DO(cuStreamCreate(&stream, 1)); // CU_STREAM_NON_BLOCKING
    int64_t opened = now();

    void *nvrtc = open_library(argv[2]);
    FIND(nvrtc, nvrtcCreateProgram);
    FIND(nvrtc, nvrtcCompileProgram);
    FIND(nvrtc, nvrtcGetCUBINSize);
    FIND(nvrtc, nvrtcGetCUBIN);
    FIND(nvrtc, nvrtcDestroyProgram);
    char arch[40], source[8192];
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d%d", major, minor);
    snprintf(source, sizeof source, "#define SEED %d\n%s", seed, axpy_source);
    const char *options[] = {arch, "--std=c++17"};
    void *program;
    size_t size;
    DO(nvrtcCreateProgram(&program, source, "axpy.cu", 0, NULL, NULL));
    DO(nvrtcCompileProgram(program, 2, options));
    DO(nvrtcGetCUBINSize(program, &size));
    char *cubin = malloc(size);
    DO(nvrtcGetCUBIN(program, cubin));
    DO(nvrtcDestroyProgram(&program));
    int64_t compiled = now();

    FIND(cuda, cuModuleLoadDataEx);
    FIND(cuda, cuModuleGetFunction);
    void *module, *function;
    DO(cuModuleLoadDataEx(&module, cubin, 0, NULL, NULL));
    DO(cuModuleGetFunction(&function, module, "axpy"));
    int64_t loaded = now();

    FIND_AS(cuda, cuMemAlloc, "cuMemAlloc_v2");
    FIND_AS(cuda, cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
    FIND_AS(cuda, cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
    FIND(cuda, cuLaunchKernel);
    FIND(cuda, cuStreamSynchronize);
    float host[N], alpha = 3;
    uint64_t x, y;
    int n = N;
    DO(cuMemAlloc(&x, sizeof host));
    DO(cuMemAlloc(&y, sizeof host));
    for (int i = 0; i < N; i++) host[i] = 0;
    DO(cuMemcpyHtoDAsync(y, host, sizeof host, stream));
    for (int i = 0; i < N; i++) host[i] = (float)i;
    DO(cuMemcpyHtoDAsync(x, host, sizeof host, stream));
    void *params[] = {&x, &y, &alpha, &n};
    DO(cuLaunchKernel(function, (N + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, stream, params, NULL));
    DO(cuMemcpyDtoHAsync(host, y, sizeof host, stream));
    DO(cuStreamSynchronize(stream));
    for (int i = 0; i < N; i++) {
        if (host[i] != 3 * (float)i + (float)seed) {
            fprintf(stderr, "element %d is %g, not %g\n", i, host[i], 3 * (float)i + (float)seed);
            return 1;
        }
    }
    int64_t ran = now();
    printf("ok open=%lld compile=%lld load=%lld run=%lld\n", (long long)(opened - start) / 1000, (long long)(compiled - opened) / 1000,
           (long long)(loaded - compiled) / 1000, (long long)(ran - loaded) / 1000);
    fflush(stdout);
    _exit(0);
}
