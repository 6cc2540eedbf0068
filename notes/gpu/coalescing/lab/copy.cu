// Kernels whose loads are read in the machine code; none of them is run.

struct Particle { float x, y, z, w; };
struct __align__(16) Aligned { float x, y, z, w; };
struct Three { float x, y, z; };

__global__ void one(const float *a, float *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}

__global__ void four(const float4 *a, float4 *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}

__global__ void four_apart(const float *__restrict__ a, float *__restrict__ b) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    b[i] = a[i];
    b[i + 1] = a[i + 1];
    b[i + 2] = a[i + 2];
    b[i + 3] = a[i + 3];
}

__global__ void members(const Particle *__restrict__ a, Particle *__restrict__ b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}

__global__ void aligned(const Aligned *__restrict__ a, Aligned *__restrict__ b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}

__global__ void three(const Three *__restrict__ a, Three *__restrict__ b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}

__global__ void by_column(const float *a, float *b, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int column = 0; column < columns; column++)
        sum += a[row * columns + column];
    b[row] = sum;
}

__global__ void by_row(const float *a, float *b, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows; row++)
        sum += a[row * columns + column];
    b[column] = sum;
}
