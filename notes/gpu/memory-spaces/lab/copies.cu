// From global into shared memory, and from the shared memory of another block.
// None of the kernels is run; their machine code is read.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

__global__ void staged(float4 *out, const float4 *in) {
    __shared__ float4 tile[256];
    int t = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[t];
    __syncthreads();
    out[t] = tile[255 - threadIdx.x];
}

__global__ void asynchronous(float4 *out, const float4 *in) {
    __shared__ float4 tile[256];
    int t = blockIdx.x * 256 + threadIdx.x;
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = tile[255 - threadIdx.x];
}

#if __CUDA_ARCH__ >= 900
__global__ void neighbour(float *out) {
    __shared__ float mine[256];
    auto cluster = cooperative_groups::this_cluster();
    mine[threadIdx.x] = threadIdx.x;
    cluster.sync();
    float *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    out[blockIdx.x * 256 + threadIdx.x] = theirs[threadIdx.x];
    cluster.sync();
}
#endif
