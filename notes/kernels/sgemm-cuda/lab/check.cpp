// Runs the kernels of sgemm.cu on the CPU, a thread for each thread of a block, and compares the results
// with a plain product. Prints JSON: for each kernel how many of the elements differ. No GPU is needed.

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

struct Index {
    int x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

static thread_local Index threadIdx, blockIdx;
static std::barrier<> *block;

#define __global__ static
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __syncthreads() block->arrive_and_wait()
#define __pipeline_memcpy_async(to, from, bytes) memcpy(to, from, bytes)
#define __pipeline_commit()
#define __pipeline_wait_prior(n) ((void)0)

#include "sgemm.cu"

using Kernel = void (*)(int, int, int, const float *, const float *, float *);

static const int SIZE = 128;

static int differing(Kernel kernel, Index blocks, Index threads) {
    std::vector<float> a(SIZE * SIZE), b(SIZE * SIZE), c(SIZE * SIZE, -1);
    for (int i = 0; i < SIZE * SIZE; ++i) {
        a[i] = (i * 7 + i / SIZE) % 11 - 5;  // small whole numbers: float adds them without an error
        b[i] = (i * 5 + i / SIZE) % 13 - 6;
    }
    std::barrier<> all(threads.x * threads.y);
    block = &all;
    for (int by = 0; by < blocks.y; ++by)
        for (int bx = 0; bx < blocks.x; ++bx) {
            std::vector<std::thread> running;
            for (int y = 0; y < threads.y; ++y)
                for (int x = 0; x < threads.x; ++x)
                    running.emplace_back([&, x, y] {
                        threadIdx = {x, y};
                        blockIdx = {bx, by};
                        kernel(SIZE, SIZE, SIZE, a.data(), b.data(), c.data());
                    });
            for (std::thread &each : running)
                each.join();
        }
    int wrong = 0;
    for (int i = 0; i < SIZE; ++i)
        for (int j = 0; j < SIZE; ++j) {
            float sum = 0;
            for (int k = 0; k < SIZE; ++k)
                sum += a[i * SIZE + k] * b[k * SIZE + j];
            wrong += sum != c[i * SIZE + j];
        }
    return wrong;
}

int main() {
    printf("{\"elements\": %d", SIZE * SIZE);
    printf(", \"naive\": %d", differing(naive, {4, 4}, {32, 32}));
    printf(", \"coalesced\": %d", differing(coalesced, {4, 4}, {32, 32}));
    printf(", \"shared\": %d", differing(shared, {4, 4}, {32, 32}));
    printf(", \"column\": %d", differing(column_of_eight, {2, 2}, {512, 1}));
    printf(", \"square\": %d", differing(square_of_eight, {1, 1}, {256, 1}));
    printf(", \"vectors\": %d", differing(vectors, {1, 1}, {256, 1}));
    printf(", \"two_tiles\": %d", differing(two_tiles, {1, 1}, {256, 1}));
    // A control: the first kernel with half of its blocks leaves half of the elements as they were.
    printf(", \"half\": %d}\n", differing(naive, {2, 4}, {32, 32}));
}
