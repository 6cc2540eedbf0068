// C = A * B for row-major float matrices, step by step. M, N and K are multiples of 128.
//
// nvcc compiles this file for a GPU; check.cpp runs the same kernels on the CPU and compares results.

#ifdef __CUDACC__
#include <cuda_pipeline_primitives.h>
#endif

// Each block of 32 x 32 threads makes 32 x 32 elements. The threads of a warp differ in the row.
__global__ void naive(int M, int N, int K, const float *A, const float *B, float *C) {
    int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

// The same with the indices swapped: the threads of a warp differ in the column.
__global__ void coalesced(int M, int N, int K, const float *A, const float *B, float *C) {
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}

// Tiles of 32 x 32 of both operands go through shared memory.
__global__ void shared(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float a[32][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    float sum = 0;
    for (int begin = 0; begin < K; begin += 32) {
        a[y][x] = A[row * K + begin + x];
        b[y][x] = B[(begin + y) * N + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; ++k)
            sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    C[row * N + column] = sum;
}

// A block of 512 threads makes 64 x 64 elements, each thread eight in a column.
__global__ void column_of_eight(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float a[64][8], b[8][64];
    int thread = threadIdx.x, x = thread % 64, y = thread / 64 * 8;
    A += blockIdx.y * 64 * K;
    B += blockIdx.x * 64;
    C += blockIdx.y * 64 * N + blockIdx.x * 64;
    float sum[8] = {0};
    for (int begin = 0; begin < K; begin += 8) {
        a[thread / 8][thread % 8] = A[thread / 8 * K + begin + thread % 8];
        b[thread / 64][x] = B[(begin + thread / 64) * N + x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float right = b[k][x];
#pragma unroll
            for (int i = 0; i < 8; ++i)
                sum[i] += a[y + i][k] * right;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
        C[(y + i) * N + x] = sum[i];
}

// A block of 256 threads makes 128 x 128 elements, each thread a square of 8 x 8.
__global__ void square_of_eight(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ float a[128][8], b[8][128];
    int thread = threadIdx.x, x = thread % 16 * 8, y = thread / 16 * 8;
    A += blockIdx.y * 128 * K;
    B += blockIdx.x * 128;
    C += blockIdx.y * 128 * N + blockIdx.x * 128;
    float sum[8][8] = {{0}}, left[8], right[8];
    for (int begin = 0; begin < K; begin += 8) {
#pragma unroll
        for (int i = 0; i < 128; i += 32)
            a[thread / 8 + i][thread % 8] = A[(thread / 8 + i) * K + begin + thread % 8];
#pragma unroll
        for (int i = 0; i < 8; i += 2)
            b[thread / 128 + i][thread % 128] = B[(begin + thread / 128 + i) * N + thread % 128];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                left[i] = a[y + i][k];
#pragma unroll
            for (int j = 0; j < 8; ++j)
                right[j] = b[k][x + j];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
            C[(y + i) * N + x + j] = sum[i][j];
}

// The same with loads of four floats; the tile of A stands transposed in shared memory.
__global__ void vectors(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float a[8][128], b[8][128];
    int thread = threadIdx.x, x = thread % 16 * 8, y = thread / 16 * 8;
    A += blockIdx.y * 128 * K;
    B += blockIdx.x * 128;
    C += blockIdx.y * 128 * N + blockIdx.x * 128;
    float sum[8][8] = {{0}}, left[8], right[8];
    for (int begin = 0; begin < K; begin += 8) {
        int row = thread / 2, k4 = thread % 2 * 4;
        float4 four = *(const float4 *)&A[row * K + begin + k4];
        a[k4][row] = four.x;
        a[k4 + 1][row] = four.y;
        a[k4 + 2][row] = four.z;
        a[k4 + 3][row] = four.w;
        *(float4 *)&b[thread / 32][thread % 32 * 4] =
            *(const float4 *)&B[(begin + thread / 32) * N + thread % 32 * 4];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                left[i] = a[k][y + i];
#pragma unroll
            for (int j = 0; j < 8; ++j)
                right[j] = b[k][x + j];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; j += 4)
            *(float4 *)&C[(y + i) * N + x + j] =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

// Two tiles in turn: the copies of the next one are under way while this one is multiplied.
__global__ void two_tiles(int M, int N, int K, const float *A, const float *B, float *C) {
    __shared__ __align__(16) float a[2][128][8], b[2][8][128];
    int thread = threadIdx.x, x = thread % 16 * 8, y = thread / 16 * 8;
    A += blockIdx.y * 128 * K;
    B += blockIdx.x * 128;
    C += blockIdx.y * 128 * N + blockIdx.x * 128;
    float sum[8][8] = {{0}}, left[8], right[8];
    auto fetch = [&](int tile, int begin) {
        int row = thread / 2, k4 = thread % 2 * 4, k = thread / 32, x4 = thread % 32 * 4;
        __pipeline_memcpy_async(&a[tile][row][k4], &A[row * K + begin + k4], 16);
        __pipeline_memcpy_async(&b[tile][k][x4], &B[(begin + k) * N + x4], 16);
        __pipeline_commit();
    };
    fetch(0, 0);
    int tile = 0;
    for (int begin = 0; begin < K; begin += 8) {
        fetch(tile ^ 1, begin + 8 < K ? begin + 8 : 0);  // the last one is not used
        __pipeline_wait_prior(1);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                left[i] = a[tile][y + i][k];
#pragma unroll
            for (int j = 0; j < 8; ++j)
                right[j] = b[tile][k][x + j];
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
        tile ^= 1;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
            C[(y + i) * N + x + j] = sum[i][j];
}
