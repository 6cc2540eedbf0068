// Constant memory: an index that is known, one for all lanes, and one of each lane.
// None of the kernels is run; their machine code is read.

__constant__ float weight[64];

__global__ void known(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] * weight[3];
}

__global__ void same(float *out, const float *in, int k) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] * weight[k];
}

__global__ void own(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] * weight[threadIdx.x % 64];
}
