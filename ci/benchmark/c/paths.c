// What a C program would do, for the Go program that is measured beside it, in the same process and CUDA context.
// All arguments are machine words. A result below zero is CUDA's error code, negative; else it is nanoseconds.
#include <stdio.h>
#include <stdlib.h>
#include "cuda.h"

static struct {
    cuLaunchKernel_t launch;
    cuEventRecord_t record;
    cuStreamWaitEvent_t wait_event;
    void *other, *other_event;
    cuEventSynchronize_t wait;
    cuCtxSetCurrent_t set_current;
    cuCtxGetCurrent_t get_current;
    void *context, *function, *stream, *event;
    unsigned blocks, threads;
    uint64_t x, y;
    float alpha;
    int n;
    void *params[4];
} s;

static struct {
    nvrtcCreateProgram_t create;
    nvrtcCompileProgram_t compile;
    nvrtcGetCUBINSize_t size;
    nvrtcGetCUBIN_t cubin;
    nvrtcDestroyProgram_t destroy;
    char arch[40];
} rtc;

void paths_functions(uintptr_t launch, uintptr_t record, uintptr_t wait, uintptr_t set_current, uintptr_t get_current) {
    s.launch = (cuLaunchKernel_t)launch;
    s.record = (cuEventRecord_t)record;
    s.wait = (cuEventSynchronize_t)wait;
    s.set_current = (cuCtxSetCurrent_t)set_current;
    s.get_current = (cuCtxGetCurrent_t)get_current;
}

// paths_launch_of says what is launched. It returns the address of kernelParams.
uintptr_t paths_launch_of(uintptr_t context, uintptr_t function, uintptr_t stream, uintptr_t event, uintptr_t blocks, uintptr_t threads,
                          uintptr_t x, uintptr_t y, uintptr_t n) {
    s.context = (void *)context, s.function = (void *)function, s.stream = (void *)stream, s.event = (void *)event;
    s.blocks = (unsigned)blocks, s.threads = (unsigned)threads;
    s.x = x, s.y = y, s.n = (int)n, s.alpha = 3;
    s.params[0] = &s.x, s.params[1] = &s.y, s.params[2] = &s.alpha, s.params[3] = &s.n;
    return (uintptr_t)s.params;
}

static int launch(void) {
    return s.launch(s.function, s.blocks, 1, 1, s.threads, 1, 1, 0, s.stream, s.params, NULL);
}

static int64_t enqueue(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++) {
        s.alpha = (float)i;
        if ((r = launch())) return -r;
    }
    return now() - start;
}

static int64_t launch_and_wait(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++) {
        s.alpha = (float)i;
        if ((r = launch()) || (r = s.record(s.event, s.stream)) || (r = s.wait(s.event))) return -r;
    }
    return now() - start;
}

// current runs a block with the context current on the thread, as it is in a C program.
static int64_t current(int64_t (*block)(int64_t), int64_t count) {
    void *before = NULL;
    int r;
    if ((r = s.get_current(&before)) || (r = s.set_current(s.context))) return -r;
    int64_t result = block(count);
    s.set_current(before);
    return result;
}

int64_t paths_enqueue(uintptr_t count) { return current(enqueue, (int64_t)count); }

int64_t paths_launch_and_wait(uintptr_t count) { return current(launch_and_wait, (int64_t)count); }

void paths_other(uintptr_t wait_event, uintptr_t stream, uintptr_t event) {
    s.wait_event = (cuStreamWaitEvent_t)wait_event;
    s.other = (void *)stream, s.other_event = (void *)event;
}

// across launches on two streams in turn, each launch behind the one before.
static int64_t across(int64_t count) {
    void *streams[] = {s.stream, s.other}, *events[] = {s.event, s.other_event};
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++) {
        int me = i & 1;
        if ((r = s.launch(s.function, s.blocks, 1, 1, s.threads, 1, 1, 0, streams[me], s.params, NULL)) || (r = s.record(events[me], streams[me])) ||
            (r = s.wait_event(streams[!me], events[me], 0)))
            return -r;
    }
    return now() - start;
}

int64_t paths_across(uintptr_t count) { return current(across, (int64_t)count); }

void paths_compiler(uintptr_t create, uintptr_t compile, uintptr_t size, uintptr_t cubin, uintptr_t destroy, uintptr_t sm) {
    rtc.create = (nvrtcCreateProgram_t)create;
    rtc.compile = (nvrtcCompileProgram_t)compile;
    rtc.size = (nvrtcGetCUBINSize_t)size;
    rtc.cubin = (nvrtcGetCUBIN_t)cubin;
    rtc.destroy = (nvrtcDestroyProgram_t)destroy;
    snprintf(rtc.arch, sizeof rtc.arch, "--gpu-architecture=sm_%d", (int)sm);
}

// paths_compile compiles the kernel to a cubin, and frees it.
int64_t paths_compile(uintptr_t seed) {
    static char source[8192];
    const char *options[] = {rtc.arch, "--std=c++17"};
    void *program = NULL;
    size_t size = 0;
    char *image = NULL;
    int r;
    int64_t start = now();
    snprintf(source, sizeof source, "#define SEED %d\n%s", (int)seed, axpy_source);
    if ((r = rtc.create(&program, source, "axpy.cu", 0, NULL, NULL)) || (r = rtc.compile(program, 2, options)) ||
        (r = rtc.size(program, &size)))
        return -r;
    image = malloc(size);
    if ((r = rtc.cubin(program, image)) || (r = rtc.destroy(&program))) return -r;
    int64_t result = now() - start;
    free(image);
    return result;
}
