/* One source, compiled for several processors; a resolver picks one when the program is loaded. */
__attribute__((target_clones("avx2", "default")))
void scale(float *restrict out, const float *restrict in, long n)
{
    for (long i = 0; i < n; i++)
        out[i] = 2 * in[i];
}
