"""What ci/bench measures of NVIDIA's cuda.core.

cuda_core.py first SEED   a program up to its first kernel's result; writes "ok", and how long that took once the module was loaded
cuda_core.py launches     the time of enqueueing a kernel, of launching and waiting for it, and of a graph of kernels, as JSON
"""
import os
import sys
import time

import numpy as np
from cuda.bindings import driver

try:
    from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
except ImportError:  # before 0.5
    from cuda.core.experimental import Device, LaunchConfig, Program, ProgramOptions, launch

from kernel import BLOCKS, KERNELS, N, THREADS, best, blocks, expect, ran, source


def done(result):
    if result[0] != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(result[0])
    return result[1:]


def kept():
    """Its cache of programs, in the folder that CUDA_CORE_CACHE names; without that there is none."""
    folder = os.environ.get("CUDA_CORE_CACHE")
    if not folder:
        return {}
    from cuda.core.utils import FileStreamProgramCache  # older ones have none

    return {"cache": FileStreamProgramCache(folder)}


class Axpy:
    def __init__(self, seed):
        self.device = Device(0)
        self.device.set_current()
        self.stream = self.device.create_stream()
        options = ProgramOptions(std="c++17", arch=f"sm_{self.device.arch}")
        program = Program(source(seed), code_type="c++", options=options)
        self.module = program.compile("cubin", **kept())
        self.kernel = self.module.get_kernel("axpy")  # which loads it
        self.loaded = time.perf_counter_ns()
        self.config = LaunchConfig(grid=BLOCKS, block=THREADS)
        self.x = self.device.allocate(4 * N, stream=self.stream)
        self.y = self.device.allocate(4 * N, stream=self.stream)
        self.fill(np.arange(N, dtype=np.float32))

    def fill(self, x):
        zeros = np.zeros(N, dtype=np.float32)
        self.stream.sync()
        done(driver.cuMemcpyHtoD(int(self.x.handle), x.ctypes.data, x.nbytes))
        done(driver.cuMemcpyHtoD(int(self.y.handle), zeros.ctypes.data, zeros.nbytes))

    def args(self, alpha=3):
        """The arguments in the kinds that cuda.core is quickest to take: addresses as int, numbers of NumPy's types."""
        return int(self.x.handle), int(self.y.handle), np.float32(alpha), np.int32(N)

    def result(self):
        out = np.empty(N, dtype=np.float32)
        self.stream.sync()
        done(driver.cuMemcpyDtoH(out.ctypes.data, int(self.y.handle), out.nbytes))
        return out


def first(seed):
    a = Axpy(seed)
    launch(a.stream, a.config, a.kernel, *a.args())
    expect(a.result(), seed)
    return a.loaded


def launches():
    a = Axpy(1)
    args, stream, config, kernel = a.args(), a.stream, a.config, a.kernel
    launch(stream, config, kernel, *args)
    expect(a.result(), 1)

    def enqueue(n):
        for _ in range(n):
            launch(stream, config, kernel, *args)

    def with_buffers(n, x=a.x, y=a.y, alpha=args[2], count=args[3]):
        for _ in range(n):
            launch(stream, config, kernel, x, y, alpha, count)

    def wait_for_stream(n):
        for _ in range(n):
            launch(stream, config, kernel, *args)
            stream.sync()

    def wait_for_event(n):
        for _ in range(n):
            launch(stream, config, kernel, *args)
            stream.record().sync()

    from importlib.metadata import version

    try:
        graph = replays(a)
    except Exception as e:  # older ones have no graphs
        graph = {"absent": [f"a graph: {type(e).__name__}: {e}"]}
    return {
        "name": f"cuda.core {version('cuda-core')}",
        "enqueue": best(blocks([enqueue, with_buffers], 200, stream.sync)),
        "wait": best(blocks([wait_for_stream, wait_for_event], 50, stream.sync)),
        **graph,
    }


def replays(a):
    """Replays of a graph of kernels, and with the wait."""
    stream = a.stream
    builder = stream.create_graph_builder()
    builder.begin_building()
    for _ in range(KERNELS):
        launch(builder, a.config, a.kernel, *a.args())
    graph = builder.end_building().complete()
    a.fill(np.arange(N, dtype=np.float32))
    graph.launch(stream)
    expect(a.result() / KERNELS, 1)

    def replay(n):
        for _ in range(n):
            graph.launch(stream)

    def replay_and_wait(n):
        for _ in range(n):
            graph.launch(stream)
            stream.sync()

    return {
        "replay": best(blocks([replay], 20, stream.sync)),
        "replay_wait": best(blocks([replay_and_wait], 10, stream.sync)),
    }


if __name__ == "__main__":
    if sys.argv[1] == "first":
        print(ran(first(int(sys.argv[2]))), flush=True)
    else:
        import json

        print(json.dumps(launches()))
