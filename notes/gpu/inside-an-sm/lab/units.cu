// Small kernels whose machine code shows which unit does the work. They are compiled and never run.

#include <cstdint>

// A tile from global to shared memory, three ways; each kernel then writes it back reversed.
__global__ void copy_plain(const int4 *from, int4 *to) {
    __shared__ int4 tile[256];
    int t = threadIdx.x;
    tile[t] = from[t];
    __syncthreads();
    to[t] = tile[255 - t];
}

#if __CUDA_ARCH__ >= 800
__global__ void copy_async(const int4 *from, int4 *to) {
    __shared__ int4 tile[256];
    int t = threadIdx.x;
    uint32_t place = (uint32_t)__cvta_generic_to_shared(tile + t);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n"
                 "cp.async.wait_all;" ::"r"(place), "l"(from + t) : "memory");
    __syncthreads();
    to[t] = tile[255 - t];
}

__global__ void sum_redux(const int *from, int *to) {
    to[threadIdx.x] = __reduce_add_sync(~0u, from[threadIdx.x]);
}
#endif

#if __CUDA_ARCH__ >= 900
__global__ void copy_bulk(const int4 *from, int4 *to) {
    __shared__ __align__(128) int4 tile[256];
    __shared__ uint64_t arrived;
    int t = threadIdx.x;
    uint32_t place = (uint32_t)__cvta_generic_to_shared(tile);
    uint32_t barrier = (uint32_t)__cvta_generic_to_shared(&arrived);
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
                     "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;\n"
                     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     " [%1], [%2], 4096, [%0];" ::"r"(barrier), "r"(place), "l"(from) : "memory");
    __syncthreads();
    asm volatile("{.reg .pred p;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                 "@!p bra again;}" ::"r"(barrier) : "memory");
    to[t] = tile[255 - t];
}
#endif

__global__ void sum_shuffles(const int *from, int *to) {
    int sum = from[threadIdx.x];
    for (int distance = 16; distance; distance >>= 1)
        sum += __shfl_xor_sync(~0u, sum, distance);
    to[threadIdx.x] = sum;
}

__global__ void add_no_result(int *counters) { atomicAdd(counters + threadIdx.x, 1); }

__global__ void add_with_result(int *counters, int *before) {
    before[threadIdx.x] = atomicAdd(counters + threadIdx.x, 1);
}

__global__ void add_one_counter(int *counter) { atomicAdd(counter, 1); }

__global__ void count_int(const int *keys, int *to) {
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counts[keys[threadIdx.x] & 255], 1);
    __syncthreads();
    to[threadIdx.x] = counts[threadIdx.x];
}

__global__ void count_float(const int *keys, float *to) {
    __shared__ float counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counts[keys[threadIdx.x] & 255], 1.f);
    __syncthreads();
    to[threadIdx.x] = counts[threadIdx.x];
}

__global__ void short_if(const int *from, int *to) {
    int i = threadIdx.x;
    if (from[i] & 1)
        to[i] = from[i] * 3;
    else
        to[i] = from[i] + 5;
}

__global__ void long_if(const float *from, float *to) {
    int i = threadIdx.x;
    float v = from[i];
    if (i & 1) {
        for (int k = 0; k < (int)from[0]; k++)
            v = v * v + 1.f;
    } else {
        for (int k = 0; k < (int)from[1]; k++)
            v = v * 0.5f - to[k];
    }
    to[i] = v;
}

__global__ void multiply(const float *x, float *y) { y[threadIdx.x] *= x[threadIdx.x]; }
__global__ void divide(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] / y[threadIdx.x]; }
__global__ void divide_fast(const float *x, float *y) { y[threadIdx.x] = __fdividef(x[threadIdx.x], y[threadIdx.x]); }
__global__ void sine(const float *x, float *y) { y[threadIdx.x] = sinf(x[threadIdx.x]); }
__global__ void sine_fast(const float *x, float *y) { y[threadIdx.x] = __sinf(x[threadIdx.x]); }
__global__ void sine_double(const double *x, double *y) { y[threadIdx.x] = sin(x[threadIdx.x]); }
__global__ void integer_divide(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] / y[threadIdx.x]; }
__global__ void integer_divide_seven(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] / 7; }
