"""What ci/bench measures of CuPy's RawKernel.

cupy_raw.py first SEED   a program up to its first kernel's result; writes "ok", and how long that took once the module was loaded
cupy_raw.py launches     the time of enqueueing a kernel, and of launching and waiting for it, as JSON
"""
import sys
import time

import cupy
import numpy as np

from kernel import BLOCKS, N, THREADS, best, blocks, expect, ran, source


class Axpy:
    def __init__(self, seed):
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.stream.use()
        self.kernel = cupy.RawKernel(source(seed), "axpy", options=("--std=c++17",))
        self.kernel.compile()  # and load; else the first launch does it
        self.loaded = time.perf_counter_ns()
        self.x = cupy.asarray(np.arange(N, dtype=np.float32))  # a copy: cupy.ones would compile a kernel of its own
        self.y = cupy.asarray(np.zeros(N, dtype=np.float32))

    def args(self, alpha=3):
        return self.x, self.y, np.float32(alpha), np.int32(N)

    def result(self):
        return cupy.asnumpy(self.y)


def first(seed):
    a = Axpy(seed)
    a.kernel((BLOCKS,), (THREADS,), a.args())
    expect(a.result(), seed)
    return a.loaded


def launches():
    a = Axpy(1)
    kernel, stream, args, grid, block = a.kernel, a.stream, a.args(), (BLOCKS,), (THREADS,)
    kernel(grid, block, args)
    expect(a.result(), 1)
    function = kernel.kernel  # the compiled function, without RawKernel's look for the device's own

    def enqueue(n):
        for _ in range(n):
            kernel(grid, block, args)

    def enqueue_function(n):
        for _ in range(n):
            function(grid, block, args)

    def wait_for_stream(n):
        for _ in range(n):
            kernel(grid, block, args)
            stream.synchronize()

    event = cupy.cuda.Event(disable_timing=True)

    def wait_for_event(n):
        for _ in range(n):
            kernel(grid, block, args)
            event.record(stream)
            event.synchronize()

    return {
        "name": f"CuPy {cupy.__version__}",
        "enqueue": best(blocks([enqueue, enqueue_function], 200, stream.synchronize)),
        "wait": best(blocks([wait_for_stream, wait_for_event], 50, stream.synchronize)),
    }


if __name__ == "__main__":
    if sys.argv[1] == "first":
        print(ran(first(int(sys.argv[2]))), flush=True)
    else:
        import json

        print(json.dumps(launches()))
