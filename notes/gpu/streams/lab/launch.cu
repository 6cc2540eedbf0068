// A launch, a copy and an event that name no stream. Only compiled.

#include <cuda_runtime.h>

__global__ void scale(float *x) { x[threadIdx.x] *= 2; }

void work(float *device, const float *host, cudaEvent_t done) {
    cudaMemcpyAsync(device, host, 128, cudaMemcpyHostToDevice);
    scale<<<1, 32>>>(device);
    cudaEventRecord(done);
    cudaMemcpy(device, host, 128, cudaMemcpyHostToDevice);
}
