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

// The graph: the launch some times in a row, as a C program would make it. One of its kernels is changed.

static struct {
    cuGraphLaunch_t launch;
    cuGraphExecKernelNodeSetParams_t set;
    cuStreamSynchronize_t wait;
    void *exec, *nodes[1000];
    int count, changed;
} g;

static struct {
    cuMemcpyPeerAsync_t copy;
    cuStreamSynchronize_t wait;
    cuStreamWaitEvent_t wait_event;
    void *to_context, *from_context, *stream, *theirs;
    uint64_t to, from;
    size_t size;
} peer;

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

static node_params launch_as_node(void) {
    return (node_params){.function = s.function, .grid = {s.blocks, 1, 1}, .block = {s.threads, 1, 1}, .params = s.params};
}

// paths_graph makes the graph ready. It returns CUDA's error code.
int64_t paths_graph(uintptr_t create, uintptr_t add, uintptr_t instantiate, uintptr_t set, uintptr_t launch, uintptr_t wait,
                    uintptr_t count, uintptr_t changed) {
    g.launch = (cuGraphLaunch_t)launch;
    g.set = (cuGraphExecKernelNodeSetParams_t)set;
    g.wait = (cuStreamSynchronize_t)wait;
    g.count = (int)count, g.changed = (int)changed;
    s.alpha = 3;
    void *before = NULL, *graph;
    int r;
    if ((r = s.get_current(&before)) || (r = s.set_current(s.context))) return r;
    node_params p = launch_as_node();
    r = ((cuGraphCreate_t)create)(&graph, 0);
    for (int i = 0; !r && i < g.count; i++) r = ((cuGraphAddKernelNode_t)add)(&g.nodes[i], graph, &g.nodes[i ? i - 1 : 0], i > 0, &p);
    if (!r) r = ((cuGraphInstantiateWithFlags_t)instantiate)(&g.exec, graph, 0);
    s.set_current(before);
    return r;
}

static int64_t replay(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++)
        if ((r = g.launch(g.exec, s.stream))) return -r;
    return now() - start;
}

static int64_t replay_and_wait(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++)
        if ((r = g.launch(g.exec, s.stream)) || (r = g.wait(s.stream))) return -r;
    return now() - start;
}

// change_and_replay gives one kernel of the graph another number each time.
static int64_t change_and_replay(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++) {
        s.alpha = (float)i;
        node_params p = launch_as_node();
        if ((r = g.set(g.exec, g.nodes[g.changed], &p)) || (r = g.launch(g.exec, s.stream)) || (r = g.wait(s.stream))) return -r;
    }
    return now() - start;
}

static int64_t enqueue_all_and_wait(int64_t count) {
    int r = 0;
    s.alpha = 3;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < g.count; k++)
            if ((r = launch())) return -r;
        if ((r = g.wait(s.stream))) return -r;
    }
    return now() - start;
}

int64_t paths_replay(uintptr_t count) { return current(replay, (int64_t)count); }

int64_t paths_replay_and_wait(uintptr_t count) { return current(replay_and_wait, (int64_t)count); }

int64_t paths_change_and_replay(uintptr_t count) { return current(change_and_replay, (int64_t)count); }

int64_t paths_enqueue_all_and_wait(uintptr_t count) { return current(enqueue_all_and_wait, (int64_t)count); }

// paths_peer says what is copied between two devices, on which stream, and which stream of the other device is ordered behind it.
void paths_peer(uintptr_t copy, uintptr_t wait, uintptr_t wait_event, uintptr_t theirs, uintptr_t to_context, uintptr_t to, uintptr_t from_context, uintptr_t from, uintptr_t size,
                uintptr_t stream) {
    peer.copy = (cuMemcpyPeerAsync_t)copy;
    peer.wait = (cuStreamSynchronize_t)wait;
    peer.wait_event = (cuStreamWaitEvent_t)wait_event, peer.theirs = (void *)theirs;
    peer.to_context = (void *)to_context, peer.from_context = (void *)from_context, peer.stream = (void *)stream;
    peer.to = to, peer.from = from, peer.size = size;
}

static int64_t peer_copy(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++)
        if ((r = peer.copy(peer.to, peer.to_context, peer.from, peer.from_context, peer.size, peer.stream)) || (r = peer.wait(peer.stream))) return -r;
    return now() - start;
}

static int64_t peer_copy_in_order(int64_t count) {
    int r = 0;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++)
        if ((r = peer.copy(peer.to, peer.to_context, peer.from, peer.from_context, peer.size, peer.stream)) || (r = s.record(s.event, peer.stream)) ||
            (r = peer.wait_event(peer.theirs, s.event, 0)) || (r = peer.wait(peer.stream)))
            return -r;
    return now() - start;
}

int64_t paths_peer_copy_in_order(uintptr_t count) { return current(peer_copy_in_order, (int64_t)count); }

int64_t paths_peer_copy(uintptr_t count) { return current(peer_copy, (int64_t)count); }

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
