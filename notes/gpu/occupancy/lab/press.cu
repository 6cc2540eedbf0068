// A kernel with 96 live floats: how many registers it gets, and what it spills, under each bound.
//
// -DTHREADS=256 is the first argument of __launch_bounds__, -DBLOCKS=4 the second.

#ifdef BLOCKS
#define BOUNDS __launch_bounds__(THREADS, BLOCKS)
#elif defined THREADS
#define BOUNDS __launch_bounds__(THREADS)
#else
#define BOUNDS
#endif

#define LIVE 96

__global__ void BOUNDS press(const float *__restrict__ a, float *__restrict__ b, int n) {
    float live[LIVE];
#pragma unroll
    for (int i = 0; i < LIVE; ++i)
        live[i] = a[i * 256 + threadIdx.x];
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < LIVE; ++i)
            live[i] = live[i] * live[(i + 37) % LIVE] + a[k];
    }
#pragma unroll
    for (int i = 0; i < LIVE; ++i)
        b[i * 256 + threadIdx.x] = live[i];
}
