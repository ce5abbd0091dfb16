"""What the Python scripts of ci/bench share: the kernel, its sizes, and how blocks of launches are timed."""
import gc
import os
import time

N, THREADS = 1000, 256
BLOCKS = (N + THREADS - 1) // THREADS
KERNELS = 100  # of a graph


def source(seed):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "axpy.cu")) as f:
        return f"#define SEED {seed}\n{f.read()}"


def expect(result, seed):
    """Checks the result of the kernel for x = 0, 1, 2…, y = 0, alpha = 3."""
    for i, v in enumerate(result.tolist()):
        if v != 3 * i + seed:
            raise SystemExit(f"element {i} is {v}, not {3 * i + seed}")


def ran(loaded):
    """The line of a program that has run its first kernel, whose module was loaded at that time."""
    return f"ok run={(time.perf_counter_ns() - loaded) // 1000}"


def blocks(ways, n, synchronize, rounds=300):
    """Times blocks of n launches of each way by turns, and synchronises after each: nanoseconds a launch."""
    samples = [[] for _ in ways]
    gc.disable()
    for number in range(20 + rounds):
        for i, way in enumerate(ways):
            start = time.perf_counter_ns()
            way(n)
            took = time.perf_counter_ns() - start
            synchronize()
            if number >= 20:
                samples[i].append(took / n)
    return samples


def best(samples):
    """The figure of the way whose median is least, as ci/bench reads it."""
    figures = [figure(s) for s in samples]
    return min(figures, key=lambda f: f["median"])


def figure(samples):
    s = sorted(samples)

    def percentile(part):
        at = part * (len(s) - 1)
        i = int(at)
        return s[i] if i + 1 == len(s) else s[i] + (at - i) * (s[i + 1] - s[i])

    return {"p10": percentile(0.1), "median": percentile(0.5), "samples": len(s)}
