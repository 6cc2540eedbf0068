// Local memory: an array of a thread, and who knows its index.
// None of the kernels is run; their machine code is read.

constexpr int SIZE = 16;

__global__ void histogram(int *out, const unsigned char *in, int n) {
    int count[SIZE] = {};
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++)
        count[in[i * 1024 + t] % SIZE]++;
#pragma unroll
    for (int k = 0; k < SIZE; k++)
        out[SIZE * t + k] = count[k];
}

__global__ void compared(int *out, const unsigned char *in, int n) {
    int count[SIZE] = {};
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int k = 0; k < SIZE; k++)
            count[k] += in[i * 1024 + t] % SIZE == k;
#pragma unroll
    for (int k = 0; k < SIZE; k++)
        out[SIZE * t + k] = count[k];
}

__global__ void in_shared(int *out, const unsigned char *in, int n) {
    __shared__ int count[SIZE][256];        // blocks of 256 threads: a column for each
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < SIZE; k++)
        count[k][threadIdx.x] = 0;
    for (int i = 0; i < n; i++)
        count[in[i * 1024 + t] % SIZE][threadIdx.x]++;
#pragma unroll
    for (int k = 0; k < SIZE; k++)
        out[SIZE * t + k] = count[k][threadIdx.x];
}

template <int N> __device__ void one_of(float *out, const float *in, const int *which) {
    float a[N];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < N; k++)
        a[k] = in[N * t + k];
    out[t] = a[which[t] % N];
}

__global__ void lookup(float *out, const float *in, const int *which) { one_of<SIZE>(out, in, which); }
__global__ void lookup_large(float *out, const float *in, const int *which) { one_of<128>(out, in, which); }

template <int UNROLL> __device__ void polynomial(float *out, const float *in, int n) {
    float a[SIZE], sum = 0;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < SIZE; k++)
        a[k] = in[SIZE * t + k];
    for (int i = 0; i < n; i++)
#pragma unroll UNROLL
        for (int k = 0; k < SIZE; k++)
            sum = sum * a[k] + 1;
    out[t] = sum;
}

__global__ void rolled(float *out, const float *in, int n) { polynomial<1>(out, in, n); }
__global__ void unrolled(float *out, const float *in, int n) { polynomial<SIZE>(out, in, n); }
