/* Compiled twice, without and with -DMARKS, to see what the comments for llvm-mca do to a loop that
   GCC vectorises at -O3. */
#ifdef MARKS
#define MARK(text) __asm__ volatile("# LLVM-MCA-" text)
#else
#define MARK(text) ((void)0)
#endif

void twice(float *restrict out, const float *restrict in, long n);

void twice(float *restrict out, const float *restrict in, long n)
{
    for (long i = 0; i < n; i++) {
        MARK("BEGIN twice");
        out[i] = in[i] + in[i];
        MARK("END twice");
    }
}
