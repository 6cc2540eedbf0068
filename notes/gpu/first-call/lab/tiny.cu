// One kernel of one line: what is in the object file besides it is what nvcc's options put there.
__global__ void tiny(float *x) { x[threadIdx.x] += 1; }
