#include "by.h"
extern "C" __global__ void k(float *x) {
    x[0] = y;
    z = 1
}
