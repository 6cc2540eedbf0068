// The loop of each_crtp once more, compiled without vectors: inlined, but one element at a time.
#include "ops.h"

extern "C" __attribute__((noinline, noclone)) void each_scalar(const Inline *op,
                                                               const float *__restrict in,
                                                               float *__restrict out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = op->apply(in[i]);
}
