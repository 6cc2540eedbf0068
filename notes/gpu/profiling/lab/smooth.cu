// A kernel as one profiles it: a loop with a constant number of turns, and calls that get inlined.

__global__ void smooth(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = -4; k <= 4; k++) {
        int j = min(max(i + k, 0), n - 1);
        sum += in[j] * (5 - abs(k));
    }
    if (i < n)
        out[i] = sum / 25;
}
