// Nothing that these kernels wrote is ever lost by them: a launch that ran at the wrong time shows in the end.
extern "C" __global__ void mix(const unsigned *a, const unsigned *b, unsigned *c, unsigned k) {
    int i = threadIdx.x;
    c[i] = c[i] * 3 + a[i] * 5 + (b[i] ^ k);
}
extern "C" __global__ void swap(unsigned *a, unsigned *b, unsigned k) {
    int i = threadIdx.x;
    unsigned t = a[i];
    a[i] = b[i] * 7 + k;
    b[i] = t + 1;
}
