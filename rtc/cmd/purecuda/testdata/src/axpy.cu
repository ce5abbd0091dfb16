template <typename T> __global__ void axpy(const T *x, T *y, T alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int unused;
    y[i] += alpha * x[i];
}
